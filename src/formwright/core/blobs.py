"""The contents of files: in a folder, or in an S3 bucket.

`obstore` is called from threads of our own. Its own asyncio calls end a process with SIGABRT now and then, when the
interpreter stops just as one of them is done; and the threads in which SQLite commits must not wait for a bucket.
"""

import asyncio
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
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
    """More came than is taken."""

    code = "file.too_large"
    detail = "The file is too large."


class ContentMissing(NotFound):
    """It was here, or should be, and is not."""

    code = "file.content_missing"
    detail = "The content of this file is no longer there."


class BlobStoreUnavailable(Unavailable):
    """The folder or the bucket does not do as asked."""

    code = "files.unavailable"
    detail = "Files cannot be kept or read right now. Nothing was changed; try again in a moment."


class ReceivedBlob:
    """A content that came in whole and is kept nowhere yet; `hash` is its SHA-256 in hex, `head` its first 64 KiB."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.size, self.head = file, 0, b""
        self._digest = hashlib.sha256()

    def append(self, chunk: bytes) -> None:
        """Add what came next."""
        self.file.write(chunk)
        self._digest.update(chunk)
        self.size += len(chunk)
        if len(self.head) < HEAD:
            self.head += chunk[: HEAD - len(self.head)]

    @property
    def hash(self) -> str:
        return self._digest.hexdigest()


class BlobStore:
    """Keeps contents under the places that it is told. A place holds one content for good, until it is removed."""

    def __init__(self, store: ObjectStore, folder: Path | None = None, space: FreeSpace | None = None) -> None:
        self._store, self._folder, self.space = store, folder, space
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="files")

    @asynccontextmanager
    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> AsyncIterator[ReceivedBlob]:
        """What comes, in a file without a name: it is gone when the block is left, and when the process is killed.

        What is too large is let run on for as much again, and dropped: whoever is cut off while sending does not read
        why. `StorageFull` where the folder is short of space.
        """
        if self.space:
            self.space.check()
        with await self._nameless() as file:
            arrived = ReceivedBlob(file)
            async for piece in _join_chunks(chunks, 2 * limit):
                if arrived.size <= limit:
                    await self._run(arrived.append, piece)
            if arrived.size > limit:
                raise ContentTooLarge(f"A file may have at most {limit // _MIB} MiB.")
            yield arrived

    async def _nameless(self) -> IO[bytes]:
        making: asyncio.Future[IO[bytes]] = asyncio.ensure_future(self._run(self._make))
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            # A thread is making it, and nobody will take it.
            making.add_done_callback(_close)
            raise

    def _make(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=self._folder)

    async def put(self, key: str, arrived: ReceivedBlob) -> None:
        """Keep it, whole or not at all. When this returns, it outlives a power cut."""
        await self._run(self._put, key, arrived.file)

    def _put(self, key: str, file: IO[bytes]) -> None:
        file.seek(0)
        obstore.put(self._store, key, file, max_concurrency=4)
        if self._folder:
            _fsync_path(self._folder, self._folder / key)

    async def read(self, key: str, start: int, stop: int) -> AsyncIterator[bytes]:
        """The bytes from `start` up to `stop`. `ContentMissing` comes before the first of them is asked for."""
        return self._chunks(await self._run(self._get, key, start, stop))

    def _get(self, key: str, start: int, stop: int) -> Iterator[bytes]:
        try:
            got = obstore.get(self._store, key, options={"range": (start, stop)})
        except FileNotFoundError as error:
            raise ContentMissing() from error
        except BaseError as error:
            # What was cut off before `start` has no such range.
            if obstore.head(self._store, key)["size"] <= start:
                raise ContentMissing() from error
            raise
        return iter(got.stream(min_chunk_size=_CHUNK))

    async def _chunks(self, chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
        while chunk := await self._run(next, chunks, b""):
            yield bytes(chunk)

    async def exists(self, key: str) -> bool:
        """Whether there is a content at this place."""
        return await self._run(self._exists, key)

    def _exists(self, key: str) -> bool:
        try:
            obstore.head(self._store, key)
        except FileNotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        """Remove what is there; nothing being there is as well."""
        await self._run(self._delete, key)

    def _delete(self, key: str) -> None:
        if self._folder:
            # What a process left that was killed while it wrote: obstore writes beside the place, then renames.
            path = self._folder / key
            for left in path.parent.glob(f"{path.name}#*"):
                left.unlink(missing_ok=True)
        try:
            obstore.delete(self._store, key)
        except FileNotFoundError:
            return

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        except (BaseError, OSError) as error:
            # The first line says what is wrong; those behind it are for the library's authors.
            log.warning("the contents of files are out of reach", why=str(error).partition("\n")[0])
            raise BlobStoreUnavailable() from error

    async def close(self) -> None:
        """Wait for what is under way."""
        await asyncio.to_thread(self._threads.shutdown)


def _close(made: asyncio.Future[IO[bytes]]) -> None:
    if not made.cancelled() and made.exception() is None:
        made.result().close()


async def _join_chunks(chunks: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes]:
    """The chunks put together to what is worth the way to another thread; no more than a little over `limit`."""
    waiting, size, came = [], 0, 0
    async for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= _MIN_JOINED:
            yield b"".join(waiting)
            came, waiting, size = came + size, [], 0
        if came > limit:
            return
    yield b"".join(waiting)


def open_blob_store(url: str, default: Path, space: Callable[[Path], FreeSpace] | None = None) -> BlobStore:
    """The store that a setting names: `s3://bucket/prefix`, `file:///folder`, a folder, or nothing for `default`.

    The bucket's region, endpoint and keys come from the usual `AWS_…` variables. Raises `OSError` when the folder
    cannot be made. `space` makes the guard of a folder's free space.
    """
    parts = urlsplit(url)
    if parts.scheme == "s3":
        return BlobStore(_bucket(parts.netloc, parts.path.strip("/")))
    folder = Path(unquote(parts.path)) if parts.scheme == "file" else Path(url) if url else default
    make_private_folder(folder)
    return BlobStore(LocalStore(folder), folder.resolve(), space(folder) if space else None)


def _bucket(name: str, prefix: str) -> S3Store:
    """A download lasts as long as its reader takes; a bucket that stalls is noticed by the read timeout."""
    return S3Store(
        name,
        prefix=prefix or None,
        client_options={
            # Whoever names an endpoint without TLS, in a network of their own, means it.
            "allow_http": any(os.environ.get(name, "").startswith("http://") for name in _ENDPOINTS),
            "connect_timeout": timedelta(seconds=5),
            "read_timeout": timedelta(seconds=30),
            "timeout": timedelta(hours=1),
        },
        retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=30)},
    )


def _fsync_path(root: Path, path: Path) -> None:
    """Have the file written to the disk, and its name in each folder up to `root`."""
    for place in (path, *path.parents):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if place == root:
            return
