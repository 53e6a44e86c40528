"""On whose behalf this process does something right now, and from where: what the audit log says of each change.

The entrance begins a caller with each request, a door says who it turned out to be, and every transaction within that
request, and within the work it begins, is theirs. Work that no request began is the platform's own.
"""

from contextvars import ContextVar, Token
from dataclasses import dataclass

from formwright.core.auth.actor import Actor


@dataclass(slots=True)
class Caller:
    """Where a request came from; `actor` is None until its door knows who it is.

    `trace` is its place in a trace, as `traceparent` says it; empty where nobody traces.
    """

    address: str = ""
    request_id: str = ""
    actor: Actor | None = None
    trace: str = ""


_current: ContextVar[Caller | None] = ContextVar("caller", default=None)


def begin(address: str, request_id: str, trace: str = "") -> Token[Caller | None]:
    """A request comes in. Hand what is answered to `end`."""
    return _current.set(Caller(address, request_id, trace=trace))


def end(token: Token[Caller | None]) -> None:
    """The request is answered."""
    _current.reset(token)


def set_actor(actor: Actor) -> Actor:
    """The request, or the command that runs, is this actor's; answers the actor."""
    caller = _current.get()
    if caller is None:
        _current.set(Caller(actor=actor))
    else:
        caller.actor = actor
    return actor


def current() -> Caller | None:
    """Whose request this is part of; None in work that no request began."""
    return _current.get()
