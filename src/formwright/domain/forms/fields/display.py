"""What formatting and searching answers needs besides the answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

RowTexts = Mapping[tuple[str, str], Mapping[str, str]]
"""The texts of the cells of rows by column, by data source and key of the row."""


@dataclass(frozen=True, slots=True)
class DisplayContext:
    """The language of labels, the time zone of times, and the rows that lookups refer to."""

    language: str
    time_zone: str
    rows: RowTexts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The rows that lookups refer to, and the names of files by their id."""

    rows: RowTexts = field(default_factory=dict)
    file_names: Mapping[str, str] = field(default_factory=dict)


ReadTexts = Callable[[Any, SearchContext], Iterable[str]]
"""Returns the texts by which the search finds an answer. Drafts may contain any value, which may have none."""


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun, such as “2 rows”."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def read_plain_texts(value: Any, _: SearchContext) -> Iterable[str]:
    """Return a text or number as it is."""
    if isinstance(value, str):
        return [value]
    return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []
