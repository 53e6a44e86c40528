"""The interface for tracing, independent of how traces are exported."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Span:
    """What is told of a request once it is answered. This one keeps nothing.

    `place` is where it stands in its trace, as `traceparent` says it; empty where nobody traces.
    """

    traceparent = ""

    def end(self, operation: str, status: int, request_id: str, database_s: float) -> None:
        """It is answered; `database_s` of its time went to the database."""


class Tracer:
    """Traces nothing: what is traced with where nobody asked for it. One that does derives from it.

    No query, no body and no address of an account's is ever handed in.
    """

    def start_request(self, method: str, headers: Mapping[bytes, bytes]) -> Span:
        """A request comes in. What called it may have said in `traceparent` of which trace it is."""
        return Span()

    @contextmanager
    def trace_delivery(self, event_id: str, cause: str | None = None) -> Iterator[dict[str, str]]:
        """A delivery is tried; with the header fields that tell its receiver of which trace it is.

        `cause`: the place of what caused the event, where that was traced.
        """
        yield {}

    def close(self) -> None:
        """Hand over what was traced last. Blocks until that is done, or cannot be."""
