"""A short run of the fault-injection tests; `make chaos` runs them at full length, with the mutants."""

import asyncio
from pathlib import Path

import pytest
from fixtures.postgres import Cluster

from chaos.scenarios import Terms, too_late, working

pytestmark = pytest.mark.slow

SHORT = Terms(seconds=7)


@pytest.mark.timeout(300)
async def test_nothing_is_lost_if_processes_are_killed_and_a_worker_returns_too_late(tmp_path: Path) -> None:
    killed, late = await asyncio.gather(working(tmp_path / "killed", SHORT), too_late(tmp_path / "late"))
    assert (killed["faults"], late["faults"]) == ([], [])


@pytest.mark.timeout(300)
async def test_nothing_is_lost_if_the_database_stops_immediately(tmp_path: Path) -> None:
    with Cluster(durable=True) as cluster:
        found = await working(tmp_path, SHORT, cluster.create_database("proof"), cluster)
    assert found["databaseStops"]
    assert found["faults"] == []
