"""The blob store in a real folder, and the settings of its location."""

import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import obstore.store
import pytest

from formwright.bootstrap import open_context
from formwright.core.blobs import (
    HEAD,
    BlobStore,
    BlobStoreUnavailable,
    ContentMissing,
    ContentTooLarge,
    open_blob_store,
)
from formwright.settings import Settings, SettingsError


async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def keep(contents: BlobStore, place: str, *parts: bytes) -> None:
    async with contents.receive(pieces(*parts), 1 << 30) as arrived:
        await contents.put(place, arrived)


async def read(contents: BlobStore, place: str, start: int, stop: int) -> bytes:
    return b"".join([chunk async for chunk in await contents.read(place, start, stop)])


def list_stored(folder: Path) -> list[str]:
    """Return the names of all files and folders in the folder, recursively."""
    return sorted(path.name for path in folder.rglob("*"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "files"


@pytest.fixture
async def contents(folder: Path) -> AsyncIterator[BlobStore]:
    opened = open_blob_store("", folder)
    yield opened
    await opened.close()


async def test_received_bytes_are_counted_and_hashed(contents: BlobStore) -> None:
    whole = os.urandom(HEAD + 5000)
    async with contents.receive(pieces(whole[:1000], b"", whole[1000:]), len(whole)) as arrived:
        assert (arrived.size, arrived.hash) == (len(whole), hashlib.sha256(whole).hexdigest())
        assert arrived.head == whole[:HEAD]


async def test_stored_content_is_read_whole_and_in_ranges(contents: BlobStore) -> None:
    whole = os.urandom(12 << 20)
    await keep(contents, "cus/ab/x-1", whole[: 6 << 20], whole[6 << 20 :])
    assert await read(contents, "cus/ab/x-1", 0, len(whole)) == whole
    assert await read(contents, "cus/ab/x-1", 3, 1_500_000) == whole[3:1_500_000]
    assert await contents.exists("cus/ab/x-1")


async def test_empty_content_is_read_but_missing_content_is_not(contents: BlobStore) -> None:
    await keep(contents, "cus_1/empty", b"")
    assert await read(contents, "cus_1/empty", 0, 0) == b""
    with pytest.raises(ContentMissing):
        await contents.read("cus_1/other", 0, 0)


async def test_deleting_content_is_idempotent_and_removes_remains(contents: BlobStore, folder: Path) -> None:
    await keep(contents, "cus/ab/x-1", b"x")
    await keep(contents, "cus/ab/x-10", b"neighbour")
    (folder / "cus/ab/x-1#1").write_bytes(b"what a killed process left")
    for _ in range(2):
        await contents.delete("cus/ab/x-1")
    await contents.delete("cus/zz/never")
    assert not await contents.exists("cus/ab/x-1")
    assert list_stored(folder) == ["ab", "cus", "x-10"]
    with pytest.raises(ContentMissing):
        await contents.read("cus/ab/x-1", 0, 1)


async def test_content_that_is_too_large_is_rejected_without_reading_all_of_it(
    contents: BlobStore, folder: Path
) -> None:
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while True:
            taken += 1000
            yield bytes(1000)

    with pytest.raises(ContentTooLarge):
        async with contents.receive(endless(), 10_000):
            pass
    assert 10_000 < taken < 1_000_000
    assert list_stored(folder) == []


async def test_received_content_is_in_an_unnamed_file(contents: BlobStore, folder: Path) -> None:
    async with contents.receive(pieces(b"x" * 100_000), 1 << 20):
        assert list_stored(folder) == []


async def test_a_missing_folder_is_reported_as_unavailable(contents: BlobStore, folder: Path) -> None:
    shutil.rmtree(folder)
    with pytest.raises(BlobStoreUnavailable):
        await keep(contents, "cus/ab/x-1", b"x")


@pytest.mark.parametrize("name", ["", "pläce with space"])
async def test_a_folder_is_given_as_a_path_or_url(tmp_path: Path, name: str) -> None:
    place = tmp_path / name / "kept"
    for url in (str(place), place.as_uri()):
        contents = open_blob_store(url, tmp_path / "unused")
        await keep(contents, "x", b"x")
        assert (place / "x").read_bytes() == b"x"
        await contents.close()
    assert not (tmp_path / "unused").exists()


async def test_a_bucket_is_given_with_its_prefix() -> None:
    contents = open_blob_store("s3://forms/north/files/", Path("unused"))
    store = contents._store
    assert isinstance(store, obstore.store.S3Store)
    assert (store.config["bucket"], store.prefix) == ("forms", "north/files")
    await contents.close()


async def test_a_bucket_that_does_not_respond_is_reported_as_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bytes] = []

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for name, value in {"ACCESS_KEY_ID": "id", "SECRET_ACCESS_KEY": "secret", "REGION": "eu-west-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    contents = open_blob_store("s3://forms/north", Path("unused"))
    with pytest.raises(BlobStoreUnavailable):
        await keep(contents, "cus/x", b"x")
    assert calls[0] == b"PUT /forms/north/cus/x HTTP/1.1\r\n"
    with pytest.raises(BlobStoreUnavailable):
        await contents.exists("x")
    await contents.close()
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("url", ["", "files", "/srv/files", "file:///srv/files", "s3://bucket", "s3://bucket/a/b"])
def test_valid_files_urls(url: str) -> None:
    assert Settings.from_environment({"FORMWRIGHT_FILES_URL": url}).files_url == url


@pytest.mark.parametrize(
    "url", ["s3://", "s3:bucket", "file://host/srv", "file:srv", "gs://bucket", "https://x.example", "s3://b?x=1"]
)
def test_invalid_files_urls(url: str) -> None:
    with pytest.raises(SettingsError, match="FORMWRIGHT_FILES_URL"):
        Settings.from_environment({"FORMWRIGHT_FILES_URL": url})


async def test_a_folder_that_cannot_be_created_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    settings = Settings(data_dir=tmp_path / "data", files_url=str(tmp_path / "taken" / "files"))
    with pytest.raises(SettingsError, match="cannot be created"):
        async with open_context(settings):
            pass


def test_a_process_that_has_just_used_the_store_exits_normally(tmp_path: Path) -> None:
    """With obstore's asyncio API, about one in two of these processes ends with SIGABRT."""
    program = f"""
import asyncio, pathlib
from formwright.core.blobs import open_blob_store

async def main():
    contents = open_blob_store("", pathlib.Path({str(tmp_path)!r}))
    for _ in range(200):
        await contents.exists("nothing")

asyncio.run(main())
"""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ends = [subprocess.run([sys.executable, "-c", program], env=env, check=False).returncode for _ in range(8)]
    assert ends == [0] * 8


async def test_a_temporary_file_is_closed_if_its_request_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go, created = threading.Event(), threading.Event(), list[Any]()
    real = tempfile.TemporaryFile

    def slowly(**where: Any) -> Any:
        started.set()
        go.wait(30)
        created.append(real(**where))
        return created[0]

    monkeypatch.setattr(tempfile, "TemporaryFile", slowly)
    contents = open_blob_store("", tmp_path)
    receiving = asyncio.create_task(contents.receive(pieces(), 10).__aenter__())
    await asyncio.to_thread(started.wait, 30)
    receiving.cancel()
    await asyncio.gather(receiving, return_exceptions=True)
    go.set()
    await contents.close()
    await asyncio.sleep(0.05)
    assert [file.closed for file in created] == [True]
