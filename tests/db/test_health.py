"""The health checks for load balancers and orchestrators."""

from pathlib import Path

import httpx
import pytest
from actors import Stage
from fixtures import sql_statements
from fixtures.app_contexts import settings_for
from fixtures.postgres import Cluster
from fixtures.statement_check import touched

from formwright import migrations
from formwright.app import create_app
from formwright.migrations.distribute import COORDINATOR_TABLES


async def test_a_process_that_can_serve_is_ready_even_without_https(stage: Stage) -> None:
    transport = httpx.ASGITransport(stage.entrance)
    async with stage.client() as https, httpx.AsyncClient(transport=transport, base_url="http://10.0.0.7") as http:
        for client in (https, http):
            live, ready = await client.get("/health/live"), await client.get("/health/ready")
            assert (live.status_code, live.json()["status"]) == (200, "ok")
            assert (ready.status_code, ready.json()) == (
                200,
                {"status": "ok", "parts": {"database": "ok", "files": "ok", "disk": "ok"}},
            )
            assert ready.headers["cache-control"] == "no-store"
        assert (await https.get("/health/nothing")).status_code == 404


async def test_without_its_database_or_tables_a_process_is_live_and_not_ready(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Cluster() as cluster:
        settings = settings_for(tmp_path, cluster.create_database("health"))
        entrance = create_app(settings)
        transport = httpx.ASGITransport(entrance)
        async with entrance.app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://forms.test") as api:
            assert (await api.get("/health/ready")).status_code == 503, "there are no tables yet"
            await migrations.upgrade(settings)
            assert (await api.get("/health/ready")).status_code == 200
            cluster.close()
            ready = await api.get("/health/ready")
            assert (ready.status_code, ready.json()["parts"]) == (
                503,
                {"database": "unavailable", "files": "ok", "disk": "ok"},
            )
            assert (await api.get("/health/live")).status_code == 200
    assert "a dependency does not respond" in capsys.readouterr().out


def test_readiness_only_asks_the_coordinator_of_a_distributed_database() -> None:
    texts = [one.text for one in sql_statements.read() if one.where.startswith("api/health.py ")]
    tables: set[str] = set().union(*map(touched, texts))
    assert tables
    assert tables <= {*COORDINATOR_TABLES}
