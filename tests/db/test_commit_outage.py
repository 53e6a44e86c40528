"""PostgreSQL stops or hangs during a commit: no unknown outcome is reported as known."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from backup.conftest import staged
from factories.forms import form
from factories.requests import PREFIX
from fixtures.app_contexts import create_tenant, open_migrated_context, settings_for
from fixtures.loopback_server import Loopback
from fixtures.postgres import Cluster

from formwright.core.db import group_commit
from formwright.core.db.interface import DatabaseBusy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Any:
    with Cluster() as own:
        yield own


class LosesCommitResponse(Loopback):
    """A proxy in front of the server. Once `cut` is set, it passes the next COMMIT on and drops the response."""

    def __init__(self, to: int) -> None:
        super().__init__()
        self._to, self.cut = to, False

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_connection("127.0.0.1", self._to)
        lost = asyncio.Event()

        async def ask() -> None:
            while piece := await reader.read(65536):
                if self.cut and b"COMMIT;" in piece:
                    self.cut = False
                    lost.set()
                out.write(piece)

        async def answer() -> None:
            while piece := await there.read(65536):
                if lost.is_set():
                    return
                writer.write(piece)

        await asyncio.wait([asyncio.create_task(ask()), asyncio.create_task(answer())], return_when="FIRST_COMPLETED")
        out.close()


async def test_a_writer_that_loses_the_response_to_a_commit_gets_an_error(cluster: Cluster, tmp_path: Path) -> None:
    url = cluster.create_database("cut")
    async with LosesCommitResponse(cluster.port) as way:
        settings = settings_for(tmp_path, url.replace(f":{cluster.port}/", f":{way.port}/"))
        async with open_migrated_context(settings) as ctx:
            account = await create_tenant(ctx)
            await account.submit()
            way.cut = True
            with pytest.raises(DatabaseBusy, match="may or may not have been saved"):
                await account.submit()
            way.cut = True
            with pytest.raises(DatabaseBusy, match="may or may not have been saved"):
                async with ctx.db.writing() as tx:
                    await tx.execute("UPDATE customers SET name = 'Cut' WHERE customer_id = $1", account.id)
            async with ctx.db.reading() as tx:
                assert await tx.fetch("SELECT name FROM customers") == [("Cut",)]
                assert await tx.fetch_one("SELECT count(*) FROM submissions") == (2,)


@pytest.mark.parametrize("pooler", ["session", "transaction"])
async def test_a_retry_during_the_commit_of_an_abandoned_request_is_done_once(
    cluster: Cluster, tmp_path: Path, pooler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(tmp_path, cluster.create_database(pooler))
    stopped: list[int] = []
    done = group_commit.GroupedWriter.complete

    async def wait_in_group(writer: Any, hooks: Any) -> None:
        # It has done its part and waits for the others; then the server hangs.
        await done(writer, hooks)
        if not stopped:
            stopped.append(writer._raw._connection.get_server_pid())
            os.kill(stopped[0], signal.SIGSTOP)

    async with staged(replace(settings, request_s=2, database_pooler=pooler)) as stage, stage.account() as account:
        made = await form(account)
        path = f"{PREFIX}/customers/{account.id}/forms/{made['id']}/submissions"

        async def send() -> Any:
            return await account.api.post(path, json={"data": {"site": "A"}}, headers={"idempotency-key": "K-1"})

        monkeypatch.setattr(group_commit.GroupedWriter, "complete", wait_in_group)
        given_up = await send()
        again = await send()
        os.kill(stopped[0], signal.SIGCONT)
        codes = [answer.json()["code"] for answer in (given_up, again)]
        assert codes == ["request.timeout", "idempotency.running"]
        while (last := await send()).status_code != 201:
            assert last.json()["code"] == "idempotency.running"
        assert last.headers["idempotent-replayed"] == "true"
        async with stage.ctx.db.reading() as tx:
            assert await tx.fetch_one("SELECT count(*) FROM submissions") == (1,)
