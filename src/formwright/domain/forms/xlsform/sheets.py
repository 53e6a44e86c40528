"""Reads the sheets of an XLSForm workbook: limits, headings and rows."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from formwright.core.errors import Invalid
from formwright.core.workbooks.models import Cell, Limits, Selection, WorkbookUnreadable, column_letters
from formwright.core.workbooks.reader import Workbook, Worksheet, read_workbook
from formwright.domain.forms.xlsform.report import Report

_ALIASES = {
    "caption": "label",
    "command": "type",
    "tag": "name",
    "value": "name",
    "relevance": "relevant",
    "readonly": "read_only",
    "calculate": "calculation",
    "constraining_message": "constraint_message",
    "requiredmsg": "required_message",
    "count": "repeat_count",
    "jr:count": "repeat_count",
    "jr:constraintmsg": "constraint_message",
    "jr:requiredmsg": "required_message",
    "set_form_title": "form_title",
    "title": "form_title",
    "set_form_id": "form_id",
    "id_string": "form_id",
}
_PREFIXES = ("bind", "control", "body", "media")
_TRANSLATED = frozenset(
    {"label", "hint", "guidance_hint", "constraint_message", "required_message", "image", "audio", "video", "big-image"}
)


def parse_heading(heading: str, *, keeps_case: bool = False) -> tuple[str, str]:
    """Return the documented name of a column, and the language in its heading, which is empty if it has none.

    With `keeps_case`, columns of the author are as written, because expressions name them so.
    """
    first, *rest = _split_heading(heading)
    if first in _PREFIXES and rest:
        first, *rest = rest
    written = "_".join(first.split())
    name = _ALIASES.get(written.lower(), written.lower())
    if keeps_case and name not in (*_TRANSLATED, "list_name", "name"):
        name = written
    if name in _TRANSLATED:
        return name, " ".join(rest)
    return "::".join((name, *rest)), ""


def _split_heading(heading: str) -> list[str]:
    if "::" in heading:
        return [token.strip() for token in heading.split("::")]
    # Older forms have a single colon before the language. In `jr:count`, it is a part of the name.
    if ":" in heading and not heading.lower().startswith("jr:"):
        first, _, rest = heading.partition(":")
        return [first.strip(), rest.strip()]
    return [heading.strip()]


MAX_FILE_BYTES = 10 * 1024 * 1024
"""The size of an uploaded file in bytes."""

MAX_UNPACKED_BYTES = 50 * 1024 * 1024
"""The uncompressed size in bytes of the parts that are read."""

MAX_CELLS = 1_000_000
"""The number of cells in all sheets that are read, without empty ones."""

MAX_TOTAL_CHARACTERS = 50_000_000
"""The number of characters in all sheets that are read."""

MAX_MEMORY_BYTES = 384 * 1024 * 1024
"""The memory in bytes of the process that reads the workbook."""

MAX_SECONDS = 30
"""The CPU time of that process in seconds."""

MAX_CELL_LENGTH = 32_767
"""The number of characters in a cell, which is the limit of Excel."""

MAX_SURVEY_ROWS = 3_000
MAX_CHOICE_ROWS = 20_000
MAX_OPTIONS = 1_000
MAX_XPATH_LENGTH = 4_000


SHEETS = ("survey", "choices", "settings", "external_choices", "entities", "osm")
LIMITS = Limits(
    file=MAX_FILE_BYTES,
    unpacked=MAX_UNPACKED_BYTES,
    cells=MAX_CELLS,
    text=MAX_TOTAL_CHARACTERS,
    memory=MAX_MEMORY_BYTES,
    seconds=MAX_SECONDS,
)
_STRAIGHT_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
"""pyxform replaces typographic quotes in all sheets: otherwise, expressions with them would mean something else."""
_MAX_PADDED_ROWS = 100_000
_MAX_ROWS = {"survey": MAX_SURVEY_ROWS, "choices": MAX_CHOICE_ROWS}


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is not empty, with its number in the spreadsheet. `cells` are by column and language as written."""

    number: int
    cells: dict[tuple[str, str], str]

    def value(self, column: str) -> str:
        """Return the text of a cell, or an empty string."""
        return self.cells.get((column, ""), "")

    def texts(self, column: str) -> dict[str, str]:
        """Return the texts of a translated column by the language in its heading."""
        return {language: text for (name, language), text in self.cells.items() if name == column}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet. `cells` contains the rows that are not empty by their number, from 2 on, each by heading."""

    name: str
    headings: list[str]
    cells: dict[int, dict[str, str]]

    @property
    def last_row(self) -> int:
        """The number of the last row that is not empty."""
        return max(self.cells, default=1)

    def padded_rows(self) -> list[dict[str, str]]:
        """Return the rows from row 2 on, with empty ones between them unless there would be very many."""
        if self.last_row > _MAX_PADDED_ROWS:
            return list(self.cells.values())
        return [self.cells.get(number, {}) for number in range(2, self.last_row + 1)]

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are not empty."""
        columns = dict(zip(self.headings, self.columns(), strict=True))
        for number, cells in self.cells.items():
            yield Row(number, {columns[heading]: value for heading, value in cells.items()})

    def with_rows(self, rows: Mapping[int, Row]) -> "Sheet":
        """Return the sheet with these rows instead of those with their numbers. They may have further columns."""
        headings = dict(zip(self.columns(), self.headings, strict=True))
        for row in rows.values():
            for column, language in row.cells:
                headings.setdefault((column, language), f"{column}::{language}" if language else column)
        written = {
            number: {headings[column]: text for column, text in row.cells.items() if text}
            for number, row in rows.items()
        }
        # Several headings may be written for the same column.
        return Sheet(self.name, list(dict.fromkeys([*self.headings, *headings.values()])), {**self.cells, **written})

    def columns(self) -> list[tuple[str, str]]:
        """Return the columns with their languages, in order."""
        keeps_case = self.name in ("choices", "external_choices")
        return [parse_heading(heading, keeps_case=keeps_case) for heading in self.headings]


