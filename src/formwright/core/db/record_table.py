"""Writes records to a table whose columns are, apart from a few, named like the attributes of the records."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec

from formwright.core.db.interface import WriteTransaction

T = TypeVar("T")


class RecordTable(Generic[T]):
    """The statements that insert a record and that update it by its account and id.

    An update sets the columns `updated`, or all that are inserted. `values` are the attributes or functions of columns
    that are not named like an attribute. Lists, mappings and structs are stored as JSON, and truth values as numbers.
    """

    def __init__(self, table: str, inserted: str, updated: str = "", **values: str | Callable[[T], object]) -> None:
        columns = inserted.split(", ")
        changed = updated.split(", ") if updated else [one for one in columns if one not in ("customer_id", "id")]
        placeholders = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
        changes = ", ".join(f"{column} = ${number}" for number, column in enumerate(changed, 3))
        self._insert = f"INSERT INTO {table} ({inserted}) VALUES ({placeholders})"  # noqa: S608
        self._update = f"UPDATE {table} SET {changes} WHERE customer_id = $1 AND id = $2"  # noqa: S608
        self._inserted = _find_readers(columns, values)
        self._updated = _find_readers(["customer_id", "id", *changed], values)

    async def insert(self, tx: WriteTransaction, record: T) -> None:
        await tx.execute(self._insert, *_read(record, self._inserted))

    async def insert_many(self, tx: WriteTransaction, records: Sequence[T]) -> None:
        await tx.execute_many(self._insert, [_read(record, self._inserted) for record in records])

    async def update(self, tx: WriteTransaction, record: T) -> None:
        await tx.execute(self._update, *_read(record, self._updated))


def _find_readers(
    columns: Sequence[str], values: Mapping[str, str | Callable[[Any], object]]
) -> Sequence[Callable[[Any], object]]:
    """Return a function for each column that reads its value from a record."""
    wanted = [values.get(column, column) for column in columns]
    return [attrgetter(one) if isinstance(one, str) else one for one in wanted]


def _read(record: object, readers: Sequence[Callable[[Any], object]]) -> tuple[object, ...]:
    return tuple(_to_sql(read(record)) for read in readers)


def _to_sql(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    return (
        value if value is None or isinstance(value, str | int | float | bytes) else msgspec.json.encode(value).decode()
    )
