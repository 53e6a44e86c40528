"""Writes records to a table whose columns are, apart from a few, named like the attributes of the records."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec

from formwright.core.db.interface import WriteTransaction

T = TypeVar("T")
_Readers = Mapping[str, Callable[[Any], object]]
"""Functions that return the value of a column, in the order of parameters."""
_NONE: Mapping[str, object] = {}
_PLAIN = str | int | float | bytes | None


class RecordTable(Generic[T]):
    """The statements that insert a record and that update it by its account and id.

    An update sets the columns `updated`, or all that are inserted. `values` are the attributes or functions of columns
    that are not named like an attribute. Lists, mappings and structs are stored as JSON, and truth values as numbers.
    Columns that are given to `insert` are no attributes of the record.
    """

    def __init__(self, table: str, inserted: str, updated: str = "", **values: str | Callable[[T], object]) -> None:
        columns = inserted.split(", ")
        changed = updated.split(", ") if updated else [one for one in columns if one not in ("customer_id", "id")]
        placeholders = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
        changes = ", ".join(f"{column} = ${number}" for number, column in enumerate(changed, 3))
        self._insert = f"INSERT INTO {table} ({inserted}) VALUES ({placeholders})"  # noqa: S608
        self._update = f"UPDATE {table} SET {changes} WHERE customer_id = $1 AND id = $2"  # noqa: S608
        self._inserted = {column: _reader(values.get(column, column)) for column in columns}
        self._updated = {column: _reader(values.get(column, column)) for column in ("customer_id", "id", *changed)}

    async def insert(self, tx: WriteTransaction, record: T, **given: object) -> None:
        await tx.execute(self._insert, *_read(record, self._inserted, given))

    async def insert_many(self, tx: WriteTransaction, records: Sequence[T]) -> None:
        await tx.execute_many(self._insert, [_read(record, self._inserted) for record in records])

    async def update(self, tx: WriteTransaction, record: T) -> None:
        await tx.execute(self._update, *_read(record, self._updated))


def _reader(value: str | Callable[[Any], object]) -> Callable[[Any], object]:
    return attrgetter(value) if isinstance(value, str) else value


def _read(record: object, readers: _Readers, given: Mapping[str, object] = _NONE) -> tuple[object, ...]:
    return tuple(given[name] if name in given else _to_sql(read(record)) for name, read in readers.items())


def _to_sql(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, _PLAIN) else msgspec.json.encode(value).decode()
