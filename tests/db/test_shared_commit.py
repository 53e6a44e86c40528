"""Group commit with account locks: concurrent writers of an account share a commit, and no failure affects another."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from fixtures.notes_database import ACCOUNTS, REFUSED, Notes, Other, relay, write

from formwright.core.db import sqlite
from formwright.core.db.group_commit import CommitHooks
from formwright.core.db.interface import (
    Database,
    DatabaseBusy,
    Statement,
    TransactionEvents,
    WriteTransaction,
)
from formwright.core.db.postgres_connection import PostgresTransaction


async def _write(db: Database, text: str, account: str = "one") -> None:
    """Every other note is deferred to the commit."""
    async with db.writing(account=account) as tx:
        await write(tx, text, account, defer=text[-1] in "02468")
        await asyncio.sleep(0)


async def _stored(other: Other) -> set[str]:
    return {text for (text,) in await other.fetch("SELECT text FROM notes")}


async def _events(other: Other, account: str = "one") -> list[tuple[Any, ...]]:
    return await other.fetch(
        f"SELECT sequence, text, stamp FROM events WHERE customer_id = '{account}' ORDER BY sequence"
    )


async def test_events_are_logged_in_the_order_of_writers_with_increasing_timestamps(notes: Notes, other: Other) -> None:
    timestamps: list[int] = []

    async def before_commit(tx: WriteTransaction, these: Sequence[TransactionEvents]) -> None:
        timestamps.append(len(these))
        await relay(tx, these)

    hooks = CommitHooks()
    hooks.before_commit = before_commit
    db = await notes.open(hooks)
    await asyncio.gather(*(_write(db, f"note {number}") for number in range(50)))
    await db.close()
    events = await _events(other)
    assert [(sequence, text) for sequence, text, _ in events] == [(n + 1, f"note {n}") for n in range(50)]
    stamps = [stamp for _, _, stamp in events]
    assert stamps == sorted(set(stamps))
    assert await other.fetch("SELECT text, stamp FROM notes ORDER BY stamp") == [event[1:] for event in events]
    ordered = await other.fetch("SELECT stamp, sequence FROM account_order WHERE customer_id = 'one'")
    assert ordered == [(stamps[-1], 50)]
    assert sum(timestamps) == 50
    assert len(timestamps) <= 3, "the events of a group are relayed together"


async def test_a_failure_affects_nobody_else(db: Database, other: Other) -> None:
    async def fail(number: int) -> None:
        async with db.writing(account="one") as tx:
            await write(tx, f"bad {number} deferred")
            if number % 2:
                await write(tx, f"bad {number}", defer=False)
            await write(tx, f"bad {number} deferred again")
            raise LookupError(f"bad {number}")

    work = [_write(db, f"good {number}") if number % 3 else fail(number) for number in range(30)]
    came = await asyncio.gather(*work, return_exceptions=True)
    assert sum(isinstance(one, LookupError) for one in came) == 10
    good = [f"good {number}" for number in range(30) if number % 3]
    assert await _stored(other) == set(good)
    assert [(sequence, text) for sequence, text, _ in await _events(other)] == list(enumerate(good, 1))


async def test_a_failed_change_leaves_no_trace(db: Database, other: Other) -> None:
    await _write(db, "note 1")
    before = await other.fetch("SELECT * FROM account_order ORDER BY customer_id")
    with pytest.raises(REFUSED):
        await _write(db, "note 1")
    assert await other.fetch("SELECT * FROM account_order ORDER BY customer_id") == before


async def test_reads_see_rows_deferred_by_the_same_and_other_writers(db: Database) -> None:
    found: list[int] = []

    async def count(number: int) -> None:
        async with db.writing(account=ACCOUNTS[number % 2]) as tx:
            await write(tx, f"note {number}", ACCOUNTS[number % 2])
            row = await tx.fetch_one("SELECT count(*) FROM notes WHERE customer_id = $1", ACCOUNTS[number % 2])
            assert row is not None
            found.append(row[0])

    await asyncio.gather(*(count(number) for number in range(8)))
    assert sorted(found) == [1, 1, 2, 2, 3, 3, 4, 4]


async def test_a_rolled_back_change_of_deferred_rows_affects_nobody_else(db: Database, other: Other) -> None:
    async def change(*, fail: bool) -> int:
        async with db.writing(account="one") as tx:
            changed = await tx.execute("UPDATE notes SET text = 'changed' WHERE text = 'note 2'")
            if fail:
                raise LookupError
        return changed

    work = (_write(db, "note 0"), _write(db, "note 2"), change(fail=True), change(fail=False), change(fail=False))
    came = await asyncio.gather(*work, return_exceptions=True)
    assert isinstance(came[2], LookupError)
    assert came[3:] == [1, 0]
    assert await _stored(other) == {"note 0", "changed"}


async def test_a_change_with_returning_is_rolled_back_too(db: Database, other: Other) -> None:
    async def change_and_fail() -> None:
        async with db.writing(account="one") as tx:
            await tx.fetch_one("UPDATE notes SET text = $1 RETURNING text", "changed")
            raise LookupError

    await _write(db, "note 1")
    came = await asyncio.gather(change_and_fail(), _write(db, "note 2"), return_exceptions=True)
    assert isinstance(came[0], LookupError)
    assert await _stored(other) == {"note 1", "note 2"}


async def test_cached_reads_are_sent_once_per_group(db: Database) -> None:
    found: list[object] = []

    async def look() -> None:
        async with db.writing(account="one") as tx:
            row = await tx.fetch_cached("SELECT random(), $1", "one")
            found.append(row and row[0])

    await asyncio.gather(*(look() for _ in range(9)))
    assert len(found) == 9
    assert len(set(found)) <= 3


def _statement(account: str) -> Statement:
    return "SELECT text, random() FROM notes WHERE customer_id = $1 AND text LIKE '%here'", account


async def test_prefetched_reads_are_sent_together(db: Database, other: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    for ground in (PostgresTransaction, sqlite._SqliteTransaction):

        async def counted(tx: Any, sql: str, rows: Any, fetch: Any = ground.fetch_batch) -> Any:
            asked.append(len(rows))
            return await fetch(tx, sql, rows)

        monkeypatch.setattr(ground, "fetch_batch", counted)
    for account in ACCOUNTS[:2]:
        await other.execute(f"INSERT INTO notes VALUES ('{account}', '{account} is here', 0)")
    found: list[tuple[str, Any]] = []

    async def look(account: str) -> None:
        async with db.writing(account=account, prefetch=[_statement(account)]) as tx:
            await asyncio.sleep(0)  # The other writers join the group.
            found.append((account, await tx.fetch_cached(*_statement(account))))

    await asyncio.gather(*(look(ACCOUNTS[number % 3]) for number in range(30)))
    assert {(account, row and row[0]) for account, row in found} == {
        ("one", "one is here"),
        ("two", "two is here"),
        ("three", None),
    }
    assert len({row[1] for _, row in found if row}) <= 4, "read once per account and commit"
    assert len(asked) <= 4
    assert max(asked) > 1


async def test_prefetched_rows_of_a_locked_account_are_read_after_the_lock_is_released(
    db: Database, other: Other
) -> None:
    await other.execute("INSERT INTO notes VALUES ('two', 'old and here', 0)")
    await other.begin()
    await other.execute("UPDATE account_order SET stamp = stamp WHERE customer_id = 'two'")
    found: list[Any] = []

    async def look(account: str) -> None:
        async with db.writing(account=account, prefetch=[_statement(account)]) as tx:
            found.append(await tx.fetch_cached(*_statement(account)))

    waiting = [asyncio.create_task(look(account)) for account in ("one", "two", "three")]
    await asyncio.sleep(0.2)
    await other.execute("UPDATE notes SET text = 'new and here' WHERE customer_id = 'two'")
    await other.commit()
    await asyncio.gather(*waiting)
    assert [row[0] for row in found if row] == ["new and here"]


async def test_a_rejection_is_reported_after_the_changes_it_depends_on_are_committed(
    db: Database, other: Other
) -> None:
    async def refuse() -> set[str]:
        with pytest.raises(REFUSED):
            await _write(db, "note 1")
        return await _stored(other)

    came = await asyncio.gather(_write(db, "note 1"), refuse(), _write(db, "note 2"))
    assert came[1] == {"note 1", "note 2"}


async def test_a_rejected_deferred_row_fails_its_group_and_no_later_writer(db: Database, other: Other) -> None:
    await _write(db, "note 2")
    again = await asyncio.gather(*(_write(db, f"note {n}") for n in (4, 2, 6)), return_exceptions=True)
    assert any(isinstance(one, DatabaseBusy) for one in again)
    refused = {f"note {n}" for n, one in zip((4, 2, 6), again, strict=True) if one}
    assert await _stored(other) == {"note 2", "note 4", "note 6"} - (refused - {"note 2"})
    await _write(db, "note 8")
    assert "note 8" in await _stored(other)


async def test_a_write_waits_for_another_process_that_changes_the_account(db: Database, other: Other) -> None:
    await other.begin()
    await other.execute("UPDATE account_order SET stamp = 9999999999999 WHERE customer_id = 'one'")
    waiting = [asyncio.create_task(_write(db, f"note {number}")) for number in range(4)]
    await asyncio.sleep(0.1)
    waiting[0].cancel()
    await asyncio.sleep(0.1)
    assert not any(task.done() for task in waiting[1:])
    await other.commit()
    came = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one).__name__ for one in came] == ["CancelledError", "NoneType", "NoneType", "NoneType"]
    assert await other.fetch("SELECT stamp FROM notes ORDER BY stamp") == [
        (10000000000000,),
        (10000000000001,),
        (10000000000002,),
    ]


async def test_writers_cancelled_at_any_point_leave_a_database_that_works(db: Database, other: Other) -> None:
    done: set[str] = set()

    async def put(text: str) -> None:
        await _write(db, text)
        done.add(text)

    for pause in range(40):
        tasks = [asyncio.create_task(put(f"{pause}-{number}")) for number in range(4)]
        await asyncio.sleep(pause * 0.0003)
        tasks[pause % 4].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await _write(db, "last")
    # A writer that is cancelled while it waits for its commit may be committed, but never gets an acknowledgement.
    assert done | {"last"} <= await _stored(other)
    assert len(done) >= 120


async def test_an_unknown_account_is_reported(db: Database, other: Other) -> None:
    came = await asyncio.gather(
        _write(db, "note 1"), _write(db, "note 2", "nobody"), _write(db, "note 3"), return_exceptions=True
    )
    assert isinstance(came[1], LookupError)
    assert await _stored(other) == {"note 1", "note 3"}


class _Mixed:
    """Concurrent writers of every kind, in two processes. The outcomes reported to them must match the database."""

    def __init__(self, seed: int, databases: Sequence[Database]) -> None:
        self._random, self._databases = random.Random(seed), databases
        self.done: set[str] = set()
        self.failed: set[str] = set()

    async def run(self, number: int) -> None:
        text, account, database = f"note {number}", self._random.choice(ACCOUNTS), self._random.choice(self._databases)
        together, fails, breaks_off = self._random.random() < 0.7, self._random.random() < 0.2, number % 7 == 0
        await asyncio.sleep(self._random.random() * 0.03)
        work = asyncio.ensure_future(self._write(database, text, account, together=together, fails=fails))
        try:
            await asyncio.wait_for(work, self._random.random() * 0.02 if breaks_off else 30)
            self.done.add(text)
        except LookupError:
            self.failed.add(text)
        except TimeoutError:
            pass

    async def _write(self, db: Database, text: str, account: str, *, together: bool, fails: bool) -> None:
        async with db.writing(account=account if together else "") as tx:
            await write(tx, text, account, defer=self._random.random() < 0.6)
            if self._random.random() < 0.3:
                assert await tx.fetch_one("SELECT stamp FROM notes WHERE text = $1", text)
            await asyncio.sleep(self._random.choice((0, 0, 0, 0.001)))
            if not together:
                # Results of earlier members of the same commit are visible as if they were committed.
                row = await tx.fetch_one("SELECT sequence FROM account_order WHERE customer_id = $1", account)
                last = await tx.fetch_one("SELECT max(sequence) FROM events WHERE customer_id = $1", account)
                assert row
                assert last
                assert row[0] == (last[0] or 0)
            if fails:
                raise LookupError


@pytest.mark.parametrize("seed", range(4))
async def test_outcomes_match_the_database_for_all_kinds_of_writers(notes: Notes, other: Other, seed: int) -> None:
    databases = [await notes.open(), await notes.open()]
    mixed, over = _Mixed(seed, databases), asyncio.Event()
    watching = asyncio.create_task(_watch(other, over))
    await asyncio.gather(*(mixed.run(number) for number in range(150)))
    over.set()
    await watching
    for database in databases:
        await database.close()
    kept = await _stored(other)
    assert mixed.done <= kept
    assert not mixed.failed & kept
    for account in ACCOUNTS:
        events = await _events(other, account)
        assert [sequence for sequence, _, _ in events] == list(range(1, len(events) + 1))
        assert [stamp for _, _, stamp in events] == sorted({stamp for _, _, stamp in events})
        own = await other.fetch(f"SELECT text, stamp FROM notes WHERE customer_id = '{account}' ORDER BY stamp")
        assert own == [event[1:] for event in events]
        ordered = await other.fetch(f"SELECT stamp, sequence FROM account_order WHERE customer_id = '{account}'")
        assert ordered == [(events[-1][2], len(events))]


async def _watch(other: Other, over: asyncio.Event) -> None:
    """Assert that a reader who continues from the last event it saw misses none."""
    seen = dict.fromkeys(ACCOUNTS, 0)
    while not over.is_set():
        for account, last in seen.items():
            rows = await other.fetch(
                f"SELECT sequence FROM events WHERE customer_id = '{account}' AND sequence > {last} ORDER BY sequence"
            )
            assert [row[0] for row in rows] == list(range(last + 1, last + 1 + len(rows)))
            seen[account] += len(rows)
        await asyncio.sleep(0.001)
