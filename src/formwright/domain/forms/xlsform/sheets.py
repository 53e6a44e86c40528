"""The headings of XLSForm's sheets: which column one means, and for which language.

How much of a workbook is read.

A spreadsheet's bytes as rows by sheet.
"""

import io
import re
from collections.abc import Iterator
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


def parse_heading(heading: str) -> tuple[str, str]:
    """The column's name as XLSForm documents it, and the language as written; empty where none is."""
    first, *rest = _split_heading(heading)
    if first in _PREFIXES and rest:
        first, *rest = rest
    name = "_".join(first.split()).lower()
    name = _ALIASES.get(name, name)
    if name in _TRANSLATED:
        return name, " ".join(rest)
    return "::".join((name, *rest)), ""


def _split_heading(heading: str) -> list[str]:
    if "::" in heading:
        return [token.strip() for token in heading.split("::")]
    if ":" in heading and not heading.lower().startswith("jr:"):
        first, _, rest = heading.partition(":")
        return [first.strip(), rest.strip()]
    return [heading.strip()]


MAX_FILE_BYTES = 10 * 1024 * 1024
"""Bytes as uploaded."""

MAX_UNPACKED_BYTES = 50 * 1024 * 1024
"""Bytes of the parts that are read, unpacked."""

MAX_CELLS = 1_000_000
"""In all sheets that are read, without empty cells."""

MAX_TOTAL_CHARACTERS = 50_000_000
"""Characters in all sheets that are read."""

MAX_MEMORY_BYTES = 384 * 1024 * 1024
"""Bytes that the process may use that reads the workbook."""

MAX_SECONDS = 30
"""Processor time of that process."""

MAX_CELL_LENGTH = 32_767
"""Characters: what Excel itself allows."""

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
_MAX_ROWS = {"survey": MAX_SURVEY_ROWS, "choices": MAX_CHOICE_ROWS}


@dataclass(frozen=True, slots=True)
class Row:
    """One row that is not empty. `number` is the spreadsheet's; `cells` are by column and language as written."""

    number: int
    cells: dict[tuple[str, str], str]

    def value(self, column: str) -> str:
        """The cell; empty where there is none."""
        return self.cells.get((column, ""), "")

    def texts(self, column: str) -> dict[str, str]:
        """The cells of a translated column by language as written."""
        return {language: text for (name, language), text in self.cells.items() if name == column}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet. `raw` are its rows by heading as written, empty ones too, from row 2 on."""

    name: str
    headings: list[str]
    raw: list[dict[str, str]]

    def rows(self) -> Iterator[Row]:
        """The rows that are not empty."""
        columns = {heading: parse_heading(heading) for heading in self.headings}
        for number, raw in enumerate(self.raw, start=2):
            if raw:
                yield Row(number, {columns[heading]: value for heading, value in raw.items()})

    def columns(self) -> list[tuple[str, str]]:
        """The columns with their languages, in their order."""
        return [parse_heading(heading) for heading in self.headings]


@dataclass(frozen=True, slots=True)
class SurveyWorkbook:
    """The sheets that are XLSForm's, by name; all names as written, for pyxform's remarks on misspelt ones."""

    sheets: dict[str, Sheet]
    names: list[str]

    def rows(self, sheet: str) -> list[Row]:
        """The rows of a sheet; none where it is not there."""
        return list(self.sheets[sheet].rows()) if sheet in self.sheets else []


def read_survey_workbook(content: bytes, report: Report) -> SurveyWorkbook:
    """The workbook's rows; `Invalid` where there are none to read."""
    workbook = _read_bytes(content)
    known = {_sheet_name(sheet): sheet for sheet in workbook.selected}
    sheets = {name: _to_sheet(name, sheet) for name, sheet in known.items()}
    if "survey" not in sheets:
        raise Invalid.at("/survey", "xlsform.survey_missing", "The file has no sheet named survey.")
    for name, sheet in known.items():
        _report_formulas(name, sheet, len(sheets[name].raw) + 1, report)
    for other in sorted(set(workbook.names) - {sheet.name for sheet in known.values()}):
        report.add_drop(other, None, None, "sheet_unknown", f"The sheet {other} is no part of XLSForm.")
    return SurveyWorkbook(sheets, workbook.names)


def _read_bytes(content: bytes) -> Workbook:
    # A lone sheet is the survey, whatever its name: so pyxform has it.
    selection = Selection(SHEETS, fallback="only", formulas=True)
    try:
        return read_workbook(io.BytesIO(content), selection, LIMITS)
    except WorkbookUnreadable as error:
        raise Invalid.at("", f"xlsform.{error.code}", error.detail) from None


def _sheet_name(sheet: Worksheet) -> str:
    return name if (name := sheet.name.lower()) in SHEETS else "survey"


def _to_sheet(name: str, sheet: Worksheet) -> Sheet:
    rows = _padded_rows(sheet)
    headings = rows.pop(1, [])
    for place, heading in enumerate(headings):
        if heading and heading in headings[:place]:
            raise Invalid.at(f"/{name}/1/{heading}", "xlsform.column_twice", f"The column {heading} stands twice.")
    known = {
        number: {heading: text for heading, text in zip(headings, row, strict=False) if heading and text}
        for number, row in rows.items()
    }
    if any(len(text) > MAX_CELL_LENGTH for row in known.values() for text in row.values()):
        raise Invalid.at(f"/{name}", "xlsform.cell_too_long", f"A cell holds more than {MAX_CELL_LENGTH} characters.")
    count = max((number for number, row in known.items() if row), default=1) - 1
    if count > (most := _MAX_ROWS.get(name, MAX_CHOICE_ROWS)):
        detail = f"The sheet {name} has {count} rows; {most} are the most that is read."
        raise Invalid.at(f"/{name}", "xlsform.too_many_rows", detail)
    raw = [known.get(number, {}) for number in range(2, count + 2)]
    return Sheet(name, [heading for heading in headings if heading], raw)


def _padded_rows(sheet: Worksheet) -> dict[int, list[str]]:
    """The sheet's rows by number, from column A on."""
    before = [""] * (sheet.first_column - 1)
    return {number: [*before, *map(_cell_text, row)] for number, row in sheet.rows()}


def _cell_text(cell: Cell) -> str:
    """A cell as pyxform would see it: whole numbers without a point, times as ISO 8601."""
    match cell:
        case bool():
            return "TRUE" if cell else "FALSE"
        case float() if cell.is_integer():
            return str(int(cell))
    return re.sub(r" +", " ", str(cell).replace("\u00a0", " ").strip())


def _report_formulas(name: str, sheet: Worksheet, last_row: int, report: Report) -> None:
    for row, number in sheet.formula_positions():
        if row <= last_row:
            column = column_letters(number)
            detail = f"Cell {column}{row} is a formula. The value stored with it was taken; nothing was computed."
            report.add_change(name, row, column, "formula", detail)
