"""A database of notes, on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from fixtures.notes_database import Notes, Other
from fixtures.postgres import Server

from formwright.core.db.interface import Database


@pytest.fixture(scope="session")
def notes_url(postgres_cluster: Server, worker_id: str) -> Iterator[str]:
    name = f"notes_{worker_id}"
    yield postgres_cluster.create_database(name)
    postgres_cluster.drop_database(name)


@pytest.fixture(params=["sqlite", "postgres"])
async def notes(request: pytest.FixtureRequest, tmp_path: Path) -> Notes:
    """An empty database, on SQLite and on PostgreSQL."""
    on_sqlite = request.param == "sqlite"
    notes = Notes(tmp_path / "notes.sqlite3" if on_sqlite else request.getfixturevalue("notes_url"))
    await notes.empty()
    return notes


@pytest.fixture
async def db(notes: Notes) -> AsyncIterator[Database]:
    database = await notes.open()
    yield database
    await database.close()


@pytest.fixture
async def other(notes: Notes) -> AsyncIterator[Other]:
    """A connection of another process."""
    there = await notes.other()
    yield there
    await there.close()
