"""A full disk of PostgreSQL: a tablespace of 40 MiB. `make chaos` runs it as root, which is needed to mount it."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncpg
from backup.test_data_loss import _goes_on, _person, _refuses
from backup.writers import Writers, compare
from fixtures.postgres import Cluster
from fixtures.server_process import Server


@contextmanager
def _small() -> Iterator[Path]:
    # Not below pytest's own folder, which other users, PostgreSQL's among them, cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="formwright-small-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], check=True)
    try:
        shutil.chown(folder, "postgres", "postgres")
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


async def test_writes_are_refused_until_there_is_space(tmp_path: Path) -> None:
    with _small() as disk, Cluster() as cluster:
        admin = await asyncpg.connect(cluster.url())
        await admin.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
        await admin.execute("CREATE DATABASE formwright TABLESPACE small")
        await admin.close()
        server = Server(tmp_path, database_url=cluster.url("formwright"), LOG_LEVEL="error")
        try:
            await server.start()
            person = await _person(server)
            writers = Writers(person)
            await writers.prepare()
            async with writers.writing(), person.client() as http:
                await _goes_on(writers.submissions)
                filler = disk / "filler"
                with suppress(OSError):
                    filler.write_bytes(bytes(shutil.disk_usage(disk).free))
                await _refuses(writers.submissions)
                read = await http.get(f"{writers.account}/submissions?limit=1")
                assert read.status_code == 200
                filler.unlink()
                await _goes_on(writers.submissions)
            assert writers.statuses <= {200, 201, 409, 503}, "never a 500"
            assert 503 in writers.statuses
            await compare(writers, person)
        finally:
            server.close()
