"""What formatting answers needs besides the answers, and the texts by which the search finds them.

The functions that read these texts are together, because each submission that is stored runs them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
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


def format_day(text: str) -> str:
    """Return a date such as “29 Mar 2026”. Raises `TypeError` or `ValueError` for other values."""
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b %Y}"


def read_texts(readers: Mapping[str, ReadTexts], answers: Mapping[str, Any], context: SearchContext) -> Iterator[str]:
    """Yield the texts of the answers to the fields that have a reader."""
    for name, value in answers.items():
        if read := readers.get(name):
            yield from read(value, context)


def read_plain_texts(value: Any, _: SearchContext) -> Iterable[str]:
    """Return a text or number as it is."""
    if isinstance(value, str):
        return [value]
    return [str(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


def read_day(value: Any, context: SearchContext) -> Iterable[str]:
    """Return a date as it is and as people see it."""
    try:
        return [value, format_day(value)]
    except (TypeError, ValueError):
        return read_plain_texts(value, context)


def read_file_names(value: Any, context: SearchContext) -> Iterable[str]:
    """Return the names of files."""
    ids = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    return [name for one in ids if (name := context.file_names.get(one))]


def option_reader(labels: Mapping[str, str]) -> ReadTexts:
    """Return the function that returns the labels of options by these values."""

    def read(value: Any, _: SearchContext) -> Iterable[str]:
        values = value if isinstance(value, list) else [value]
        return [labels.get(one) or one for one in values if isinstance(one, str)]

    return read


def row_reader(readers: Mapping[str, ReadTexts]) -> ReadTexts:
    """Return the function that returns the texts of rows of a repeat with these readers."""

    def read(value: Any, context: SearchContext) -> Iterator[str]:
        for row in value if isinstance(value, list) else []:
            if isinstance(row, dict):
                yield from read_texts(readers, row, context)

    return read
