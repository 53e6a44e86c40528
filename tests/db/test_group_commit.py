"""Group commit on SQLite: many waiting writers share a commit, and no failure affects another writer."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from fixtures.notes_database import INSERT, Notes, write

from formwright.core.clock import SystemClock
from formwright.core.db import account_lock
from formwright.core.db.group_commit import CommitHooks
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.sqlite import SqliteDatabase, connect
from formwright.core.ids import Ids


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    path = tmp_path / "notes.sqlite3"
    connection = connect(path)
    connection.execute("CREATE TABLE notes (text TEXT PRIMARY KEY, body TEXT)")
    connection.close()
    clock = SystemClock()
    database = SqliteDatabase(path, clock, Ids(clock), CommitHooks())
    yield database
    await database.close()


async def _write(db: SqliteDatabase, text: str, body: str = "") -> None:
    async with db.writing() as tx:
        await tx.execute("INSERT INTO notes (text, body) VALUES ($1, $2)", text, body)
        await asyncio.sleep(0)


def _stored(tmp_path: Path) -> set[str]:
    """Return what another process reads from the file."""
    with sqlite3.connect(tmp_path / "notes.sqlite3") as other:
        found = {text for (text,) in other.execute("SELECT text FROM notes")}
    other.close()
    return found


async def test_many_writers_share_a_commit(db: SqliteDatabase, tmp_path: Path) -> None:
    statements: list[str] = []
    db._writer.set_trace_callback(statements.append)
    await asyncio.gather(*(_write(db, f"note {number}") for number in range(50)))
    assert _stored(tmp_path) == {f"note {number}" for number in range(50)}
    assert 1 <= statements.count("COMMIT") <= 5


async def test_an_acknowledged_write_is_synced_to_the_disk(db: SqliteDatabase) -> None:
    assert db._writer.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
    assert db._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_failure_in_a_group_affects_nobody_else(db: SqliteDatabase, tmp_path: Path) -> None:
    async def fail(number: int) -> None:
        async with db.writing() as tx:
            await tx.execute("INSERT INTO notes (text) VALUES ($1)", f"bad {number}")
            raise LookupError(f"bad {number}")

    work = [_write(db, f"good {number}") if number % 3 else fail(number) for number in range(30)]
    came = await asyncio.gather(*work, return_exceptions=True)
    assert sum(isinstance(one, LookupError) for one in came) == 10
    assert _stored(tmp_path) == {f"good {number}" for number in range(30) if number % 3}


async def test_a_rejection_is_reported_after_the_changes_it_depends_on_are_committed(
    db: SqliteDatabase, tmp_path: Path
) -> None:
    async def refuse() -> set[str]:
        with pytest.raises(sqlite3.IntegrityError):
            await _write(db, "first")
        return _stored(tmp_path)

    came = await asyncio.gather(_write(db, "first"), refuse())
    assert came[1] == {"first"}


async def test_a_failed_statement_raises_in_its_own_writer(db: SqliteDatabase, tmp_path: Path) -> None:
    await _write(db, "first")
    came = await asyncio.gather(_write(db, "first"), _write(db, "second"), return_exceptions=True)
    assert isinstance(came[0], sqlite3.IntegrityError)
    assert came[1] is None
    assert _stored(tmp_path) == {"first", "second"}


async def test_a_reader_sees_only_committed_changes(db: SqliteDatabase) -> None:
    async with db.writing() as tx:
        await tx.execute("INSERT INTO notes (text) VALUES ('early')")
        async with db.reading() as reader:
            assert await reader.fetch("SELECT text FROM notes") == []
        assert len(await tx.fetch("SELECT text FROM notes")) == 1
    async with db.reading() as reader:
        assert len(await reader.fetch("SELECT text FROM notes")) == 1


async def test_a_cancelled_writer_leaves_nothing_and_blocks_nobody(db: SqliteDatabase, tmp_path: Path) -> None:
    inside = asyncio.Event()

    async def linger() -> None:
        async with db.writing() as tx:
            await tx.execute("INSERT INTO notes (text) VALUES ('cancelled')")
            inside.set()
            await asyncio.sleep(60)

    lingering = asyncio.create_task(linger())
    await inside.wait()
    waiting = [asyncio.create_task(_write(db, f"waits {number}")) for number in range(4)]
    await asyncio.sleep(0)
    waiting[1].cancel()
    lingering.cancel()
    async with asyncio.timeout(60):
        came = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one).__name__ for one in came] == ["NoneType", "CancelledError", "NoneType", "NoneType"]
    assert _stored(tmp_path) == {"waits 0", "waits 2", "waits 3"}


async def test_writers_cancelled_at_any_point_leave_a_database_that_works(db: SqliteDatabase, tmp_path: Path) -> None:
    done: set[str] = set()

    async def write(text: str) -> None:
        await _write(db, text)
        done.add(text)

    for pause in range(40):
        tasks = [asyncio.create_task(write(f"{pause}-{number}")) for number in range(4)]
        await asyncio.sleep(pause * 0.0002)
        tasks[pause % 4].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await _write(db, "last")
    # A writer that is cancelled while it waits for its commit may be committed, but never gets an acknowledgement.
    assert done | {"last"} <= _stored(tmp_path)
    assert len(done) >= 120


async def test_a_full_disk_rejects_only_writes_that_do_not_fit(db: SqliteDatabase, tmp_path: Path) -> None:
    await _write(db, "before")
    pages = db._writer.execute("PRAGMA page_count").fetchone()[0]
    db._writer.execute(f"PRAGMA max_page_count={pages + 4}")
    work = {f"{size} {number}": "x" * size for number in range(4) for size in (10, 60_000)}
    came = await asyncio.gather(*(_write(db, text, body) for text, body in work.items()), return_exceptions=True)
    refused = {text for text, answer in zip(work, came, strict=True) if answer is not None}
    assert all(isinstance(answer, DatabaseBusy) for answer in came if answer is not None)
    assert {text for text in work if text.startswith("60000")} <= refused
    assert _stored(tmp_path) == {"before"} | (set(work) - refused)

    db._writer.execute("PRAGMA max_page_count=1000000")
    await _write(db, "after", "x" * 60_000)
    assert "after" in _stored(tmp_path)


async def test_a_write_waits_for_a_writer_in_another_process(db: SqliteDatabase, tmp_path: Path) -> None:
    other = connect(tmp_path / "notes.sqlite3")
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO notes (text) VALUES ('other')")
    writing = asyncio.create_task(_write(db, "mine"))
    await asyncio.sleep(0.2)
    assert not writing.done(), "and the event loop was not blocked"
    other.execute("COMMIT")
    other.close()
    await writing
    assert _stored(tmp_path) == {"other", "mine"}


@pytest.fixture
async def notes(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    """A database with accounts and events."""
    notes = Notes(tmp_path / "notes.sqlite3")
    await notes.empty()
    database = await notes.open()
    assert isinstance(database, SqliteDatabase)
    yield database
    await database.close()


async def _write_in_group(db: SqliteDatabase, text: str, account: str) -> None:
    async with db.writing(account=account) as tx:
        await write(tx, text, account)


async def test_writers_of_all_accounts_share_statements(notes: SqliteDatabase, tmp_path: Path) -> None:
    statements: list[str] = []
    notes._writer.set_trace_callback(statements.append)
    work = {f"{account} {number}": account for number in range(10) for account in ("one", "two", "three")}
    await asyncio.gather(*(_write_in_group(notes, text, account) for text, account in work.items()))
    assert _stored(tmp_path) == set(work)
    assert 1 <= statements.count("COMMIT") <= 2
    assert len([one for one in statements if "SAVEPOINT" in one]) == 0, (
        "deferred rows are rolled back by discarding them"
    )
    assert len([one for one in statements if "account_order" in one]) <= 12, (
        "an account lock is read and written once per commit"
    )


async def test_a_writer_without_a_group_sees_changes_of_the_same_commit(notes: SqliteDatabase) -> None:
    """It also sees their events, and the later writers continue from its timestamp."""
    found: list[object] = []
    stamps: list[int] = []

    async def alone() -> None:
        async with notes.writing() as tx:
            stamps.append(await account_lock.next_timestamp(tx, "one"))
            found.extend(await tx.fetch("SELECT sequence, text FROM events ORDER BY sequence"))
            await tx.execute("UPDATE account_order SET stamp = stamp + 5000 WHERE customer_id = 'one'")
            await tx.execute(INSERT, "one", "alone", 0)
            tx.audit(("one", "alone"))

    async def after() -> None:
        async with notes.writing(account="one") as tx:
            stamps.append(await account_lock.next_timestamp(tx, "one"))
            await write(tx, "after")

    statements: list[str] = []
    notes._writer.set_trace_callback(statements.append)
    await asyncio.gather(
        _write_in_group(notes, "first", "one"), _write_in_group(notes, "second", "one"), alone(), after()
    )
    assert found == [(1, "first"), (2, "second")]
    assert stamps[1] == stamps[0] + 5001
    assert statements.count("COMMIT") == 1
    async with notes.reading() as tx:
        events = await tx.fetch("SELECT sequence, text FROM events ORDER BY sequence")
    assert events == [(1, "first"), (2, "second"), (3, "alone"), (4, "after")]


async def test_cached_reads_are_invalidated_by_a_writer_without_a_group(notes: SqliteDatabase) -> None:
    await _write_in_group(notes, "first", "one")
    found: list[object] = []

    async def look() -> None:
        async with notes.writing(account="one") as tx:
            found.append(await tx.fetch_cached("SELECT stamp FROM notes WHERE text = $1", "first"))

    async def change() -> None:
        async with notes.writing() as tx:
            await tx.execute("UPDATE notes SET stamp = 7 WHERE text = 'first'")

    await asyncio.gather(look(), change(), look())
    assert found[1] == (7,) != found[0]


async def test_a_failing_writer_without_a_group_does_not_affect_the_others(
    notes: SqliteDatabase, tmp_path: Path
) -> None:
    async def fail() -> None:
        async with notes.writing() as tx:
            await write(tx, "failed")
            raise LookupError

    came = await asyncio.gather(
        _write_in_group(notes, "first", "one"),
        fail(),
        _write_in_group(notes, "second", "one"),
        fail(),
        return_exceptions=True,
    )
    assert [type(one).__name__ for one in came] == ["NoneType", "LookupError", "NoneType", "LookupError"]
    assert _stored(tmp_path) == {"first", "second"}
    async with notes.reading() as tx:
        assert await tx.fetch("SELECT sequence, text FROM events") == [(1, "first"), (2, "second")]


async def test_a_full_disk_fails_the_writers_with_deferred_rows(notes: SqliteDatabase, tmp_path: Path) -> None:
    await _write_in_group(notes, "before", "one")
    pages = notes._writer.execute("PRAGMA page_count").fetchone()[0]
    notes._writer.execute(f"PRAGMA max_page_count={pages + 4}")
    long = {"x" * size: "two" for size in (60_000, 10)}
    came = await asyncio.gather(*(_write_in_group(notes, *one) for one in long.items()), return_exceptions=True)
    assert all(isinstance(one, DatabaseBusy) for one in came)
    assert _stored(tmp_path) == {"before"}
    assert not notes._writer.in_transaction

    notes._writer.execute("PRAGMA max_page_count=1000000")
    await asyncio.gather(*(_write_in_group(notes, *one) for one in long.items()))
    assert _stored(tmp_path) == {"before", *long}


@pytest.mark.parametrize("account", ["one", ""])
async def test_writes_after_a_rollback_are_not_stored(notes: SqliteDatabase, tmp_path: Path, account: str) -> None:
    async def go_on() -> None:
        async with notes.writing(account=account) as tx:
            await write(tx, "early")
            notes._writer.execute("ROLLBACK")
            with suppress(DatabaseBusy):
                await write(tx, "late", defer=False)

    came = await asyncio.gather(_write_in_group(notes, "first", "one"), go_on(), return_exceptions=True)
    assert [type(one) for one in came] == [DatabaseBusy, DatabaseBusy]
    assert _stored(tmp_path) == set()
    await _write_in_group(notes, "after", "one")
    assert _stored(tmp_path) == {"after"}
