"""Keyset pagination: pages of a list that is ordered by a number and then by id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000

T = TypeVar("T")


class Position(NamedTuple):
    """The last row of a page: the number by which the list is ordered (a time or a sequence number), and the id."""

    number: int
    id: str


@dataclass(frozen=True, slots=True)
class Window:
    """The requested part of a list: at most `limit` rows after the position `after`."""

    limit: int = DEFAULT_LIMIT
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """The rows of a window; `next` is the `after` of the next window, or None at the end of the list."""

    items: Sequence[T]
    next: Position | None


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The rows of a window as JSON, separated by commas; `next` as in `Page`."""

    items: bytes
    next: Position | None


def cut_page(rows: Sequence[T], limit: int, to_cursor: Callable[[T], Position]) -> Page[T]:
    """Return the page of these rows. Callers fetch one row more than `limit`, which shows whether more rows follow."""
    items = rows[:limit]
    return Page(items, to_cursor(items[-1]) if len(rows) > limit else None)
