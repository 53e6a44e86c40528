"""Reads records from rows: the opposite of `RecordTable`."""

from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from types import NoneType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from formwright.core.db.interface import ReadTransaction, Row
from formwright.core.db.query import Query
from formwright.core.pagination import Page, Position, TimeFilter, Window, cut_page

T = TypeVar("T")
_PLAIN = (str, int, float, bytes)


class RecordReader(Generic[T]):
    """Builds records from rows whose columns are the fields of the record, in their order.

    Enumerations are read from their values, truth values from numbers, and lists, mappings, structs and dataclasses
    from JSON. `readers` are functions for fields that are stored in another way. Rows can lack the last fields, which
    then have their defaults.
    """

    def __init__(self, record: type[T], **readers: Callable[[Any], object]) -> None:
        hints = get_type_hints(record)
        names = [field.name for field in fields(record)]  # type: ignore[arg-type]
        found = [(index, readers.get(name) or _find_reader(hints[name])) for index, name in enumerate(names)]
        self._readers = [(index, read) for index, read in found if read]
        self._record = record

    def __call__(self, row: Row) -> T:
        values = list(row)
        for index, read in self._readers:
            if index < len(values):
                values[index] = read(values[index])
        return self._record(*values)

    async def find(self, tx: ReadTransaction, query: Query) -> T | None:
        """Return the first record of a query, or None."""
        row = await tx.fetch_one(query.sql(), *query.args)
        return self(row) if row else None

    async def fetch(self, tx: ReadTransaction, query: Query) -> list[T]:
        """Return all records of a query, in any order."""
        return [self(row) for row in await tx.fetch(query.sql(), *query.args)]

    async def page(
        self, tx: ReadTransaction, query: Query, window: Window, column: str = "created", *, descending: bool = False
    ) -> Page[T]:
        """Return a page of the records of a query, ordered by a column, which is a field, and then by id."""
        rows = await tx.fetch(query.window(window, column, descending=descending), *query.args)
        records: list[Any] = [self(row) for row in rows]
        return cut_page(records, window.limit, lambda one: Position(getattr(one, column), one.id))

    async def timed_page(self, tx: ReadTransaction, query: Query, window: Window, times: TimeFilter) -> Page[T]:
        """Return a page of the records of a query that were created and changed in some periods."""
        rows = await tx.fetch(query.timed_window(window, times), *query.args)
        records: list[Any] = [self(row) for row in rows]
        return cut_page(records, window.limit, times.position)


def _find_reader(hint: Any) -> Callable[[Any], object] | None:
    """Return the function that reads a value of this type; None if it is stored as it is."""
    is_optional = NoneType in get_args(hint)
    [kind, *others] = [one for one in get_args(hint) if one is not NoneType] if is_optional else [hint]
    if others or kind in _PLAIN or get_origin(kind) is Literal:
        return None
    is_called = kind is bool or (isinstance(kind, type) and issubclass(kind, Enum))
    read = kind if is_called else msgspec.json.Decoder(kind).decode
    return (lambda value: None if value is None else read(value)) if is_optional else read
