"""How long the request that is served here has been with the database."""

from contextvars import ContextVar, Token


class Spent:
    """Seconds for statements, and for the waiting for a turn and for commits; how many statements there were."""

    __slots__ = ("seconds", "statements")

    def __init__(self) -> None:
        self.seconds, self.statements = 0.0, 0


_current: ContextVar[Spent | None] = ContextVar("spent", default=None)


def begin() -> tuple[Spent, Token[Spent | None]]:
    """A request comes in; hand the token to `end`. Work that it begins counts too, for as long as it is served."""
    spent = Spent()
    return spent, _current.set(spent)


def end(token: Token[Spent | None]) -> None:
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
