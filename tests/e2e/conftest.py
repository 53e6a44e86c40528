"""A server for each test, on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures.server_process import Server

RETRY = "0,1,1,2,2,5,5,5"


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path: Path, worker_id: str) -> Iterator[Server]:
    """A server, not started yet. It may send webhooks to loopback addresses, and retries them within seconds."""
    name = f"e2e_{worker_id}_{abs(hash(request.node.nodeid))}"
    cluster = request.getfixturevalue("postgres_cluster") if request.param == "postgres" else None
    url = cluster.create_database(name) if cluster else ""
    short = {"WEBHOOK_RETRY": RETRY, "WEBHOOK_TIMEOUT": "5"}
    server = Server(tmp_path, database_url=url, WEBHOOK_ALLOW="127.0.0.0/8", **short)
    yield server
    server.close()
    if cluster:
        cluster.drop_database(name)
