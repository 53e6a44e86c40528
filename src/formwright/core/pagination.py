"""Pages of a list: a limit, and the place from which to go on in an order that is total (a number, then the id)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000

T = TypeVar("T")


class Position(NamedTuple):
    """Behind which row the next page begins: its number in the list's order (a time, a sequence), then its id."""

    number: int
    id: str


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a list is asked for: at most `limit` rows behind `after`."""

    limit: int = DEFAULT_LIMIT
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """The rows of one window; `next` is where the next one begins, None at the end."""

    items: Sequence[T]
    next: Position | None


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The rows of one window as JSON, with commas between them; `next` as in `Page`."""

    items: bytes
    next: Position | None


def cut_page(rows: Sequence[T], limit: int, to_cursor: Callable[[T], Position]) -> Page[T]:
    """The page of `rows`, of which one more than `limit` was read to see whether more follow."""
    items = rows[:limit]
    return Page(items, to_cursor(items[-1]) if len(rows) > limit else None)
