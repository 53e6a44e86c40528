"""What only PostgreSQL knows of writers that share a commit: several transactions at once, and connections that end."""

import asyncio
from collections import Counter

import pytest
from rig.notes import Notes, Other, write

from formwright.core.storage.database import Database, DatabaseBusy

_CUT = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def notes(notes_url: str) -> Notes:
    made = Notes(notes_url)
    await made.empty()
    return made


async def _write(db: Database, text: str, account: str = "one") -> None:
    async with db.writing(account=account) as tx:
        await write(tx, text, account)
        await asyncio.sleep(0)


async def _kept(other: Other) -> set[str]:
    return {text for (text,) in await other.fetch("SELECT text FROM notes")}


async def test_writers_that_meet_share_a_commit(db: Database, other: Other) -> None:
    await asyncio.gather(*(_write(db, f"note {number}") for number in range(50)))
    commits = Counter(row[0] for row in await other.fetch("SELECT xmin::text FROM notes"))
    assert commits.total() == 50
    assert len(commits) <= 3


async def test_accounts_do_not_wait_for_each_other(db: Database, other: Other) -> None:
    async with db.writing(account="one"):
        await _write(db, "note 1", "two")
        assert await _kept(other) == {"note 1"}


async def test_a_connection_that_is_cut_fails_its_group_and_nothing_else(db: Database, other: Other) -> None:
    async def cut() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "cut")
            await other.execute(_CUT)
            await tx.fetch("SELECT 1")

    came = await asyncio.gather(cut(), *(_write(db, f"note {number}") for number in range(4)), return_exceptions=True)
    assert isinstance(came[0], DatabaseBusy)
    assert all(one is None or isinstance(one, DatabaseBusy) for one in came)
    assert await _kept(other) == {f"note {number}" for number in range(4) if came[number + 1] is None}
    await _write(db, "after")
    assert "after" in await _kept(other)
