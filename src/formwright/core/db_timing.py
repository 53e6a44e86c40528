"""How much time the current request has spent on the database."""

from contextvars import ContextVar, Token


class DatabaseTiming:
    """Seconds spent on statements and on waiting for locks and commits, and the number of statements."""

    __slots__ = ("seconds", "statements")

    def __init__(self) -> None:
        self.seconds, self.statements = 0.0, 0


_current: ContextVar[DatabaseTiming | None] = ContextVar("spent", default=None)


def begin() -> tuple[DatabaseTiming, Token[DatabaseTiming | None]]:
    """Start measuring a request; pass the token to `end`. Tasks that the request starts are included."""
    timing = DatabaseTiming()
    return timing, _current.set(timing)


def end(token: Token[DatabaseTiming | None]) -> None:
    """Stop measuring."""
    _current.reset(token)


def record_statement(seconds: float) -> None:
    """Add the duration of a statement."""
    if (timing := _current.get()) is not None:
        timing.seconds += seconds
        timing.statements += 1


def record_wait(seconds: float) -> None:
    """Add time spent waiting for a connection, a turn or a commit."""
    if (timing := _current.get()) is not None:
        timing.seconds += seconds
