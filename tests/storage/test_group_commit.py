"""SQLite's one writer: many waiting changes share a commit, and none shares the fate of another."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from formwright.core.kernel.clock import SystemClock
from formwright.core.kernel.ids import Ids
from formwright.core.storage.database import DatabaseBusy, Hooks
from formwright.core.storage.sqlite import SqliteDatabase, connect


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    path = tmp_path / "notes.sqlite3"
    connection = connect(path)
    connection.execute("CREATE TABLE notes (text TEXT PRIMARY KEY, body TEXT)")
    connection.close()
    clock = SystemClock()
    database = SqliteDatabase(path, clock, Ids(clock), Hooks())
    yield database
    await database.close()


async def _write(db: SqliteDatabase, text: str, body: str = "") -> None:
    async with db.writing() as tx:
        await tx.execute("INSERT INTO notes (text, body) VALUES ($1, $2)", text, body)
        await asyncio.sleep(0)


def _kept(tmp_path: Path) -> set[str]:
    """What another process sees in the file."""
    with sqlite3.connect(tmp_path / "notes.sqlite3") as other:
        found = {text for (text,) in other.execute("SELECT text FROM notes")}
    other.close()
    return found


async def test_many_writers_share_a_commit_and_all_are_kept(db: SqliteDatabase, tmp_path: Path) -> None:
    statements: list[str] = []
    db._writer.set_trace_callback(statements.append)
    await asyncio.gather(*(_write(db, f"note {number}") for number in range(50)))
    assert _kept(tmp_path) == {f"note {number}" for number in range(50)}
    assert 1 <= statements.count("COMMIT") <= 5


async def test_what_was_acknowledged_is_synced_to_the_disk(db: SqliteDatabase) -> None:
    assert db._writer.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"
    assert db._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_failure_in_a_group_takes_nobody_with_it(db: SqliteDatabase, tmp_path: Path) -> None:
    async def fail(number: int) -> None:
        async with db.writing() as tx:
            await tx.execute("INSERT INTO notes (text) VALUES ($1)", f"bad {number}")
            raise LookupError(f"bad {number}")

    work = [_write(db, f"good {number}") if number % 3 else fail(number) for number in range(30)]
    came = await asyncio.gather(*work, return_exceptions=True)
    assert sum(isinstance(one, LookupError) for one in came) == 10
    assert _kept(tmp_path) == {f"good {number}" for number in range(30) if number % 3}


async def test_a_refusal_is_said_only_once_what_it_rests_on_is_kept(db: SqliteDatabase, tmp_path: Path) -> None:
    async def refuse() -> set[str]:
        with pytest.raises(sqlite3.IntegrityError):
            await _write(db, "first")
        return _kept(tmp_path)

    came = await asyncio.gather(_write(db, "first"), refuse())
    assert came[1] == {"first"}


async def test_a_refused_statement_is_the_error_of_its_own_writer(db: SqliteDatabase, tmp_path: Path) -> None:
    await _write(db, "first")
    came = await asyncio.gather(_write(db, "first"), _write(db, "second"), return_exceptions=True)
    assert isinstance(came[0], sqlite3.IntegrityError)
    assert came[1] is None
    assert _kept(tmp_path) == {"first", "second"}


async def test_a_reader_sees_nothing_that_is_not_committed(db: SqliteDatabase) -> None:
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
    async with asyncio.timeout(5):
        came = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one).__name__ for one in came] == ["NoneType", "CancelledError", "NoneType", "NoneType"]
    assert _kept(tmp_path) == {"waits 0", "waits 2", "waits 3"}


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
    # A writer that is cancelled while it waits for its commit may have been written; nobody was told otherwise.
    assert done | {"last"} <= _kept(tmp_path)
    assert len(done) >= 120


async def test_a_full_disk_refuses_what_does_not_fit_and_harms_nothing_else(db: SqliteDatabase, tmp_path: Path) -> None:
    await _write(db, "before")
    pages = db._writer.execute("PRAGMA page_count").fetchone()[0]
    db._writer.execute(f"PRAGMA max_page_count={pages + 4}")
    work = {f"{size} {number}": "x" * size for number in range(4) for size in (10, 60_000)}
    came = await asyncio.gather(*(_write(db, text, body) for text, body in work.items()), return_exceptions=True)
    refused = {text for text, answer in zip(work, came, strict=True) if answer is not None}
    assert all(isinstance(answer, DatabaseBusy) for answer in came if answer is not None)
    assert {text for text in work if text.startswith("60000")} <= refused
    assert _kept(tmp_path) == {"before"} | (set(work) - refused)

    db._writer.execute("PRAGMA max_page_count=1000000")
    await _write(db, "after", "x" * 60_000)
    assert "after" in _kept(tmp_path)


async def test_another_process_that_writes_is_waited_for(db: SqliteDatabase, tmp_path: Path) -> None:
    other = connect(tmp_path / "notes.sqlite3")
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO notes (text) VALUES ('other')")
    writing = asyncio.create_task(_write(db, "mine"))
    await asyncio.sleep(0.2)
    assert not writing.done(), "and the event loop was not held meanwhile"
    other.execute("COMMIT")
    other.close()
    await writing
    assert _kept(tmp_path) == {"other", "mine"}
