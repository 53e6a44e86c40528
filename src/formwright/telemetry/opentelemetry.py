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

_FAILED = 500
_TAKEN = ("traceparent", "tracestate")


class OpenTelemetryTracer(Tracer):
    """Create one per process, after the fork, because it exports from a thread of its own."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        about = {"service.version": __version__}
        if not environment.get("OTEL_SERVICE_NAME"):
            about["service.name"] = "formwright"
        # Sampling, limits and the receiver come from the standard variables.
        self._provider = TracerProvider(resource=Resource.create(about))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("formwright", __version__)
        self._context = TraceContextTextMapPropagator()

    def start_request(self, method: str, headers: Mapping[bytes, bytes]) -> Span:
        given = {name: headers.get(name.encode(), b"").decode("latin-1") for name in _TAKEN}
        of = self._context.extract({name: value for name, value in given.items() if value})
        span = self._tracer.start_span(method, of, SpanKind.SERVER, {"http.request.method": method})
        carried: dict[str, str] = {}
        self._context.inject(carried, set_span_in_context(span))
        return _Request(span, method, carried.get("traceparent", ""))

    @contextmanager
    def trace_delivery(self, event_id: str, cause: str | None = None) -> Iterator[dict[str, str]]:
        about = {"http.request.method": "POST", "formwright.event.id": event_id}
        # Each attempt is a child of the span that caused the event, even if another process sends it later.
        of = self._context.extract({"traceparent": cause}) if cause else None
        span = self._tracer.start_span("deliver", of, SpanKind.CLIENT, about)
        carried: dict[str, str] = {}
        with use_span(span, end_on_exit=True):
            self._context.inject(carried)
            yield carried

    def close(self) -> None:
        self._provider.shutdown()


class _Request(Span):
    def __init__(self, span: OpenSpan, method: str, traceparent: str) -> None:
        self._span, self._method, self.traceparent = span, method, traceparent

    def end(self, operation: str, status: int, request_id: str, database_s: float) -> None:
        named = operation if operation.startswith(self._method) else f"{self._method} {operation}"
        self._span.update_name(named)
        self._span.set_attributes(
            {
                "http.response.status_code": status,
                "formwright.operation": operation,
                "formwright.request.id": request_id,
                "formwright.database.ms": round(database_s * 1000, 3),
            }
        )
        if status >= _FAILED:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
