"""The interface for tracing, independent of how traces are exported."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Span:
    """The span of a request. This class discards it.

    `traceparent` is its W3C trace context; empty if tracing is off.
    """

    traceparent = ""

    def end(self, operation: str, status: int, request_id: str, database_s: float) -> None:
        """End the span with the response; `database_s` is the part of its duration spent on the database."""


class Tracer:
    """Discards all traces; `telemetry.opentelemetry` overrides it.

    Traces contain no query strings, no bodies, and no URLs of customers.
    """

    def start_request(self, method: str, headers: Mapping[bytes, bytes]) -> Span:
        """Start the span of a request, as a child of the span in its `traceparent` header, if any."""
        return Span()

    @contextmanager
    def trace_delivery(self, event_id: str, cause: str | None = None) -> Iterator[dict[str, str]]:
        """Trace a delivery attempt; yields the headers that propagate the trace to the receiver.

        `cause` is the `traceparent` of the request that caused the event, if that was traced.
        """
        yield {}

    def close(self) -> None:
        """Export the remaining spans. Blocks until that has succeeded or failed."""
