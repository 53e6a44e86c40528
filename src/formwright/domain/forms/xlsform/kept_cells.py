"""Cells of a workbook that mean nothing here. They are kept with the form, so that exports write them again."""

import re
from collections.abc import Set

from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import SurveyWorkbook

MAX_KEPT = 20
MAX_ENTITIES = 20
_MAX_LENGTH = 2000
_REFERENCE = re.compile(r"\$\{\s*([^}]*?)\s*\}")


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


def missing_name(text: str, names: Set[str]) -> str | None:
    """Return the name of a question that the text refers to and the form does not have, or None."""
    return min(set(_REFERENCE.findall(text)) - names, default=None)
