"""A full disk: writes that would fill it are refused, readiness reports it, and both end when space is free again."""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from actors import Account, Stage
from factories.files import FIELDS, png, post
from factories.forms import form
from factories.submissions import submission
from fixtures.app_contexts import settings_for
from fixtures.postgres import Cluster

from formwright import migrations
from formwright.app import create_app
from formwright.core import free_space
from formwright.core.db import disk_full
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

pytestmark = pytest.mark.slow

MIB = 1024 * 1024
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small filesystem")


@contextmanager
def _small_disk(mib: int, owner: str = "root") -> Iterator[Path]:
    # Not below pytest's own folder, because other users, like PostgreSQL's, cannot enter it.
    folder = Path(tempfile.mkdtemp(prefix="formwright-small-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", folder], check=True)
    try:
        shutil.chown(folder, owner, owner)
        folder.chmod(0o700)
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


@asynccontextmanager
async def _running(settings: Settings) -> AsyncIterator[Stage]:
    await migrations.upgrade(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")


def _fill(folder: Path) -> Path:
    filler = folder / "filler"
    with filler.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(64 * 1024))
            file.flush()
    return filler


async def _ready(stage: Stage) -> tuple[int, dict[str, Any]]:
    async with stage.client() as http:
        assert (await http.get("/health/live")).status_code == 200
        response = await http.get("/health/ready")
        return response.status_code, response.json()["parts"]


@pytest.fixture(autouse=True)
def _disable_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_space, "_CHECK_INTERVAL_S", 0.0)
    monkeypatch.setattr(disk_full, "_AGAIN_S", 0.0)


@needs_root
async def test_readiness_reports_a_full_data_folder_until_space_is_free_again() -> None:
    with _small_disk(24) as folder:
        async with _running(replace(settings_for(folder), min_free_mib=0)) as stage, stage.account() as account:
            new_form = await form(account, fields=FIELDS)
            assert await _ready(stage) == (200, {"database": "ok", "files": "ok", "disk": "ok"})
            filler = _fill(folder)
            assert await _ready(stage) == (503, {"database": "ok", "files": "ok", "disk": "unavailable"})
            assert (await post(account, new_form, "photos", png() + bytes(MIB), "image/png")).status_code == 503
            filler.unlink()
            assert (await _ready(stage))[0] == 200
            assert (await post(account, new_form, "photos", png(), "image/png")).status_code == 201


@needs_root
async def test_readiness_reports_a_full_disk_of_postgresql(tmp_path: Path) -> None:
    with _small_disk(40, "postgres") as disk, Cluster() as cluster:
        admin = await asyncpg.connect(cluster.url())
        await admin.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
        await admin.execute("CREATE DATABASE formwright TABLESPACE small")
        await admin.close()
        settings = settings_for(tmp_path, cluster.url("formwright"))
        async with _running(settings) as stage, stage.account() as account:
            new_form = await form(account)
            filler = _fill(disk)
            statuses = await _submit_until_refused(account, new_form)
            assert 503 in statuses
            assert statuses <= {201, 503}, "never a 500"
            code, parts = await _ready(stage)
            assert (code, parts["database"], parts["disk"]) == (503, "unavailable", "ok")
            assert (await account.api.get("/api/v1.0/submissions?limit=1")).status_code == 200
            filler.unlink()
            assert (await _ready(stage))[0] == 200
            await submission(account, new_form)


async def _submit_until_refused(account: Account, form: dict[str, Any]) -> set[int]:
    path, statuses = f"/api/v1.0/customers/{account.id}/forms/{form['id']}/submissions", set[int]()
    for _ in range(400):
        # Incompressible: PostgreSQL would find space for it otherwise.
        response = await account.api.post(path, json={"data": {"site": secrets.token_hex(2000)}})
        statuses.add(response.status_code)
        if response.status_code >= 500:
            break
    return statuses


async def test_with_too_little_free_space_only_uploads_and_submissions_are_refused(own_settings: Settings) -> None:
    least = shutil.disk_usage(own_settings.data_dir).free // MIB + 100_000
    async with _running(replace(own_settings, min_free_mib=least)) as stage, stage.account() as account:
        new_form = await form(account, fields=FIELDS)
        upload = await post(account, new_form, "photos", png(), "image/png")
        assert (upload.status_code, upload.json()["code"], upload.headers["retry-after"]) == (503, "storage.full", "60")
        code, parts = await _ready(stage)
        assert (code, parts["disk"]) == (503, "unavailable")
        sent = await _send(stage, new_form)
        if own_settings.is_postgres:
            assert sent.status_code == 201, "the database is on another disk"
        else:
            assert (sent.status_code, sent.json()["code"]) == (503, "storage.full")
        assert (await account.api.get("/api/v1.0/submissions")).status_code == 200


async def _send(stage: Stage, form: dict[str, Any]) -> httpx.Response:
    body = {"versionId": form["publishedVersionId"], "data": {"site": "Pier"}}
    async with stage.client() as http:
        return await http.post(f"{form['fillPath']}/submissions/00000000-0000-4000-8000-000000000001", json=body)


@needs_root
def test_there_is_enough_space_again_a_tenth_above_the_minimum() -> None:
    with _small_disk(20) as folder:
        guard, found = free_space.FreeSpace(folder, 10 * MIB), list[bool]()
        for used in (9 * MIB, 11 * MIB, 19 * MIB // 2, 8 * MIB, 19 * MIB // 2):
            (folder / "filler").write_bytes(bytes(used))
            found.append(guard.is_low)
        assert found == [False, True, True, False, False]
