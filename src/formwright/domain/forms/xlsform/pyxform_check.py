"""Validates forms with pyxform, the reference implementation of XLSForm."""

import re
from typing import Any

from formwright.core.lazy_import import LazyModule
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import SurveyWorkbook

_pyxform, _errors = LazyModule("pyxform.xls2xform"), LazyModule("pyxform.errors")
_ROW = re.compile(r"\[row : (\d+)\]\s*")
_SHEET = re.compile(r"'(survey|choices|settings|entities|osm)' sheet")
_COLUMN = re.compile(r"'(\w+)' (?:column|value)")
_MAX_LENGTH = 500
_CRASHES = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""Exceptions that pyxform raises for unusual forms, besides its own."""


def check_with_pyxform(book: SurveyWorkbook, report: Report) -> None:
    """Report the error and the warnings of pyxform. The import continues, because most of the form is usable."""
    remarks: list[str] = []
    try:
        # `validate` would run ODK Validate, which needs Java.
        _pyxform.convert(_workbook(book), warnings=remarks, validate=False)
    except _errors.PyXFormError as error:
        report.add_refusal(*_parse_location(str(error)), "faulty", f"Invalid XLSForm: {_clean_message(str(error))}")
    except _CRASHES as error:
        report.add_refusal("survey", None, None, "faulty", f"pyxform cannot read the form ({type(error).__name__}).")
    for remark in remarks:
        if "max-pixels" not in remark:  # Advice for uploads to another product.
            report.add_warning(*_parse_location(remark), "remark", _clean_message(remark))


def _workbook(book: SurveyWorkbook) -> dict[str, Any]:
    sheets: dict[str, Any] = {"sheet_names": list(book.names), "fallback_form_name": "form"}
    for name, sheet in book.sheets.items():
        sheets[name] = [dict(row) for row in sheet.padded_rows()]
        sheets[f"{name}_header"] = [dict.fromkeys(sheet.headings)]
    return sheets


def _parse_location(text: str) -> tuple[str, int | None, str | None]:
    row, sheet, column = _ROW.search(text), _SHEET.search(text), _COLUMN.search(text)
    return sheet[1] if sheet else "survey", int(row[1]) if row else None, column[1] if column and row else None


def _clean_message(text: str) -> str:
    return " ".join(_ROW.sub("", text).split())[:_MAX_LENGTH]
