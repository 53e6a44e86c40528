"""Reads the rows of a file as submissions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

import msgspec

from formwright.core.clock import EARLIEST, LATEST, to_milliseconds
from formwright.core.errors import ValidationFault
from formwright.core.ids import is_id
from formwright.core.tables.base import BadRow, CellRules, Dialect, FileTable, TableUnreadable
from formwright.core.tables.numbers import DecimalMark, read_coordinate
from formwright.core.tables.open import open_table
from formwright.core.tables.xlsx import open_sheets
from formwright.domain.forms.answer_fields import list_answer_fields, list_repeats
from formwright.domain.forms.fields import RepeatField
from formwright.domain.forms.models import Version
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid
from formwright.domain.submissions.imports.cells import (
    parse_cell,
    parse_moment,
    parse_number,
    unescape_text,
)
from formwright.domain.submissions.imports.columns import (
    ROW_PREFIX,
    ColumnMapping,
    Property,
    RepeatColumns,
    RepeatPath,
    Target,
    map_repeat,
    match_sheet,
    resolve_mapping,
    target_name,
)
from formwright.domain.submissions.imports.models import MAX_CELL, ImportOptions, Kind, RejectedRow
from formwright.domain.submissions.imports.notation import Notation, detect_notation
from formwright.domain.submissions.models import SubmissionImport

_RULES = CellRules(max_length=MAX_CELL, strip=False, marks_numbers=True)
_MAX_EXTERNAL_ID = 200
_LOCATION = (Property.LATITUDE, Property.LONGITUDE, Property.ACCURACY)


class FileRow(NamedTuple):
    """A row of the file: the submission it contains, or the errors that make it invalid.

    `cells` are as they are in the file, and empty if the row cannot be read. `position` is where the row stands among
    all that are read: the same in each reading of a file, and always increasing, unlike `line`, which rows of a repeat
    have from another sheet.
    """

    line: int
    payload: SubmissionImport | None
    errors: Sequence[RejectedRow]
    cells: Sequence[str]
    position: int


RowKey = tuple[str, ...]


@dataclass(slots=True)
class _RepeatRows:
    """The rows of a repeat in a sheet of their own, by the id of the submission and, in a repeat inside another one,
    the numbers of the rows around them.
    """

    sheet: str
    path: Sequence[RepeatField]
    rows: defaultdict[RowKey, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    errors: defaultdict[str, list[RejectedRow]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[str, int] = field(default_factory=dict)
    """The line of the first row of each submission."""

    def add_link_error(self, link: str, column: str, detail: str) -> None:
        """Add the error that rows of a submission belong to no row, at the first row of the submission."""
        column = f"{self.sheet}!{column}"
        self.errors[link].append(RejectedRow(self.lines[link], column, "import.repeat.link", detail))


class _RepeatSheet(NamedTuple):
    """The open sheet of a repeat."""

    table: FileTable
    path: RepeatPath
    columns: RepeatColumns


class SubmissionFile:
    """An open file whose columns are mapped. Opening and reading it blocks, so call it in a thread.

    Raises `TableUnreadable` if the file is not a table, and `Invalid` if its columns cannot be mapped.
    """

    def __init__(self, file: BinaryIO, kind: Kind, version: Version, options: ImportOptions) -> None:
        self._options, self._kind = options, kind
        dialect = Dialect(options.encoding, options.delimiter, options.sheet)
        self._table: FileTable = open_table(file, kind, dialect, _RULES)
        self.dialect = self._table.dialect
        fields = list_answer_fields(version.definition.fields)
        self.header = self._table.header
        self.mapping: ColumnMapping = resolve_mapping(
            self.header, fields, options.columns, skip_unmapped=options.skip_unmapped
        )
        sheets = self._open_repeats(file, list(list_repeats(version.definition.fields)))
        self.notation = self._detect_notation(sheets)
        self._format = CellFormat(options.time_zone, self.notation.decimal_mark, self.notation.day_first)
        self._repeats = self._read_repeats(sheets)
        self._headings = {target_name(target): self.header[index] for index, target in self.mapping.targets.items()}

    @property
    def sheets(self) -> Sequence[str]:
        """The names of the sheets of a workbook."""
        return self._table.sheets

    @property
    def encoding_sample(self) -> Sequence[str]:
        """Cells to check the encoding with, unless the file says which one it has."""
        return self._table.encoding_sample

    @property
    def repeats(self) -> Sequence[str]:
        """The names of the repeats whose rows are in sheets of their own."""
        return list(self._repeats)

    def rows(self) -> Iterator[FileRow]:
        """Yield the rows in order. Raises `TableUnreadable`, possibly after some rows."""
        seen: set[str] = set()
        position = 0
        for row in self._table.rows():
            if isinstance(row, BadRow):
                position = row.line
                yield FileRow(row.line, None, [RejectedRow(row.line, row.column, row.code, row.detail)], (), row.line)
            else:
                position = row[0]
                yield self._read_row(*row, seen)
        for error in self._find_unused_links(seen):
            position += 1
            yield FileRow(error.line, None, [error], (), position)

    def _find_unused_links(self, seen: Set[str]) -> Iterator[RejectedRow]:
        """Yield an error for each link of a repeat that no submission has, in the order of the sheets."""
        for repeat in self._repeats.values():
            for link, line in repeat.lines.items():
                if link not in seen:
                    detail = f"The sheet {repeat.sheet!r} has rows for {link[:50]!r}, which no submission has."
                    yield RejectedRow(line, f"{repeat.sheet}!id", "import.repeat.link", detail)

    def column_of(self, fault: ValidationFault) -> str | None:
        """Return the column that a validation error of the submission is about."""
        first, _, rest = fault.pointer.lstrip("/?").partition("/")
        if first == "data":
            return self._headings.get(f"answers.{rest.partition('/')[0]}")
        return self._headings.get(first)

    def _read_row(self, line: int, cells: list[str], seen: set[str]) -> FileRow:
        data: dict[str, Any] = {}
        values: dict[Property, Any] = {}
        errors: list[RejectedRow] = []
        for index, target in self.mapping.targets.items():
            text = self._clean(cells[index])
            if not text:
                continue
            try:
                if isinstance(target, Property):
                    values[target] = self._read_property(target, text)
                else:
                    data[target.name] = parse_cell(target, text, self._format)
            except CellInvalid as error:
                errors.append(RejectedRow(line, self.header[index], error.code, error.detail))
        link = values.get(Property.ID, "")
        seen.add(link)
        for name, repeat in self._repeats.items():
            if link and link in repeat.lines:
                errors += repeat.errors.get(link, ())
                if len(repeat.path) == 1:
                    data[name] = repeat.rows[link,]
        if errors:
            return FileRow(line, None, errors, cells, line)
        return FileRow(line, _to_import(data, values), (), cells, line)

    def _clean(self, text: str) -> str:
        return unescape_text(text) if self._kind == "csv" else text

    def _read_property(self, target: Property, cell: str) -> Any:
        text = cell.strip()
        match target:
            case Property.SUBMITTED_AT:
                ms = to_milliseconds(parse_moment(text, self._format))
                if not EARLIEST <= ms <= LATEST:
                    raise CellInvalid("import.cell.datetime", f"{text[:50]!r} is too early or too late.")
                return ms
            case Property.LATITUDE | Property.LONGITUDE:
                return _check_coordinate(target, _parse_coordinate(text))
            case Property.ACCURACY:
                return _check_coordinate(target, float(parse_number(cell, self._format)))
            case Property.USER_ID if not is_id(text, "usr"):
                raise CellInvalid("import.cell.user", f"{text[:50]!r} is not the id of a user, such as usr_….")
            case Property.EXTERNAL_ID if len(text) > _MAX_EXTERNAL_ID:
                raise CellInvalid(
                    "import.cell.external_id", f"An external id has at most {_MAX_EXTERNAL_ID} characters."
                )
        return text

    def _detect_notation(self, sheets: Sequence[_RepeatSheet]) -> Notation:
        options = self._options
        mark: DecimalMark | None = None if options.decimal_comma is None else "," if options.decimal_comma else "."
        known = Notation(mark, options.day_first)
        if options.is_detected:
            return known
        repeats = [(sheet.table, sheet.columns.fields) for sheet in sheets]
        return detect_notation([(self._table, self.mapping.targets), *repeats], known)

    def _open_repeats(self, file: BinaryIO, repeats: Sequence[RepeatPath]) -> list[_RepeatSheet]:
        """Open the sheets of repeats."""
        others = [name for name in self._table.sheets if name != self.dialect.sheet and match_sheet(name, repeats)]
        found: list[_RepeatSheet] = []
        for table in open_sheets(file, others, _RULES) if others else []:
            path = match_sheet(str(table.dialect.sheet), repeats)
            columns = map_repeat(table.header, path) if path else None
            if path is not None and columns is not None:
                found.append(_RepeatSheet(table, path, columns))
        return found

    def _read_repeats(self, sheets: Sequence[_RepeatSheet]) -> dict[str, _RepeatRows]:
        """Read the sheets of repeats. They are held in memory, because their rows may be in any order."""
        found: dict[str, _RepeatRows] = {}
        for sheet in sheets:
            rows = found.setdefault(sheet.path[-1].name, _RepeatRows(str(sheet.table.dialect.sheet), sheet.path))
            self._read_repeat(sheet.table, sheet.columns, rows)
        for repeat in found.values():
            _add_to_outer_rows(repeat, found)
        return found

    def _read_repeat(self, table: FileTable, columns: RepeatColumns, into: _RepeatRows) -> None:
        for row in table.rows():
            if isinstance(row, BadRow):
                raise TableUnreadable(row.code, f"Sheet {into.sheet!r}: {row.detail}", row.line)
            line, cells = row
            submission_id, answers = cells[columns.link].strip(), {}
            into.lines.setdefault(submission_id, line)
            for index, one in columns.fields.items():
                try:
                    if cells[index]:
                        answers[one.name] = parse_cell(one, cells[index], self._format)
                except CellInvalid as error:
                    column = f"{into.sheet}!{table.header[index]}"
                    into.errors[submission_id].append(RejectedRow(line, column, error.code, error.detail))
            numbers = (cells[index].strip().removesuffix(".0") for index in columns.outer)
            into.rows[submission_id, *numbers].append(answers)


def _add_to_outer_rows(repeat: _RepeatRows, repeats: Mapping[str, _RepeatRows]) -> None:
    """Add the rows of a repeat inside another one to the rows that contain them."""
    for key, rows in repeat.rows.items() if len(repeat.path) > 1 else ():
        link, *_, number = key
        outer = repeats.get(repeat.path[-2].name)
        around = outer.rows.get(key[:-1], []) if outer else []
        if number.isdecimal() and 1 <= int(number) <= len(around):
            around[int(number) - 1][repeat.path[-1].name] = rows
        else:
            detail = f"The repeat {repeat.path[-2].name} has no row {number[:20]!r} in this submission."
            repeat.add_link_error(link, f"{ROW_PREFIX}{repeat.path[-2].name}", detail)


def _parse_coordinate(text: str) -> float:
    value = read_coordinate(text)
    if value is None:
        raise CellInvalid("import.cell.location", f"{text[:50]!r} is not a number of degrees. Write it as 52.52.")
    return float(value)


def _check_coordinate(target: Property, value: float) -> float:
    low, high = {Property.LATITUDE: (-90, 90), Property.LONGITUDE: (-180, 180)}.get(target, (0, 1e308))
    if not low <= value <= high:
        raise CellInvalid("import.cell.location", f"{value} is not between {low} and {high:g}.")
    return value


def _to_import(data: dict[str, Any], values: Mapping[Property, Any]) -> SubmissionImport:
    location = {one.value: values.get(one) for one in _LOCATION}
    has_position = Property.LATITUDE in values and Property.LONGITUDE in values
    return SubmissionImport(
        data,
        values.get(Property.EXTERNAL_ID),
        values.get(Property.SUBMITTED_AT),
        values.get(Property.USER_ID),
        msgspec.json.encode(location).decode() if has_position else None,
    )


def summarise_columns(file: SubmissionFile) -> dict[str, str]:
    """Return the name of the column of each mapped target."""
    targets: Mapping[int, Target] = file.mapping.targets
    return {target_name(target): file.header[index] for index, target in targets.items()}
