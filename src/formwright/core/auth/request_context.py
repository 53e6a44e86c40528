"""The caller of the current request, which the audit log records with each change.

The middleware sets a caller for each request and authentication sets its actor. Every transaction of the request, and
of tasks it starts, is attributed to this caller, and so is the time that they take. Background work has none.
"""

from contextvars import ContextVar
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
    database_s: float = 0.0
    """Seconds spent on statements, and on waiting for connections, locks and commits."""
    statements: int = 0
    commits: int = 0
    """How many transactions were committed."""


current_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)
"""The caller of the current request; None in background work."""


def set_actor(actor: Actor) -> Actor:
    """Attribute the current request or command to this actor, and return the actor."""
    caller = current_caller.get()
    if caller is None:
        current_caller.set(Caller(actor=actor))
    else:
        caller.actor = actor
    return actor
