"""Empty databases with the newest tables: the tables are made once for each process of the tests."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from formwright import migrations
from formwright.settings import Settings
from rig.houses import settings_for
from rig.postgres import Server

_EMPTY = """
DO $$ DECLARE one record; full_one boolean; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND relname <> 'alembic_version' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', one.relname) INTO full_one;
        IF full_one THEN EXECUTE format('DELETE FROM %I', one.relname); END IF;
    END LOOP;
END $$
"""
_SHAPE = "SELECT count(*), (SELECT version_num FROM alembic_version) FROM information_schema.columns"


class EmptyFile:
    """A SQLite file that is copied."""

    def __init__(self, folder: Path) -> None:
        self._made = Settings(data_dir=folder)

    async def put(self, folder: Path) -> None:
        """An empty database in a data folder."""
        if not self._made.sqlite_path.exists():
            await migrations.upgrade(self._made)
        shutil.copy(self._made.sqlite_path, Settings(data_dir=folder).sqlite_path)


class EmptyDatabase:
    """A PostgreSQL database that one test after another has; made anew where one changed its tables."""

    def __init__(self, server: Server, name: str) -> None:
        self._server, self._name = server, name
        self._shape: tuple[int, str] | None = None

    async def url(self) -> str:
        """Where it is, emptied of what the test before left there."""
        if not (self._shape and await self._emptied()):
            self._server.drop_database(self._name)
            url = self._server.create_database(self._name)
            await migrations.upgrade(Settings(database_url=url))
            self._shape = await self._look()
        return self._server.url(self._name)

    async def _emptied(self) -> bool:
        connection = await asyncpg.connect(self._server.url())
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1", self._name
            )
        finally:
            await connection.close()
        try:
            if await self._look() != self._shape:
                return False
            connection = await asyncpg.connect(self._server.url(self._name))
            await connection.execute(_EMPTY)
            await connection.close()
        except (TimeoutError, asyncpg.PostgresError, OSError):
            return False
        return True

    async def _look(self) -> tuple[int, str]:
        connection = await asyncpg.connect(self._server.url(self._name))
        try:
            return tuple(await connection.fetchrow(_SHAPE))
        finally:
            await connection.close()


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> EmptyFile:
    """What each test's SQLite file begins as."""
    return EmptyFile(tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="session")
def empty_database(postgres_cluster: Server, worker_id: str) -> EmptyDatabase:
    """The PostgreSQL database of one test at a time."""
    return EmptyDatabase(postgres_cluster, f"own_{worker_id}")


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def own_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings for a database that nobody else uses and that holds nothing yet, on each of the two in turn."""
    if request.param == "postgres":
        database: EmptyDatabase = request.getfixturevalue("empty_database")
        return settings_for(tmp_path, await database.url())
    file: EmptyFile = request.getfixturevalue("empty_file")
    await file.put(tmp_path)
    return settings_for(tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def settings_without_tables(request: pytest.FixtureRequest, tmp_path: Path, worker_id: str) -> Iterator[Settings]:
    """Settings for a database that has no tables yet, on each of the two in turn."""
    if request.param == "sqlite":
        yield settings_for(tmp_path)
        return
    server: Server = request.getfixturevalue("postgres_cluster")
    name = f"bare_{worker_id}"
    yield settings_for(tmp_path, server.create_database(name))
    server.drop_database(name)
