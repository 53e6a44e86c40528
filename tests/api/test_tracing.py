"""Traces of requests and deliveries, as a real OTLP receiver gets them."""

import asyncio
import subprocess
import sys
from dataclasses import replace

import httpx
import pytest
from actors import Account
from factories.forms import form
from factories.requests import post
from factories.submissions import submission
from fixtures.app_contexts import run_delivery_worker
from fixtures.webhook_receiver import Receiver
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from formwright.app import refuse_request
from formwright.asgi.middleware import RequestMiddleware
from formwright.core.clock import SystemClock
from formwright.core.ids import Ids
from formwright.telemetry import tracing
from formwright.web.auth_guard import auth_guard

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
ANSWER = "Pier 7, seventeen ladders"


def spans(collector: Receiver) -> tuple[list[Span], str]:
    """Return the received spans, and everything received as text."""
    requests = [ExportTraceServiceRequest.FromString(arrival.body) for arrival in collector.arrivals]
    found = [
        s for r in requests for resource in r.resource_spans for scope in resource.scope_spans for s in scope.spans
    ]
    return found, str(requests)


async def test_requests_and_deliveries_are_traced(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = account.stage
    new_form = await form(account)
    async with Receiver() as collector, Receiver() as hook:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.port}")
        tracer = tracing.create_tracer()
        assert tracer
        app, settings = stage.entrance.app, stage.ctx.settings
        entrance = RequestMiddleware(
            app,
            stage.entrance.interfaces.values(),
            settings,
            Ids(SystemClock()),
            auth_guard(app),
            refuse_request,
            None,
            tracer,
        )
        transport = httpx.ASGITransport(entrance, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=stage.base_url) as http:
            headers = {"x-api-key": account.key, "traceparent": f"00-{TRACE}-{PARENT}-01"}
            response = await http.get(f"/api/v1.0/submissions?formId={new_form['id']}&limit=7", headers=headers)
            await http.get("/sign-in", headers={"traceparent": "nonsense"})
            await post(account, "/webhooks/subscribers", {"url": hook.url, "types": ["submission.submitted"]})
            path = f"/api/v1.0/customers/{account.id}/forms/{new_form['id']}/submissions"
            done = await http.post(path, json={"data": {"site": ANSWER}}, headers=headers)
            assert done.status_code == 201, done.text
        async with run_delivery_worker(replace(stage.ctx, tracer=tracer)):
            [arrival] = await hook.wait_for(1)
            # A request without a trace context starts a new trace.
            await submission(account, new_form)
            untraced = (await hook.wait_for(2))[1]
        await _closed(tracer)
        every, text = spans(collector)
        found = {span.name: span for span in every}
    listed = found["GET listSubmissions"]
    assert (listed.trace_id.hex(), listed.parent_span_id.hex()) == (TRACE, PARENT)
    about = {one.key: one.value for one in listed.attributes}
    assert about["http.response.status_code"].int_value == 200
    assert about["formwright.request.id"].string_value == response.headers["x-request-id"]
    assert about["formwright.database.ms"].double_value > 0
    assert found["GET /sign-in"].parent_span_id == b""
    caused = found["POST createSubmission"]
    sent = next(span for span in every if span.name == "deliver" and span.trace_id.hex() == TRACE)
    assert (caused.trace_id.hex(), sent.parent_span_id) == (TRACE, caused.span_id)
    assert arrival.headers["traceparent"] == f"00-{TRACE}-{sent.span_id.hex()}-01"
    assert TRACE not in untraced.headers["traceparent"]
    assert {one.key: one.value for one in sent.attributes}["formwright.event.id"].string_value == arrival.id
    assert "formwright" in text
    secrets = [account.key, ANSWER, "seventeen", "limit=", new_form["id"], account.id, hook.url, account.owner.email]
    assert [secret for secret in secrets if secret in text] == []


async def _closed(tracer: object) -> None:
    """Close the tracer in a thread, because it waits for the receiver."""
    await asyncio.to_thread(tracer.close)  # type: ignore[attr-defined]


def test_tracing_is_off_without_a_receiver() -> None:
    named = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}
    assert tracing.create_tracer({}) is None
    assert tracing.create_tracer(named | {"OTEL_SDK_DISABLED": "true"}) is None
    assert tracing.create_tracer(named | {"OTEL_TRACES_EXPORTER": "none"}) is None


def test_opentelemetry_is_not_imported_if_tracing_is_off() -> None:
    look = "import sys, formwright.app, formwright.cli.main; print([m for m in sys.modules if 'opentelemetry' in m])"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