@dataclass(frozen=True, slots=True)
class SurveyWorkbook:
    """The sheets that XLSForm defines, by name. `names` are those of all sheets: pyxform reports misspelt ones."""

    sheets: dict[str, Sheet]
    names: list[str]

    def rows(self, sheet: str) -> list[Row]:
        """Return the rows of a sheet. Empty if the workbook does not contain it."""
        return list(self.sheets[sheet].rows()) if sheet in self.sheets else []


def read_survey_workbook(content: bytes, report: Report) -> SurveyWorkbook:
    """Read a workbook. Raises `Invalid` if it cannot be read or has no survey."""
    workbook = _read_bytes(content)
    known = {_sheet_name(sheet): sheet for sheet in workbook.selected}
    keeps_spaces = "settings" in known and _keeps_spaces(_to_sheet("settings", known["settings"]))
    sheets = {
        name: _to_sheet(name, sheet, collapses=name == "survey" and not keeps_spaces) for name, sheet in known.items()
    }
    if "survey" not in sheets:
        raise Invalid.at("/survey", "xlsform.survey_missing", "The workbook has no sheet named survey.")
    for name, sheet in known.items():
        _report_formulas(name, sheet, sheets[name].last_row, report)
    for other in sorted(set(workbook.names) - {sheet.name for sheet in known.values()}):
        report.add_drop(other, None, None, "sheet_unknown", f"The sheet {other} is not part of XLSForm.")
    return SurveyWorkbook(sheets, workbook.names)


def _read_bytes(content: bytes) -> Workbook:
    # Like pyxform, treat the only sheet of a workbook as the survey, whatever its name.
    selection = Selection(SHEETS, fallback="only", formulas=True)
    try:
        return read_workbook(io.BytesIO(content), selection, LIMITS)
    except WorkbookUnreadable as error:
        raise Invalid.at("", f"xlsform.{error.code}", error.detail) from None


def _sheet_name(sheet: Worksheet) -> str:
    return name if (name := sheet.name.lower()) in SHEETS else "survey"


def _keeps_spaces(settings: Sheet) -> bool:
    """Whether the texts of the survey keep several spaces in a row."""
    return any(row.value("clean_text_values").lower() in ("no", "false", "false()") for row in settings.rows())


def _to_sheet(name: str, sheet: Worksheet, *, collapses: bool = False) -> Sheet:
    rows = _padded_rows(sheet)
    headings = [_collapse_spaces(heading) for heading in rows.pop(1, [])]
    if collapses:
        rows = {number: [_collapse_spaces(text) for text in row] for number, row in rows.items()}
    for place, heading in enumerate(headings):
        if heading and heading in headings[:place]:
            raise Invalid.at(f"/{name}/1/{heading}", "xlsform.column_twice", f"The column {heading} occurs twice.")
    known = {
        number: {heading: text for heading, text in zip(headings, row, strict=False) if heading and text}
        for number, row in rows.items()
    }
    if any(len(text) > MAX_CELL_LENGTH for row in known.values() for text in row.values()):
        raise Invalid.at(
            f"/{name}", "xlsform.cell_too_long", f"A cell contains more than {MAX_CELL_LENGTH} characters."
        )
    cells = {number: row for number, row in sorted(known.items()) if row}
    if (count := len(cells)) > (most := _MAX_ROWS.get(name, MAX_CHOICE_ROWS)):
        detail = f"The sheet {name} has {count} rows. The limit is {most}."
        raise Invalid.at(f"/{name}", "xlsform.too_many_rows", detail)
    return Sheet(name, [heading for heading in headings if heading], cells)


def _padded_rows(sheet: Worksheet) -> dict[int, list[str]]:
    """Return the rows of a sheet by number. Their first cell is that of column A."""
    before = [""] * (sheet.first_column - 1)
    return {number: [*before, *map(_cell_text, row)] for number, row in sheet.rows()}


def _cell_text(cell: Cell) -> str:
    """Return a cell as pyxform reads it: integers without a decimal point, dates and times in ISO 8601."""
    match cell:
        case bool():
            return "TRUE" if cell else "FALSE"
        case float() if cell.is_integer():
            return str(int(cell))
    return str(cell).replace("\u00a0", " ").strip().translate(_STRAIGHT_QUOTES)


def _collapse_spaces(text: str) -> str:
    return re.sub(r" +", " ", text)


def _report_formulas(name: str, sheet: Worksheet, last_row: int, report: Report) -> None:
    for row, number in sheet.formula_positions():
        if row <= last_row:
            column = column_letters(number)
            detail = f"Cell {column}{row} is a formula. Its stored value was imported; nothing was calculated."
            report.add_change(name, row, column, "formula", detail)
