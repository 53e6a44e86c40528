"""The first pass of an import: validating all rows and detecting the types of columns, without writing anything."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from formwright.core.errors import Invalid, ValidationFault
from formwright.core.tables.base import MAX_COLUMN_NAME, MAX_COLUMNS, BadRow
from formwright.domain.datasources import cell_types
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.imports.row_sources import RowSource, RowTexts
from formwright.domain.datasources.limits import MAX_CELL, MAX_KEY, MAX_ROWS
from formwright.domain.datasources.models import CellType, Column

_BUCKETS = 256


class DuplicateKeys:
    """Finds duplicates among a million key hashes, using eight bytes per key.

    The first pass collects all hashes, and `count_distinct` finds the `duplicates`. A second pass that is created with
    them can tell the first row with such a key from the later ones.
    """

    def __init__(self, known_duplicates: Collection[int] = ()) -> None:
        self.duplicates: set[int] = set()
        self.count = 0
        self._known_duplicates = frozenset(known_duplicates)
        self._added_duplicates: set[int] = set()
        self._buckets = [array("q") for _ in range(_BUCKETS)]

    def is_repeated(self, key: int) -> bool:
        """Return whether the key is a known duplicate that has been added before."""
        return key in self._added_duplicates

    def add(self, key: int) -> None:
        if key in self._known_duplicates:
            self._added_duplicates.add(key)
        self._buckets[key % _BUCKETS].append(key)
        self.count += 1

    def count_distinct(self) -> int:
        """Find the duplicates and return the number of distinct keys."""
        # One bucket at a time: sets of all keys together would need many times the memory of the arrays.
        for index, bucket in enumerate(self._buckets):
            distinct = set(bucket)
            if len(distinct) < len(bucket):
                self.duplicates |= {key for key, times in Counter(bucket).items() if times > 1}
                self._buckets[index] = array("q", distinct)
        self.count = sum(map(len, self._buckets))
        return self.count


MAX_REPORTED = 1000
"""How many invalid rows are reported."""


@dataclass(slots=True)
class CheckedRows:
    """The result of the validation: the columns with their types, the number of valid rows, and the invalid rows."""

    columns: tuple[Column, ...]
    key: int
    columns_with_values: frozenset[str] = frozenset()
    """The columns whose types were detected; the others have no values."""
    good: int = 0
    bad: list[BadRow] = field(default_factory=list)
    bad_count: int = 0
    bad_lines: set[int] = field(default_factory=set)

    def add_bad(self, row: BadRow) -> None:
        self.bad_count += 1
        self.bad_lines.add(row.line)
        if len(self.bad) < MAX_REPORTED:
            self.bad.append(row)


def build_columns(names: Sequence[str], key_column: str, types: dict[str, CellType]) -> tuple[Column, ...]:
    """Return the columns with these names and fixed types. Raises `Invalid` if they are not valid."""
    if faults := list(_check_columns(names, key_column, types)):
        raise Invalid(faults)
    return tuple(Column(name, types.get(name, CellType.TEXT), name in types) for name in names)


def _check_columns(names: Sequence[str], key_column: str, types: dict[str, CellType]) -> Iterator[ValidationFault]:
    if len(names) > MAX_COLUMNS:
        yield ValidationFault(
            "/columns",
            "datasource.columns.too_many",
            f"There are {len(names)} columns; at most {MAX_COLUMNS} are allowed.",
        )
    if len(names) != len(set(names)):
        yield ValidationFault("/columns", "datasource.column.taken", "Two columns have the same name.")
    for name in names:
        if not 0 < len(name) <= MAX_COLUMN_NAME:
            yield ValidationFault(
                "/columns",
                "datasource.column.name",
                f"The name of a column must have 1 to {MAX_COLUMN_NAME} characters.",
            )
    if names and key_column not in names:
        known = ", ".join(names[:20])
        yield ValidationFault(
            "/keyColumn", "datasource.key_column", f"There is no column {key_column!r}. The columns are: {known}."
        )
    for name in types.keys() - set(names):
        yield ValidationFault("/types", "datasource.column.unknown", f"There is no column {name!r}.")


def check_rows(
    source: RowSource, columns: tuple[Column, ...], key_column: str, *, max_rows: int = MAX_ROWS
) -> CheckedRows:
    """Validate all rows, and detect the types of the columns that have no fixed type.

    `columns` are the columns of `source`, in the same order. Raises `Invalid` if there are more than `max_rows` rows.
    """
    source.keep_keys(key_column)
    checks = _RowChecks(columns, source.header.index(key_column))
    checked = _run_pass(source, checks, max_rows)
    if checks.keys.duplicates:
        # The duplicate keys are known only now. The second pass reports every row but the first with such a key.
        checked = _run_pass(source, _RowChecks(columns, checks.key, checks.keys.duplicates), max_rows)
    return checked


def _run_pass(source: RowSource, checks: "_RowChecks", max_rows: int) -> CheckedRows:
    types = TypeDetector(checks.columns)
    checked = CheckedRows(checks.columns, checks.key)
    for row in source.rows(types):
        if isinstance(row, BadRow):
            checked.add_bad(row)
        elif bad := checks.check(*row):
            checked.add_bad(bad)
        else:
            checked.good += 1
            # Without duplicates, this many keys are too many; stop before they fill the memory.
            if checks.keys.count > 2 * max_rows:
                _check_row_count(checks, max_rows)
    _check_row_count(checks, max_rows)
    checked.columns, checked.columns_with_values = types.columns(), types.columns_with_values()
    return checked


def _check_row_count(checks: "_RowChecks", max_rows: int) -> None:
    if checks.keys.count_distinct() > max_rows:
        raise Invalid.at("/rows", "datasource.rows.too_many", f"A data source has at most {MAX_ROWS:,} rows.")


class _RowChecks:
    """The checks of each row. `key` is the index of the key column."""

    def __init__(self, columns: tuple[Column, ...], key: int, known_duplicates: Collection[int] = ()) -> None:
        self.columns, self.key = columns, key
        self._fixed = [
            (index, column) for index, column in enumerate(columns) if column.fixed and column.type != "text"
        ]
        self.keys = DuplicateKeys(known_duplicates)

    def check(self, line: int, texts: RowTexts) -> BadRow | None:
        """Return what is wrong with the row, or None."""
        key = (texts[self.key] or "").strip()
        name = self.columns[self.key].name
        if not key:
            return BadRow(line, name, "datasource.key.missing", "Every row needs a value in the key column.")
        if len(key) > MAX_KEY:
            return BadRow(line, name, "datasource.key.too_long", f"A key has at most {MAX_KEY} characters.")
        # Python's hash of a text differs between processes, so a file cannot be prepared with keys that collide.
        if self.keys.is_repeated(key_hash := hash(key)):
            # Two of a million keys have the same 64-bit hash in about one of ten million imports. Such a row is
            # rejected although its key is unique.
            detail = f"An earlier row already has the key {key[:100]!r}."
            return BadRow(line, name, "datasource.key.taken", detail)
        if bad := self._check_cells(line, texts):
            return bad
        self.keys.add(key_hash)
        return None

    def _check_cells(self, line: int, texts: RowTexts) -> BadRow | None:
        if max(map(len, filter(None, texts))) > MAX_CELL:
            index = next(index for index, text in enumerate(texts) if text and len(text) > MAX_CELL)
            detail = f"A cell has at most {MAX_CELL:,} characters."
            return BadRow(line, self.columns[index].name, "cell.too_long", detail)
        for index, column in self._fixed:
            if (text := texts[index]) and not cell_types.is_convertible(column.type, text):
                detail = f"{text[:50]!r} is not of type {column.type.value}, which is the type of the column."
                return BadRow(line, column.name, "datasource.cell.type", detail)
        return None


def merge_columns(existing: Sequence[Column], checked: CheckedRows, *, is_empty: bool) -> tuple[Column, ...]:
    """Return the existing and the imported columns, with types that can represent the values of both.

    `is_empty` says that the data source has no rows yet; then detected types replace the existing ones.
    """
    columns = {column.name: column for column in existing}
    for column in checked.columns:
        before = columns.get(column.name)
        if before is None or (is_empty and not before.fixed):
            columns[column.name] = column
        elif not before.fixed and column.name in checked.columns_with_values:
            columns[column.name] = replace(before, type=cell_types.common_type(before.type, column.type))
    return tuple(columns.values())
