"""When rows cannot be taken in: every fault, each with its pointer."""

from collections.abc import Iterator

from formwright.core.kernel.errors import Fault, pointer
from formwright.domain.datasources.model import MAX_COLUMNS, MAX_KEY, MAX_ROWS, Cell, NewDatasource

_SHOWN = 1000


def columns_of(new: NewDatasource) -> tuple[str, ...]:
    """The named columns or, where none are named, those of the rows."""
    found = new.columns or (column for row in new.rows for column in row)
    return tuple(dict.fromkeys(found))


def faults(new: NewDatasource, columns: tuple[str, ...]) -> list[Fault]:
    """What is wrong with the columns and with each row, up to 1,000 faults."""
    found: list[Fault] = []
    for fault in _all(new, columns):
        found.append(fault)
        if len(found) == _SHOWN:
            break
    return found


def key_text(cell: Cell) -> str:
    """A key as it is kept and compared: 7 and "7" are the same key."""
    return "" if cell is None else str(cell).strip()


def _all(new: NewDatasource, columns: tuple[str, ...]) -> Iterator[Fault]:
    if len(columns) > MAX_COLUMNS:
        yield Fault(
            "/columns", "datasource.columns.too_many", f"At most {MAX_COLUMNS} columns; these are {len(columns)}."
        )
    if len(new.columns) != len(set(new.columns)):
        yield Fault("/columns", "datasource.column.taken", "A column's name stands twice.")
    if columns and new.key_column not in columns:
        yield Fault("/keyColumn", "datasource.key_column", f"There is no column {new.key_column!r}.")
    if len(new.rows) > MAX_ROWS:
        yield Fault("/rows", "datasource.rows.too_many", f"At most {MAX_ROWS} rows; these are {len(new.rows)}.")
    yield from _rows(new, set(columns))


def _rows(new: NewDatasource, columns: set[str]) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for index, row in enumerate(new.rows):
        for column in row.keys() - columns:
            yield Fault(pointer("rows", index, column), "datasource.column.unknown", "There is no such column.")
        key, where = key_text(row.get(new.key_column)), pointer("rows", index, new.key_column)
        if not key:
            yield Fault(where, "datasource.key.missing", "Every row needs a value in the key column.")
        elif len(key) > MAX_KEY:
            yield Fault(where, "datasource.key.too_long", f"A key has at most {MAX_KEY} characters.")
        elif key in first:
            yield Fault(where, "datasource.key.taken", f"Row {first[key]} has the key {key!r} already.")
        first.setdefault(key, index)
