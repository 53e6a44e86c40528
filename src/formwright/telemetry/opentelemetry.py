"""Traces for OpenTelemetry, sent as OTLP over HTTP. Imported only if tracing is on."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span as OpenSpan
from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context, use_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from formwright import __version__
from formwright.core.tracing import Span, Tracer

_SERVER_ERROR = 500
_CONTEXT_HEADERS = ("traceparent", "tracestate")


class OpenTelemetryTracer(Tracer):
    """Records spans and exports them. Create it after the fork, because it exports from its own thread."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        attributes = {"service.version": __version__}
        if not environment.get("OTEL_SERVICE_NAME"):
            attributes["service.name"] = "formwright"
        # Sampling, limits and the receiver are configured with the standard variables.
        self._provider = TracerProvider(resource=Resource.create(attributes))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("formwright", __version__)
        self._context = TraceContextTextMapPropagator()

    def start_request(self, method: str, headers: Mapping[bytes, bytes]) -> Span:
        received = {name: headers.get(name.encode(), b"").decode("latin-1") for name in _CONTEXT_HEADERS}
        parent = self._context.extract({name: value for name, value in received.items() if value})
        span = self._tracer.start_span(method, parent, SpanKind.SERVER, {"http.request.method": method})
        propagated: dict[str, str] = {}
        self._context.inject(propagated, set_span_in_context(span))
        return _RequestSpan(span, method, propagated.get("traceparent", ""))

    @contextmanager
    def trace_delivery(self, event_id: str, cause: str | None = None) -> Iterator[dict[str, str]]:
        attributes = {"http.request.method": "POST", "formwright.event.id": event_id}
        # Each attempt is a child of the span that caused the event, even if another process sends it later.
        parent = self._context.extract({"traceparent": cause}) if cause else None
        span = self._tracer.start_span("deliver", parent, SpanKind.CLIENT, attributes)
        propagated: dict[str, str] = {}
        with use_span(span, end_on_exit=True):
            self._context.inject(propagated)
            yield propagated

    def close(self) -> None:
        self._provider.shutdown()


class _RequestSpan(Span):
    def __init__(self, span: OpenSpan, method: str, traceparent: str) -> None:
        self._span, self._method, self.traceparent = span, method, traceparent

    def end(self, operation: str, status: int, request_id: str, database_s: float) -> None:
        name = operation if operation.startswith(self._method) else f"{self._method} {operation}"
        self._span.update_name(name)
        self._span.set_attributes(
            {
                "http.response.status_code": status,
                "formwright.operation": operation,
                "formwright.request.id": request_id,
                "formwright.database.ms": round(database_s * 1000, 3),
            }
        )
        if status >= _SERVER_ERROR:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
