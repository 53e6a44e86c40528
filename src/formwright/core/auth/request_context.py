"""The caller of the current request, which the audit log records with each change.

The middleware sets a caller for each request and authentication sets its actor. Every transaction of the request, and
of tasks it starts, is attributed to this caller. Background work has none.
"""

from contextvars import ContextVar, Token
from dataclasses import dataclass

from formwright.core.auth.actor import Actor


@dataclass(slots=True)
class Caller:
    """Where a request came from; `actor` is None until it is authenticated.

    `trace` is its W3C `traceparent`; empty if tracing is off.
    """

    address: str = ""
    request_id: str = ""
    actor: Actor | None = None
    trace: str = ""


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def begin(address: str, request_id: str, trace: str = "") -> Token[Caller | None]:
    """Set the caller of a new request; pass the returned token to `end`."""
    return _current.set(Caller(address, request_id, trace=trace))


def end(token: Token[Caller | None]) -> None:
    """Unset the caller after the request."""
    _current.reset(token)


def set_actor(actor: Actor) -> Actor:
    """Attribute the current request or command to this actor, and return the actor."""
    caller = _current.get()
    if caller is None:
        _current.set(Caller(actor=actor))
    else:
        caller.actor = actor
    return actor


def current() -> Caller | None:
    """Return the caller of the current request; None in background work."""
    return _current.get()
