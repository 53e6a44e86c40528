"""Storage of file contents, in a folder or in an S3 bucket.

`obstore` is called from a thread pool of its own. Its asyncio API occasionally ends the process with SIGABRT if the
interpreter stops while a call completes, and the threads that commit to SQLite must not wait for a bucket.
"""

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, TypeVar
from urllib.parse import unquote, urlsplit

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from formwright.core.data_folder import make_private_folder
from formwright.core.errors import DomainError, NotFound, Unavailable
from formwright.core.free_space import FreeSpace

HEAD = 64 * 1024
_THREADS = 16
_CHUNK = 1024 * 1024
_MIN_JOINED = 256 * 1024
_MIB = 1024 * 1024
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")

T = TypeVar("T")
log = structlog.get_logger()


class ContentTooLarge(DomainError):
    """The content exceeds the limit."""

    code = "file.too_large"
    detail = "The file is too large."


class ContentMissing(NotFound):
    """The content does not exist or has been lost."""

    code = "file.content_missing"
    detail = "The content of this file no longer exists."


class BlobStoreUnavailable(Unavailable):
    """The folder or bucket reports an error."""

    code = "files.unavailable"
    detail = "Files cannot be stored or read right now. Nothing was changed. Try again in a moment."


class ReceivedBlob:
    """A completely received content in a temporary file. `hash` is the SHA-256 in hex; `head` is the first 64 KiB."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.size, self.head = file, 0, b""
        self._digest = hashlib.sha256()

    def append(self, chunk: bytes) -> None:
        """Write the next chunk."""
        self.file.write(chunk)
        self._digest.update(chunk)
        self.size += len(chunk)
        if len(self.head) < HEAD:
            self.head += chunk[: HEAD - len(self.head)]

    @property
    def hash(self) -> str:
        return self._digest.hexdigest()


class BlobStore:
    """Stores contents under keys. The content of a key never changes until it is deleted."""

    def __init__(self, store: ObjectStore, folder: Path | None = None, space: FreeSpace | None = None) -> None:
        self._store, self._folder, self.space = store, folder, space
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="files")

    @asynccontextmanager
    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> AsyncIterator[ReceivedBlob]:
        """Receive a content into an anonymous temporary file, which disappears with the block or the process.

        Raises `ContentTooLarge`, but only after reading up to twice the limit, because a client whose upload is cut off
        does not read the response. Raises `StorageFull` if the folder has too little free space.
        """
        if self.space:
            self.space.check()
        with await self._open_temporary() as file:
            received = ReceivedBlob(file)
            async for chunk in _join_chunks(chunks, 2 * limit):
                if received.size <= limit:
                    await self._run(received.append, chunk)
            if received.size > limit:
                raise ContentTooLarge(f"A file may have at most {limit // _MIB} MiB.")
            yield received

    async def _open_temporary(self) -> IO[bytes]:
        opening: asyncio.Future[IO[bytes]] = asyncio.ensure_future(self._run(self._create_temporary))
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The thread still creates the file, which nobody would close.
            opening.add_done_callback(_close)
            raise

    def _create_temporary(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=self._folder)

    async def put(self, key: str, received: ReceivedBlob) -> None:
        """Store the content atomically. When this returns, it is durable."""
        await self._run(self._put, key, received.file)

    def _put(self, key: str, file: IO[bytes]) -> None:
        file.seek(0)
        obstore.put(self._store, key, file, max_concurrency=4)
        if self._folder:
            _fsync_path(self._folder, self._folder / key)

    async def read(self, key: str, start: int, stop: int) -> AsyncGenerator[bytes, None]:
        """Return an iterator over the bytes from `start` to `stop` (exclusive). Raises `ContentMissing` right away."""
        return self._chunks(await self._run(self._get, key, start, stop))

    def _get(self, key: str, start: int, stop: int) -> Iterator[bytes]:
        if start >= stop:
            # Stores refuse an empty range, but an export without rows is an empty file.
            if not self._exists(key):
                raise ContentMissing()
            return iter(())
        try:
            got = obstore.get(self._store, key, options={"range": (start, stop)})
        except FileNotFoundError as error:
            raise ContentMissing() from error
        except BaseError as error:
            # A content that was truncated before `start` does not have this range.
            if obstore.head(self._store, key)["size"] <= start:
                raise ContentMissing() from error
            raise
        return iter(got.stream(min_chunk_size=_CHUNK))

    async def _chunks(self, chunks: Iterator[bytes]) -> AsyncGenerator[bytes, None]:
        while chunk := await self._run(next, chunks, b""):
            yield bytes(chunk)

    async def exists(self, key: str) -> bool:
        """Return whether there is a content with this key."""
        return await self._run(self._exists, key)

    def _exists(self, key: str) -> bool:
        try:
            obstore.head(self._store, key)
        except FileNotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        """Delete the content, if it exists."""
        await self._run(self._delete, key)

    def _delete(self, key: str) -> None:
        if self._folder:
            # obstore writes to a file beside the final one and renames it. A killed process leaves that file behind.
            path = self._folder / key
            for partial in path.parent.glob(f"{path.name}#*"):
                partial.unlink(missing_ok=True)
        try:
            obstore.delete(self._store, key)
        except FileNotFoundError:
            return

    async def delete_all(self, prefix: str, first: str) -> None:
        """Delete all contents whose keys begin with `prefix/`, beginning with the key `first`."""
        await self._run(self._delete_all, prefix, first)

    def _delete_all(self, prefix: str, first: str) -> None:
        self._delete(first)
        if self._folder:
            shutil.rmtree(self._folder / prefix, ignore_errors=True)
            return
        for batch in obstore.list(self._store, prefix):
            obstore.delete(self._store, [found["path"] for found in batch])

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        except (BaseError, OSError) as error:
            # The first line describes the error; the others are details for the authors of the library.
            log.warning("file storage unavailable", why=str(error).partition("\n")[0])
            raise BlobStoreUnavailable() from error

    async def close(self) -> None:
        """Wait for running operations."""
        await asyncio.to_thread(self._threads.shutdown)


def _close(opening: asyncio.Future[IO[bytes]]) -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


async def _join_chunks(chunks: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes]:
    """Join chunks until they are worth a call to another thread. Stops soon after `limit` bytes."""
    pending, size, total = [], 0, 0
    async for chunk in chunks:
        pending.append(chunk)
        size += len(chunk)
        if size >= _MIN_JOINED:
            yield b"".join(pending)
            total, pending, size = total + size, [], 0
        if total > limit:
            return
    yield b"".join(pending)


def open_blob_store(url: str, default: Path, space: Callable[[Path], FreeSpace] | None = None) -> BlobStore:
    """Open the store at `s3://bucket/prefix`, `file:///folder` or a folder; at `default` if the URL is empty.

    The region, endpoint and credentials of a bucket come from the usual `AWS_…` variables. `space` creates the guard of
    a folder's free space. Raises `OSError` if the folder cannot be created.
    """
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return BlobStore(_bucket(parts.netloc, parts.path.strip("/")))
    folder = Path(unquote(parts.path)) if parts.scheme == "file" else Path(url) if url else default
    make_private_folder(folder)
    return BlobStore(LocalStore(folder), folder.resolve(), space(folder) if space else None)


def _bucket(name: str, prefix: str) -> S3Store:
    # The total timeout is long, because a download takes as long as its client reads. The read timeout detects a
    # bucket that stalls.
    return S3Store(
        name,
        prefix=prefix or None,
        client_options={
            # An endpoint without TLS is the operator's explicit choice, for a private network.
            "allow_http": any(os.environ.get(name, "").startswith("http://") for name in _ENDPOINTS),
            "connect_timeout": timedelta(seconds=5),
            "read_timeout": timedelta(seconds=30),
            "timeout": timedelta(hours=1),
        },
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=30)},
    )


def _fsync_path(root: Path, path: Path) -> None:
    """Flush the file to disk, and the entries of its parent folders up to `root`."""
    for current in (path, *path.parents):
        descriptor = os.open(current, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if current == root:
            return
