"""Metrics on a separate port, and slow requests in the log, without personal data."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest
from actors import Account, Stage
from factories.forms import form
from factories.submissions import submission
from fixtures.app_contexts import run_delivery_worker
from fixtures.metrics import MetricValues, read_metrics
from fixtures.ports import free_port
from fixtures.server_process import eventually
from fixtures.webhook_receiver import Receiver, always
from structlog.testing import capture_logs

from formwright import migrations
from formwright.app import create_app
from formwright.core.db.interface import DatabaseBusy
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings
from formwright.telemetry.metrics import shared_folder

ANSWER = "Pier 7, seventeen ladders"


@asynccontextmanager
async def _watched(own_settings: Settings) -> AsyncIterator[Account]:
    """An account in an installation that serves metrics and logs every request as slow."""
    settings = replace(own_settings, metrics_port=free_port(), slow_ms=1)
    await migrations.upgrade(settings)
    with shared_folder(settings):
        entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
        async with entrance.app.lifespan():
            stage = Stage(entrance, entrance.app.state.ctx, "https://forms.test")
            async with stage.account("Ladders") as account:
                yield account


async def read_values(account: Account) -> MetricValues:
    return await read_metrics(account.ctx.settings.metrics_port)


async def test_metrics_count_operations_without_personal_data(own_settings: Settings) -> None:
    async with _watched(own_settings) as account:
        await _counts(account)
        await _the_port_answers_one_path(account)


async def _counts(account: Account) -> None:
    ctx = account.ctx
    with capture_logs() as logged:
        new_form = await form(account)
        async with Receiver() as good, Receiver(always(500)) as bad:
            for receiver in (good, bad):
                wish = {"url": receiver.url, "types": ["submission.submitted"]}
                await account.api.post("/api/v1.0/webhooks/subscribers", json=wish)
            await submission(account, new_form, data={"site": ANSWER})
            before = await read_values(account)
            async with run_delivery_worker(ctx, 0, 3600):
                after = await eventually(lambda: _delivered(account))
        for limit in range(1, 5):
            await account.api.get(f"/api/v1.0/submissions?limit={limit}")
        await account.api.get("/api/v1.0/submissions?limit=0")
        await account.api.get("/nothing/here")
        await account.api.get("/sign-in")
        with pytest.raises(DatabaseBusy):
            async with ctx.db.writing():
                raise DatabaseBusy()
    _tells_of_deliveries(before, after)
    figures = await read_values(account)
    assert figures.of("requests_total", operation="listSubmissions", status="200") == 4
    assert figures.of("requests_total", operation="listSubmissions", status="400") == 1
    assert figures.of("requests_total", operation="none", status="404") == 1
    assert figures.of("requests_total", operation="GET /sign-in", status="200") == 1
    assert figures.of("request_seconds_count", operation="listSubmissions") == 5
    assert 0 < figures.of("request_database_seconds_total", operation="listSubmissions") < 60
    assert figures.of("database_busy_total") == 1
    assert figures.of("transaction_seconds_count", kind="writing") > 5
    assert (figures.of("processes"), figures.of("database_up")) == (1, 1)
    assert figures.of("process_resident_memory_bytes", process="1") > 2**20
    slow = [line for line in logged if line["event"] == "slow request"]
    assert {"importSubmission", "createSubmission"} & {line["operation"] for line in slow}
    assert max(line["statements"] for line in slow) > 3
    assert all(line["request_id"].startswith("req_") and line["ms"] >= 1 for line in slow)
    secrets = [ANSWER, "seventeen", account.key, account.id, account.owner.email, new_form["id"], "limit=", good.url]
    assert [secret for secret in secrets if secret in figures.text] == []
    # The log contains the paths of requests, and so the ids in them.
    assert [secret for secret in secrets if secret in str(slow) and secret not in (account.id, new_form["id"])] == []


async def _delivered(account: Account) -> MetricValues | None:
    figures = await read_values(account)
    tries = figures.of("deliveries_total", outcome="success"), figures.of("deliveries_total", outcome="refused")
    return figures if tries == (1, 1) and figures.of("deliveries_due", state="ready") == 0 else None


def _tells_of_deliveries(before: MetricValues, after: MetricValues) -> None:
    assert before.of("deliveries_due", state="ready") == 2
    assert 0 <= before.of("delivery_oldest_due_seconds") < 60
    assert after.of("delivery_oldest_due_seconds") == 0
    assert after.of("delivery_seconds_count") == 2
    assert after.of("events_total") >= before.of("events_total") >= 3


async def _the_port_answers_one_path(account: Account) -> None:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{account.ctx.settings.metrics_port}") as port:
        for address in ("/", "/api/v1.0/customers", "/metrics/", "/health/live"):
            assert (await port.get(address, headers={"x-api-key": account.key})).status_code == 404
        assert (await port.post("/metrics")).status_code == 405
        exact = await port.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert exact.headers["content-type"].startswith("application/openmetrics-text")
    assert exact.text.endswith("# EOF\n")
    # The port of the API does not serve metrics.
    assert (await account.api.get("/metrics")).status_code == 404
