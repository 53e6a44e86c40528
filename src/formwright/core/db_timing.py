"""How long the request that is served here has been with the database."""

from contextvars import ContextVar, Token


class DatabaseTiming:
    """Seconds for statements, and for the waiting for a turn and for commits; how many statements there were."""

    __slots__ = ("seconds", "statements")

    def __init__(self) -> None:
        self.seconds, self.statements = 0.0, 0


_current: ContextVar[DatabaseTiming | None] = ContextVar("spent", default=None)


def begin() -> tuple[DatabaseTiming, Token[DatabaseTiming | None]]:
    """A request comes in; hand the token to `end`. Work that it begins counts too, for as long as it is served."""
    spent = DatabaseTiming()
    return spent, _current.set(spent)


def end(token: Token[DatabaseTiming | None]) -> None:
    """The request is answered."""
    _current.reset(token)


def statement(seconds: float) -> None:
    """A statement took so long."""
    if (spent := _current.get()) is not None:
        spent.seconds += seconds
        spent.statements += 1


def waited(seconds: float) -> None:
    """The database was waited for, before its first statement or for its commit."""
    if (spent := _current.get()) is not None:
        spent.seconds += seconds
