"""Which keys of very many came twice, in eight bytes a key.

The first of an import's two passes: everything is looked at, and nothing is written.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.datasources import cell_types
from formwright.domain.datasources.cell_types import TypeDetector
from formwright.domain.datasources.imports.row_sources import RowSource, RowTexts
from formwright.domain.datasources.limits import MAX_CELL, MAX_COLUMN_NAME, MAX_COLUMNS, MAX_KEY, MAX_ROWS
from formwright.domain.datasources.models import CellType, Column
from formwright.domain.datasources.parsers.base import BadRow

_BUCKETS = 256


class DuplicateKeys:
    """Keys by their hashes. Which ones came twice is known after `settle`; whoever needs it earlier says which."""

    def __init__(self, twice: Collection[int] = ()) -> None:
        self.twice: set[int] = set()
        self.count = 0
        self._suspects = frozenset(twice)
        self._seen: set[int] = set()
        self._parts = [array("q") for _ in range(_BUCKETS)]

    def has(self, key: int) -> bool:
        """Whether it is one of the suspects and came before."""
        return key in self._seen

    def add(self, key: int) -> None:
        if key in self._suspects:
            self._seen.add(key)
        self._parts[key % _BUCKETS].append(key)
        self.count += 1

    def settle(self) -> int:
        """How many different ones there are. Only those of one part are looked at together."""
        for place, part in enumerate(self._parts):
            once = set(part)
            if len(once) < len(part):
                self.twice |= {key for key, times in Counter(part).items() if times > 1}
                self._parts[place] = array("q", once)
        self.count = sum(map(len, self._parts))
        return self.count


MAX_REPORTED = 1000
"""How many bad rows are named."""


@dataclass(slots=True)
class CheckedRows:
    """What was found: the columns with their types, how many rows are good, and those that are not."""

    columns: tuple[Column, ...]
    key: int
    seen: frozenset[str] = frozenset()
    """The columns in which any cell stood; of the others nothing is known."""
    good: int = 0
    bad: list[BadRow] = field(default_factory=list)
    bad_count: int = 0
    bad_lines: set[int] = field(default_factory=set)

    def note(self, row: BadRow) -> None:
        """One more bad row."""
        self.bad_count += 1
        self.bad_lines.add(row.line)
        if len(self.bad) < MAX_REPORTED:
            self.bad.append(row)


def build_columns(names: Sequence[str], key_column: str, types: dict[str, CellType]) -> tuple[Column, ...]:
    """The columns that were named, with the types that were fixed; `Invalid` where they cannot be columns."""
    if found := list(_check_columns(names, key_column, types)):
        raise Invalid(found)
    return tuple(Column(name, types.get(name, CellType.TEXT), name in types) for name in names)


def _check_columns(names: Sequence[str], key_column: str, types: dict[str, CellType]) -> Iterator[ValidationFault]:
    if len(names) > MAX_COLUMNS:
        yield ValidationFault(
            "/columns", "datasource.columns.too_many", f"At most {MAX_COLUMNS} columns; these are {len(names)}."
        )
    if len(names) != len(set(names)):
        yield ValidationFault("/columns", "datasource.column.taken", "A column's name stands twice.")
    for name in names:
        if not 0 < len(name) <= MAX_COLUMN_NAME:
            yield ValidationFault(
                "/columns", "datasource.column.name", f"A column's name has 1 to {MAX_COLUMN_NAME} characters."
            )
    if names and key_column not in names:
        known = ", ".join(names[:20])
        yield ValidationFault(
            "/keyColumn", "datasource.key_column", f"There is no column {key_column!r}. There are: {known}."
        )
    for name in types.keys() - set(names):
        yield ValidationFault("/types", "datasource.column.unknown", f"There is no column {name!r}.")


def check_rows(
    source: RowSource, columns: tuple[Column, ...], key_column: str, *, max_rows: int = MAX_ROWS
) -> CheckedRows:
    """Go through all rows: find the types of columns that are not fixed, and every row that cannot be taken in.

    `columns` are those of `incoming`, in its order. `room` is how many rows there may be.
    """
    checks = _RowChecks(columns, source.header.index(key_column))
    found = _run_pass(source, checks, max_rows)
    if checks.keys.twice:
        # Now that it is known which keys they are, each row but the first is bad.
        found = _run_pass(source, _RowChecks(columns, checks.key, checks.keys.twice), max_rows)
    return found


def _run_pass(source: RowSource, checks: "_RowChecks", max_rows: int) -> CheckedRows:
    types = TypeDetector(checks.columns)
    found = CheckedRows(checks.columns, checks.key)
    for row in source.rows(types):
        if isinstance(row, BadRow):
            found.note(row)
        elif bad := checks.of(*row):
            found.note(bad)
        else:
            found.good += 1
            if checks.keys.count > 2 * max_rows:
                _check_row_count(checks, max_rows)
    _check_row_count(checks, max_rows)
    found.columns, found.seen = types.columns(), types.seen()
    return found


def _check_row_count(checks: "_RowChecks", max_rows: int) -> None:
    if checks.keys.settle() > max_rows:
        raise Invalid.at("/rows", "datasource.rows.too_many", f"A datasource has at most {MAX_ROWS:,} rows.")


class _RowChecks:
    """What each row must pass."""

    def __init__(self, columns: tuple[Column, ...], key: int, twice: Collection[int] = ()) -> None:
        self.columns, self.key = columns, key
        self._fixed = [
            (index, column) for index, column in enumerate(columns) if column.fixed and column.type != "text"
        ]
        self.keys = DuplicateKeys(twice)

    def of(self, line: int, texts: RowTexts) -> BadRow | None:
        key = (texts[self.key] or "").strip()
        name = self.columns[self.key].name
        if not key:
            return BadRow(line, name, "datasource.key.missing", "Every row needs a value in the key column.")
        if len(key) > MAX_KEY:
            return BadRow(line, name, "datasource.key.too_long", f"A key has at most {MAX_KEY} characters.")
        if self.keys.has(known := hash(key)):
            # Two of a million texts share their 64 bits once in ten million imports; then one row is refused.
            return BadRow(line, name, "datasource.key.taken", f"A row before it has the key {key[:100]!r} already.")
        if bad := self._cell(line, texts):
            return bad
        self.keys.add(known)
        return None

    def _cell(self, line: int, texts: RowTexts) -> BadRow | None:
        if max(map(len, filter(None, texts))) > MAX_CELL:
            long = next(index for index, text in enumerate(texts) if text and len(text) > MAX_CELL)
            detail = f"A cell has at most {MAX_CELL:,} characters."
            return BadRow(line, self.columns[long].name, "cell.too_long", detail)
        for index, column in self._fixed:
            if (text := texts[index]) and not cell_types.is_convertible(column.type, text):
                detail = f"{text[:50]!r} is no {column.type.value}, which the column's type is."
                return BadRow(line, column.name, "datasource.cell.type", detail)
        return None


def merge_columns(old: Sequence[Column], found: CheckedRows, *, empty: bool) -> tuple[Column, ...]:
    """The columns that were there and those that came, with types wide enough for both; `empty`: it had no rows."""
    both = {column.name: column for column in old}
    for column in found.columns:
        before = both.get(column.name)
        if before is None or (empty and not before.fixed):
            both[column.name] = column
        elif not before.fixed and column.name in found.seen:
            both[column.name] = replace(before, type=cell_types.common_type(before.type, column.type))
    return tuple(both.values())
