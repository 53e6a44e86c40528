"""Keyset pagination: pages of a list that is ordered by a number and then by id."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, Protocol, TypeVar

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000

T = TypeVar("T")


class Position(NamedTuple):
    """The last row of a page: the number by which the list is ordered (a time or a sequence number), and the id.

    In a list that is ordered by something else before the number, `key` is that of the row.
    """

    number: int
    id: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """The requested part of a list: at most `limit` rows after the position `after`."""

    limit: int = DEFAULT_LIMIT
    after: Position | None = None


class ListOrder(StrEnum):
    """The order of a list, by the API's name; `-` means newest first."""

    CREATED = "created"
    CREATED_DESC = "-created"
    UPDATED = "updated"
    UPDATED_DESC = "-updated"

    @property
    def column(self) -> str:
        """The name of the column to order by."""
        return self.removeprefix("-")

    @property
    def is_descending(self) -> bool:
        """Whether the newest row comes first."""
        return self.startswith("-")


class Timestamped(Protocol):
    """A record with the times of its creation and its last change, in milliseconds."""

    @property
    def id(self) -> str: ...
    @property
    def created(self) -> int: ...
    @property
    def updated(self) -> int: ...


@dataclass(frozen=True, slots=True)
class TimeFilter:
    """The order of a list, and periods of creation and last change in milliseconds, each half-open: from ≤ t < to.

    An account's timestamps increase with each change and in the order of the commits. So a reader that follows a list
    ordered by `updated` misses no change: a row that changes moves to the end.
    """

    created_from: int | None = None
    created_to: int | None = None
    updated_from: int | None = None
    updated_to: int | None = None
    order: ListOrder = ListOrder.CREATED

    def position(self, record: Timestamped) -> Position:
        """Return the position of a record in this order."""
        return Position(record.created if self.order.column == "created" else record.updated, record.id)


OLDEST_FIRST = TimeFilter()
NEWEST_FIRST = TimeFilter(order=ListOrder.CREATED_DESC)


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
