"""Backups made while clients write, and their restore."""

import asyncio
import gzip
import os
import resource
import shutil
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from alembic import command as alembic
from backup.conftest import staged
from factories.files import FIELDS, listed, png, uploaded
from factories.forms import form
from factories.submissions import submission
from factories.subscribers import subscriber
from fixtures.app_contexts import create_tenant, open_migrated_context, settings_for
from fixtures.postgres import Server as Postgres

from formwright import migrations
from formwright.backup import create
from formwright.backup import restore as restore_module
from formwright.backup.archive import create_archive
from formwright.backup.create import back_up
from formwright.backup.database_lock import open_exclusively
from formwright.backup.models import FORMAT, BackupError, Manifest, secret_fingerprint
from formwright.backup.restore import RestoreOptions, restore
from formwright.core.db.sqlite import connect
from formwright.migrations import upgrading
from formwright.settings import Settings


def _nothing(what: str, done: int, total: int) -> None:
    del what, done, total


@pytest.fixture
def second(own_settings: Settings, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """The place for another installation: an empty database and no data folder."""
    url = ""
    if own_settings.is_postgres:
        server: Postgres = request.getfixturevalue("postgres_cluster")
        name = own_settings.database_url.rpartition("/")[2] + "_second"
        url = server.create_database(name)
    yield settings_for(tmp_path / "second", url)
    if own_settings.is_postgres:
        server.drop_database(name)


async def test_everything_acknowledged_before_a_backup_is_restored_and_works(
    own_settings: Settings, second: Settings, tmp_path: Path
) -> None:
    acknowledged: list[dict[str, Any]] = []
    async with staged(own_settings) as stage, stage.account() as account:
        new_archive = await form(account, fields=FIELDS)
        picture = await uploaded(account, new_archive, content=png(7))
        with_file = await submission(account, new_archive, data={"site": "Größe 🌊", "photos": [picture]})
        hook = await subscriber(account)
        before = [with_file, *[await submission(account, new_archive, data={"site": str(n)}) for n in range(20)]]
        backup = asyncio.create_task(asyncio.to_thread(asyncio.run, back_up(own_settings, tmp_path, _nothing)))
        while not backup.done():
            acknowledged.append(await submission(account, new_archive, data={"site": "during the backup"}))
        archive, manifest = await backup
    assert _mode(archive) == 0o600
    assert (manifest.contents, manifest.missing, len(acknowledged) > 0) == (1, [], True)
    assert not [name for name in _state(tmp_path) if name.startswith(".")]

    await restore(second, archive, RestoreOptions(), _nothing)
    async with staged(second) as stage, stage.client(**{"x-api-key": account.key}) as api:
        account.stage, account.api = stage, api
        for one in before:
            response = await api.get(f"/api/v1.0/customers/{account.id}/submissions/{one['id']}")
            assert response.json() == one
        (file,) = await listed(account, with_file["id"])
        assert (await api.get(file["url"])).content == png(7)
        # The key can be decrypted: the installation secret is the same.
        hooks = f"/api/v1.0/webhooks/customer/{account.id}/subscribers"
        rotated = await api.post(f"{hooks}/{hook['id']}/rotate-secret", json={})
        assert rotated.status_code == 200, rotated.text
        # Of the later submissions, the backup contains the first ones without a gap, with exactly their events.
        kept = {one["id"] for one in await _all(api, f"/submissions?formId={new_archive['id']}&limit=1000")}
        came = [one["id"] in kept for one in acknowledged]
        assert came == sorted(came, reverse=True)
        events = await _all(api, f"/webhooks/customer/{account.id}/events?type=submission.submitted&limit=1000")
        assert {event["data"]["id"] for event in events} == kept
        await submission(account, new_archive, data={"site": "afterwards"})


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def _all(api: Any, path: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    next_ = "/api/v1.0" + path
    while next_:
        answer = (await api.get(next_)).json()
        items, next_ = [*items, *answer["items"]], answer["next"]
    return items


@pytest.fixture
async def archive(tmp_path: Path) -> Path:
    """A backup of a small installation in `one`, which does not run."""
    settings = settings_for(tmp_path / "one")
    async with open_migrated_context(settings) as ctx:
        await (await create_tenant(ctx)).submit()
    path, _ = await back_up(settings, tmp_path / "kept.tar", _nothing)
    return path


def _state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def _refused(settings: Settings, archive: Path, words: str, *, wish: RestoreOptions | None = None) -> None:
    """Assert that the restore is refused with these words and changes nothing."""
    before = _state(settings.data_dir)
    with pytest.raises(BackupError, match=words):
        await restore(settings, archive, wish or RestoreOptions(), _nothing)
    assert _state(settings.data_dir) == before


async def test_a_damaged_backup_is_not_restored(archive: Path, tmp_path: Path) -> None:
    target, whole = settings_for(tmp_path / "two"), _state(tmp_path)["kept.tar"]
    with tarfile.open(archive) as tar:
        at = tar.getmember("database.sqlite3").offset_data + 5000
    broken = tmp_path / "broken.tar"
    for content, words in {
        whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]: "damaged: database.sqlite3",
        whole[: at + 4000]: "cannot be read|is incomplete",
        whole[: whole.rindex(b"manifest.json")]: "is incomplete|cannot be read",
        b"": "cannot be read|is incomplete",
        b"not an archive" * 100: "cannot be read",
    }.items():
        broken.write_bytes(content)
        await _refused(target, broken, words)
    await _refused(target, tmp_path / "nowhere.tar", "cannot be read as a backup: No such file")
    assert not target.data_dir.exists()


async def test_an_archive_cannot_write_outside_the_target(tmp_path: Path) -> None:
    for name in ("../escaped", "/etc/escaped", "tls/../../escaped", "secret.key/..", "other", "files/a\\b"):
        with tarfile.open(tmp_path / "strange.tar", "w") as tar:
            tar.addfile(tarfile.TarInfo(name))
        await _refused(settings_for(tmp_path / "two"), tmp_path / "strange.tar", "not a Formwright backup")


async def test_nothing_is_overwritten_without_the_option(archive: Path, tmp_path: Path) -> None:
    here = settings_for(tmp_path / "one")
    with pytest.raises(BackupError, match="already"):
        await back_up(here, archive, _nothing)
    await _refused(here, archive, "--replace")
    async with open_migrated_context(here) as ctx:
        await _refused(here, archive, "in use", wish=RestoreOptions(replace=True))
        await (await create_tenant(ctx)).submit()
        async with ctx.db.reading() as tx:
            assert await tx.fetch_one("SELECT count(*) FROM submissions") == (2,)
    _, aside = await restore(here, archive, RestoreOptions(replace=True), _nothing)
    assert aside
    assert (aside / "secret.key").read_bytes() == (here.data_dir / "secret.key").read_bytes()
    for folder, count in ((here.data_dir, 1), (aside, 2)):
        connection = connect(folder / "formwright.sqlite3")
        assert connection.execute("SELECT count(*) FROM submissions").fetchone() == (count,)
        connection.close()


async def test_the_remains_of_a_killed_backup_are_recognised_by_name(archive: Path, tmp_path: Path) -> None:
    seen: set[str] = set()
    folder = tmp_path / "nightly"
    folder.mkdir()
    await back_up(settings_for(tmp_path / "one"), folder, lambda *_: seen.update(one.name for one in folder.iterdir()))
    assert len(seen) == 2
    assert all(name.startswith(".formwright-") and name.endswith(".part") for name in seen)


async def test_the_next_restore_removes_the_remains_of_a_killed_one(archive: Path, tmp_path: Path) -> None:
    here = settings_for(tmp_path / "one")
    left = here.data_dir / ".restoring-abc"
    (left / "files").mkdir(parents=True)
    (left / "files" / "half").write_bytes(bytes(100))
    await _refused(here, archive, "--replace")
    assert left.exists()
    await restore(here, archive, RestoreOptions(replace=True), _nothing)
    assert not list(here.data_dir.glob(".restoring-*"))


async def test_a_database_url_may_lack_a_host_and_its_password_is_never_shown(
    postgres_cluster: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = urlsplit(postgres_cluster.create_database("named"))
    url = f"postgresql:///named?host={own.hostname}&port={own.port}&password=hunter2&user={own.username}"
    settings, log_path = settings_for(tmp_path / "one", url), tmp_path / "told"
    real, asked = shutil.which("pg_dump"), tmp_path / "pg_dump"
    asked.write_text(f'#!/bin/sh\necho "$@" >{log_path}\nexec {real} "$@"\n')
    asked.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    async with open_migrated_context(settings) as ctx:
        await (await create_tenant(ctx)).submit()
    path, manifest = await back_up(settings, tmp_path / "kept.tar", _nothing)
    assert manifest.database == "database.dump"
    assert "hunter2" not in log_path.read_text()
    with pytest.raises(BackupError, match="not empty"):
        await restore(replace(settings, data_dir=tmp_path / "two"), path, RestoreOptions(), _nothing)
    postgres_cluster.drop_database("named")


async def test_damaged_data_is_moved_aside(archive: Path, tmp_path: Path) -> None:
    here = settings_for(tmp_path / "one")
    sound, log = here.sqlite_path.read_bytes(), here.sqlite_path.with_name(here.sqlite_path.name + "-wal")
    for wreck in (bytes(4096) + sound[4096:], sound[:5000], sound[:4096] + b"\xa5" * 100_000, b"", b"no database"):
        here.sqlite_path.write_bytes(wreck)
        log.write_bytes(b"\xa5" * 5000)
        _, aside = await restore(here, archive, RestoreOptions(replace=True), _nothing)
        assert aside
        assert (aside / here.sqlite_path.name).exists()
        assert not log.exists()
        connection = connect(here.sqlite_path)
        assert connection.execute("SELECT count(*) FROM submissions").fetchone() == (1,)
        connection.close()


async def test_a_restore_that_fails_at_the_end_leaves_the_old_data(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path) -> None:
        raise OSError(5, "Input/output error", str(folder))

    monkeypatch.setattr(restore_module, "fsync_folder", fail)
    here = settings_for(tmp_path / "one")
    before = _state(here.data_dir).keys()
    with pytest.raises(BackupError, match="Input/output error"):
        await restore(here, archive, RestoreOptions(replace=True), _nothing)
    assert _state(here.data_dir).keys() == before
    async with open_migrated_context(here) as ctx, ctx.db.reading() as tx:
        assert await tx.fetch_one("SELECT count(*) FROM submissions") == (1,)


@pytest.mark.slow
async def test_a_truncated_file_does_not_stop_a_backup(own_settings: Settings, tmp_path: Path) -> None:
    async with staged(own_settings) as stage, stage.account() as account:
        archive = await form(account, fields=FIELDS)
        photo = await uploaded(account, archive, content=png(7))
        await submission(account, archive, data={"site": "here", "photos": [photo]})
        [content] = [path for path in own_settings.files_folder.rglob("*") if path.is_file()]
        for left in (b"", png(7)[:10]):
            content.write_bytes(left)
            _, manifest = await back_up(own_settings, tmp_path / f"{len(left)}.tar", _nothing)
            assert len(manifest.missing) == 1


async def test_an_open_database_is_not_exclusive(archive: Path, tmp_path: Path) -> None:
    here = settings_for(tmp_path / "one")
    async with open_migrated_context(here):
        with pytest.raises(BackupError, match="Stop Formwright"), open_exclusively(here.sqlite_path):
            pass
    with open_exclusively(here.sqlite_path):
        pass


async def test_the_installation_secret_must_match_the_backup(tmp_path: Path) -> None:
    own = replace(settings_for(tmp_path / "one"), secret_key="a" * 40)
    async with open_migrated_context(own):
        pass
    path, _ = await back_up(own, tmp_path / "kept.tar.gz", _nothing)
    assert b"a" * 40 not in gzip.decompress(path.read_bytes())
    target = settings_for(tmp_path / "two")
    await _refused(target, path, "FORMWRIGHT_SECRET_KEY")
    await _refused(replace(target, secret_key="b" * 40), path, "differs from yours")
    await restore(replace(target, secret_key="a" * 40), path, RestoreOptions(), _nothing)
    await restore(settings_for(tmp_path / "three"), path, RestoreOptions(without_secret=True), _nothing)


async def test_an_older_secret_does_not_count_as_the_backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = settings_for(tmp_path / "one")
    own = replace(folder, secret_key="a" * 40)
    for settings in (folder, own):
        async with open_migrated_context(settings):
            pass
    assert (own.data_dir / "secret.key").exists()
    path, manifest = await back_up(own, tmp_path / "kept.tar", _nothing)
    assert "secret.key" not in manifest.entries
    # Earlier releases included it.
    monkeypatch.setattr(create, "has_secret", lambda folder, mark: True)
    earlier, manifest = await back_up(own, tmp_path / "earlier.tar", _nothing)
    assert "secret.key" in manifest.entries
    target = settings_for(tmp_path / "two")
    for one in (path, earlier):
        with pytest.raises(BackupError, match="FORMWRIGHT_SECRET_KEY"):
            await restore(target, one, RestoreOptions(), _nothing)
        assert not _state(target.data_dir)
    await restore(replace(target, secret_key="a" * 40), earlier, RestoreOptions(), _nothing)


async def test_an_older_backup_is_migrated_and_a_newer_one_refused(tmp_path: Path) -> None:
    old = settings_for(tmp_path / "one")
    connection = connect(old.sqlite_path)
    connection.close()
    await upgrading.run_in_transaction(old, lambda tables: alembic.upgrade(upgrading.alembic_config(tables), "0020"))
    (old.data_dir / "secret.key").write_text("s" * 64)
    path, manifest = await back_up(old, tmp_path / "old.tar", _nothing)
    assert manifest.revision == "0020"
    target = settings_for(tmp_path / "two")
    await restore(target, path, RestoreOptions(), _nothing)
    here, newest = await migrations.current(target)
    assert here == newest
    assert (await migrations.current(old))[0] == "0020"

    connection = connect(old.sqlite_path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    path, _ = await back_up(old, tmp_path / "new.tar", _nothing)
    await _refused(settings_for(tmp_path / "three"), path, "install that version")


@contextmanager
def _full(size: int) -> Iterator[None]:
    """Limit the size of files of this process, like a full disk does."""
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, was[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)


async def test_a_full_disk_leaves_nothing_behind(archive: Path, tmp_path: Path) -> None:
    here, place = settings_for(tmp_path / "one"), tmp_path / "full"
    place.mkdir()
    with tarfile.open(archive) as tar:
        database = max(member.size for member in tar)
    for size, words in {100_000: "cannot be copied", database + 512: "cannot be written"}.items():
        with _full(size), pytest.raises(BackupError, match=words):
            await back_up(here, place / "backup.tar", _nothing)
        assert _state(place) == {}
    with _full(100_000):
        await _refused(settings_for(tmp_path / "two"), archive, "Not restored")


async def test_a_database_that_cannot_be_loaded_leaves_the_data_folder_unchanged(
    postgres_cluster: Postgres, tmp_path: Path, worker_id: str
) -> None:
    secret, path = "s" * 64, tmp_path / "bad.tar"
    (tmp_path / "secret").write_text(secret)
    (tmp_path / "dump").write_text("not a dump")
    with create_archive(path) as archive:
        archive.add_path("database.dump", tmp_path / "dump")
        archive.add_path("secret.key", tmp_path / "secret")
        archive.write_manifest(
            Manifest(
                format=FORMAT,
                made="",
                version="",
                revision="",
                secret=secret_fingerprint(secret),
                entries=archive.entries,
            )
        )
    name = f"load_{worker_id}"
    target = settings_for(tmp_path / "one", postgres_cluster.create_database(name))
    target.data_dir.mkdir()
    (target.data_dir / "secret.key").write_text("old" * 20)
    await _refused(target, path, "pg_restore failed", wish=RestoreOptions(replace=True))
    assert list(_state(target.data_dir)) == ["secret.key"]
    await migrations.upgrade(target)
    await _refused(target, path, "is not empty", wish=RestoreOptions(replace=True))
    postgres_cluster.drop_database(name)
