"""Cells of a workbook that mean nothing here. They are kept with the form, so that exports write them again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.media_columns import COLUMNS
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

# The limits of `KeptCells` and `XlsformSettings`, which reject a definition with more.
MAX_KEPT = 20
MAX_ENTITIES = 20
_MAX_CHOICES = 1000
_MAX_FILES = 20
_MAX_LENGTH = 2000
_LIST = re.compile(r"""\b(?:tick_labelset|reference-geometry)=(\S+)|\binstance\(\s*['"]([^'"]+)['"]""")
ATTACHED = {"csv-external": ".csv", "xml-external": ".xml"}
"""The types of rows that attach files, with the endings of their names."""


def keep(kept: dict[str, str], column: str, text: str) -> bool:
    """Add a cell to those that are kept. Returns whether that was possible."""
    fits = len(column) <= 100 and 0 < len(text) <= _MAX_LENGTH and len(kept) < MAX_KEPT
    if fits:
        kept[column] = text
    return fits


def keep_entities(book: SurveyWorkbook, report: Report) -> list[dict[str, str]]:
    """Return the rows of the sheet `entities`, which say how other systems create records from submissions."""
    found: list[dict[str, str]] = []
    for row in book.rows("entities")[:MAX_ENTITIES]:
        cells: dict[str, str] = {}
        for (column, language), text in row.cells.items():
            keep(cells, f"{column}::{language}" if language else column, text)
        found += [cells] if cells else []
    if found:
        detail = "The sheet entities has no effect here: submissions create no entities. Exports write it again."
        report.add_change("entities", None, None, "kept", detail)
    return found


def keep_choices(
    book: SurveyWorkbook, languages: Languages, texts: Sequence[str], report: Report
) -> list[dict[str, str]]:
    """Return the rows of the lists that these kept cells refer to, without which they would be invalid."""
    named = {name for text in texts for name in names_of_lists(text)}
    rows = [row for row in book.rows("choices") if row.value("list_name") in named and row.value("name")]
    found = [_cells_of_choice(row, languages) for row in rows[:_MAX_CHOICES]]
    if found:
        detail = "Kept parameters and sheets use choices, which have no effect there. Exports write them again."
        report.add_change("choices", None, "list_name", "kept", detail)
    return found


def names_of_lists(text: str) -> Iterator[str]:
    """Yield the lists and files that a kept cell refers to."""
    yield from (first or second for first, second in _LIST.findall(text))


def _cells_of_choice(row: Row, languages: Languages) -> dict[str, str]:
    cells: dict[str, str] = {}
    for column in ("list_name", "name"):
        keep(cells, column, row.value(column))
    label = languages.label(row, "label", "choices") or row.value("name")
    for tag, text in label.items() if isinstance(label, dict) else [("", label)]:
        keep(cells, f"label::{tag}" if tag else "label", text)
    for (column, language), text in row.cells.items():
        if not language and column not in ("list_name", "name", "label") and column not in COLUMNS:
            keep(cells, column, text)
    return cells


def keep_files(book: SurveyWorkbook) -> list[str]:
    """Return the names of the files that rows of the survey attach for expressions."""
    rows = [(ATTACHED.get(row.value("type").lower(), ""), row.value("name")) for row in book.rows("survey")]
    return list(dict.fromkeys(f"{name}{ending}" for ending, name in rows if ending and 0 < len(name) < 190))[
        :_MAX_FILES
    ]


def texts_of(documents: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the kept cells of all questions."""
    for document in documents.values():
        yield from document.get("xlsformColumns", {}).values()
