"""Writing the files of runs to folders and buckets.

Each run has a folder of its own, whose name does not change if the run is repeated. The manifest is written last: a
folder with a manifest is complete.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from tempfile import TemporaryFile
from typing import IO

from cryptography.fernet import InvalidToken
from yarl import URL

from formwright.core.blobs import BlobStore, BlobStoreUnavailable, ReceivedBlob
from formwright.core.clock import rfc3339
from formwright.core.net.guarded_proxy import GuardedProxy, open_guarded_proxy
from formwright.core.net.guarded_resolver import ProxyTargetForbidden, SystemResolver, check_proxy_target
from formwright.core.net.http_client import NO_TUNNEL
from formwright.core.object_stores import BucketAccess, BucketUnavailable, open_bucket, open_folder
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.exports.models import Destination, DestinationType, Export, ExportRun
from formwright.domain.exports.owners import ExportRejected

TEST_FILE = "formwright-test.txt"
_RETRIES = 5
_S3_CODE = re.compile(r"<Code>([A-Za-z]{1,60})</Code>")
_STATUS = re.compile(r"status code: ([0-9]{3})")
_OS_ERROR = re.compile(r"os error ([0-9]+)")


def run_folder(run: ExportRun) -> str:
    """Return the name of the folder of a run, such as `20261125T050000Z-run_…`. Folders sort by time."""
    return f"{re.sub('[:-]|[.][0-9]+', '', rfc3339(run.through or run.created))}-{run.id}"


class DestinationWriter:
    """Writes files to a destination. Its methods raise `ExportRejected`."""

    def __init__(self, store: BlobStore, root: str, location: str, proxy: GuardedProxy | None) -> None:
        self._store, self._root, self._location, self._proxy = store, root, location, proxy

    async def put(self, path: str, file: IO[bytes]) -> None:
        """Write a file, whose path is relative to that of the destination."""
        with self._describe_errors("written to"):
            await self._store.put(self._key(path), ReceivedBlob(file))

    async def delete(self, path: str) -> None:
        """Delete a file, if it exists."""
        with self._describe_errors("deleted from"):
            await self._store.delete(self._key(path))

    async def clear(self, folder: str, first: str) -> None:
        """Delete what an interrupted run has written to a folder, beginning with the file `first`."""
        with self._describe_errors("deleted from"):
            await self._store.delete_all(self._key(folder), self._key(f"{folder}/{first}"))

    def _key(self, path: str) -> str:
        return f"{self._root}/{path}" if self._root else path

    @contextmanager
    def _describe_errors(self, action: str) -> Iterator[None]:
        if self._proxy:
            self._proxy.failure = ""
        try:
            yield
        except BlobStoreUnavailable as error:
            reason = (self._proxy and self._proxy.failure) or _describe(error.__cause__)
            raise ExportRejected(f"Files can’t be {action} {self._location}: {reason}.") from error


def _describe(error: BaseException | None) -> str:
    """Return what went wrong, without the body of a response, which may have anything."""
    text = str(error)
    if code := _S3_CODE.search(text):
        return f"the server responded with {code[1]}"
    if status := _STATUS.search(text):
        return f"the server responded with status {status[1]}"
    number = _OS_ERROR.search(text)
    if number or (isinstance(error, OSError) and error.errno):
        return os.strerror(int(number[1]) if number else getattr(error, "errno", 0)).lower()
    return "the connection failed or took too long"


@asynccontextmanager
async def open_destination(
    rules: DestinationRules, export: Export, *, retries: int = _RETRIES
) -> AsyncIterator[DestinationWriter | None]:
    """Open the destination of an export; yields None if it has none. Raises `ExportRejected`."""
    destination = export.settings.destination
    if destination is None:
        yield None
    elif destination.type is DestinationType.FOLDER:
        store = await asyncio.to_thread(_open_folder, rules, destination)
        # The accounts of the server share the folder.
        root = "/".join(part for part in (export.customer_id, destination.path) if part)
        try:
            yield DestinationWriter(store, root, destination.location(export.customer_id, ""), None)
        finally:
            await store.close()
    else:
        async with _open_bucket(rules, export, destination, retries) as writer:
            yield writer


def _open_folder(rules: DestinationRules, destination: Destination) -> BlobStore:
    base = rules.folders.get(destination.folder)
    # The folder is not created: it may be a mount point.
    if base is None or not base.is_dir():
        raise ExportRejected(f"The server no longer has the folder “{destination.folder}”. Choose another destination.")
    return open_folder(base)


@asynccontextmanager
async def _open_bucket(
    rules: DestinationRules, export: Export, destination: Destination, retries: int
) -> AsyncIterator[DestinationWriter]:
    access = _to_access(rules, export, destination)
    location = destination.location(export.customer_id, "")
    async with _open_proxy(rules, access, location) as (proxy_url, proxy):
        try:
            store = open_bucket(access, proxy_url, retries=retries)
        except BucketUnavailable as error:
            raise ExportRejected(str(error)) from error
        try:
            yield DestinationWriter(store, destination.path, location, proxy)
        finally:
            await store.close()


def _to_access(rules: DestinationRules, export: Export, destination: Destination) -> BucketAccess:
    try:
        secret = rules.secret_box.open(export.secret or "")
    except InvalidToken as error:
        raise ExportRejected("The secret access key was stored by another server. Enter it again.") from error
    return BucketAccess(destination.endpoint, destination.region, destination.bucket, destination.access_key_id, secret)


@asynccontextmanager
async def _open_proxy(
    rules: DestinationRules, access: BucketAccess, location: str
) -> AsyncIterator[tuple[str, GuardedProxy | None]]:
    """Yield the URL of the proxy for requests: the operator's, or one of our own."""
    if not rules.egress_proxy:
        async with open_guarded_proxy(rules.address_policy) as proxy:
            yield proxy.url, proxy
        return
    resolver = SystemResolver()
    try:
        await check_proxy_target(rules.address_policy, resolver, URL(access.url))
    except ProxyTargetForbidden as error:
        raise ExportRejected(f"Files can’t be written to {location}: {NO_TUNNEL}.") from error
    finally:
        resolver.close()
    yield rules.egress_proxy, None


async def verify_destination(rules: DestinationRules, export: Export) -> str:
    """Write a small file to the destination and delete it again. Returns a note, or an empty text.

    Raises `ExportRejected`.
    """
    async with open_destination(rules, export, retries=0) as writer:
        if writer is None:
            return ""
        with TemporaryFile() as file:
            file.write(b"Formwright has tested whether it can write here. You can delete this file.\n")
            await writer.put(TEST_FILE, file)
        try:
            await writer.delete(TEST_FILE)
        except ExportRejected as error:
            return f"{error} Without that permission, an interrupted run can’t be repeated."
    return ""
