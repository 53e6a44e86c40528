"""A spreadsheet's bytes as rows by sheet."""

import datetime
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook

from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.workbook_part import letters
from formwright.domain.forms.xlsform import limits
from formwright.domain.forms.xlsform.columns import column_of
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.unpacking import unpack

SHEETS = ("survey", "choices", "settings", "external_choices", "entities", "osm")
_MOST_ROWS = {"survey": limits.MAX_SURVEY_ROWS, "choices": limits.MAX_CHOICE_ROWS}


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
        columns = {heading: column_of(heading) for heading in self.headings}
        for number, raw in enumerate(self.raw, start=2):
            if raw:
                yield Row(number, {columns[heading]: value for heading, value in raw.items()})

    def columns(self) -> list[tuple[str, str]]:
        """The columns with their languages, in their order."""
        return [column_of(heading) for heading in self.headings]


@dataclass(frozen=True, slots=True)
class Book:
    """The sheets that are XLSForm's, by name; all names as written, for pyxform's remarks on misspelt ones."""

    sheets: dict[str, Sheet]
    names: list[str]

    def rows(self, sheet: str) -> list[Row]:
        """The rows of a sheet; none where it is not there."""
        return list(self.sheets[sheet].rows()) if sheet in self.sheets else []


def read_book(content: bytes, report: Report) -> Book:
    """The workbook's rows; `Invalid` where there are none to read."""
    unpacked = unpack(content)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(unpacked.content))
        names = workbook.sheet_names
        known = _known(names)
        sheets = {name: _sheet(name, _cells(workbook, written)) for name, written in known.items()}
    except CalamineError:
        raise Invalid.at("", "xlsform.not_xlsx", "This is no .xlsx file, or it is damaged.") from None
    if "survey" not in sheets:
        raise Invalid.at("/survey", "xlsform.survey_missing", "The file has no sheet named survey.")
    for name, written in known.items():
        _report_formulas(name, unpacked.formulas.get(written, ()), report)
    for other in set(names) - set(known.values()):
        report.dropped(other, None, None, "sheet_unknown", f"The sheet {other} is no part of XLSForm.")
    return Book(sheets, names)


def _known(names: Sequence[str]) -> dict[str, str]:
    known = {name.lower(): name for name in names if name.lower() in SHEETS}
    # A lone sheet is the survey, whatever its name: so pyxform has it.
    return known or ({"survey": names[0]} if len(names) == 1 else {})


def _cells(workbook: CalamineWorkbook, name: str) -> list[list[Any]]:
    return workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)


def _sheet(name: str, cells: list[list[Any]]) -> Sheet:
    headings = [_text(cell) for cell in cells[0]] if cells else []
    for place, heading in enumerate(headings):
        if heading and heading in headings[:place]:
            raise Invalid.at(f"/{name}/1/{heading}", "xlsform.column_twice", f"The column {heading} stands twice.")
    raw = [
        {heading: text for heading, cell in zip(headings, row, strict=False) if heading and (text := _text(cell))}
        for row in cells[1:]
    ]
    if any(len(text) > limits.MAX_CELL for row in raw for text in row.values()):
        raise Invalid.at(f"/{name}", "xlsform.cell_too_long", f"A cell holds more than {limits.MAX_CELL} characters.")
    while raw and not raw[-1]:
        raw.pop()
    if len(raw) > (most := _MOST_ROWS.get(name, limits.MAX_CHOICE_ROWS)):
        detail = f"The sheet {name} has {len(raw)} rows; {most} are the most that is read."
        raise Invalid.at(f"/{name}", "xlsform.too_many_rows", detail)
    return Sheet(name, [heading for heading in headings if heading], raw)


def _text(cell: Any) -> str:
    """A cell as pyxform would see it: whole numbers without a point, times as ISO 8601."""
    match cell:
        case bool():
            return "TRUE" if cell else "FALSE"
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime.datetime() | datetime.date() | datetime.time():
            return cell.isoformat()
    return re.sub(r" +", " ", str(cell).replace("\u00a0", " ").strip())


def _report_formulas(sheet: str, cells: Iterable[tuple[int, int]], report: Report) -> None:
    for row, column in ((row, letters(number)) for row, number in cells):
        detail = f"Cell {column}{row} is a formula. The value stored with it was taken; nothing was computed."
        report.changed(sheet, row, column, "formula", detail)
