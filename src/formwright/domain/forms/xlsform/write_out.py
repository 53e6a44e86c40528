"""A definition as an XLSForm, with a report of what such a form cannot say."""

import datetime
import io
from collections.abc import Mapping, Sequence

import xlsxwriter  # type: ignore[import-untyped]

from formwright.core.kernel.formulas import looks_like_formula
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.languages import heading_for
from formwright.domain.forms.xlsform.report import Note, Report
from formwright.domain.forms.xlsform.rows_out import Cells, Rows

_SURVEY = (
    "type", "name", "label", "hint", "required", "read_only", "relevant", "constraint", "constraint_message",
    "calculation", "default", "appearance", "parameters", "repeat_count",
)  # fmt: skip
_CHOICES = ("list_name", "name", "label")
_TRANSLATED = ("label", "hint", "constraint_message")
_ANY_DAY = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
"""Written as the day of making, so that the same form gives the same file."""


def export_xlsform(name: str, definition: Definition) -> tuple[bytes, list[Note]]:
    """The .xlsx file, and what is not in it."""
    report = Report()
    rows = Rows(definition, report)
    rows.write(definition.fields)
    language = definition.settings.language
    settings = {"form_title": name, "form_id": _form_id(name), "default_language": heading_for(language)}
    if definition.settings.thanks:
        report.dropped("settings", None, None, "thanks", "XLSForm has no words of thanks after sending.")
    tags = _tags(rows, language)
    sheets = {
        "survey": (_headings(_SURVEY, tags), rows.survey),
        "choices": (_headings(_CHOICES, tags), rows.choices),
        "settings": (list(settings), [{(key, ""): value for key, value in settings.items()}]),
    }
    return _workbook(sheets), report.notes


def _form_id(name: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name)[:64]
    return kept.strip("_") or "form"


def _tags(rows: Rows, default: str) -> list[str]:
    """The languages of the texts, the default first; none where all texts are plain ones."""
    found = {tag for one in (*rows.survey, *rows.choices) for column, tag in one if column in _TRANSLATED and tag}
    return [default, *sorted(found - {default})] if found else []


def _headings(columns: Sequence[str], tags: Sequence[str]) -> list[str]:
    headings = []
    for column in columns:
        headings += [f"{column}::{heading_for(tag)}" for tag in tags] if column in _TRANSLATED and tags else [column]
    return headings


def _workbook(sheets: Mapping[str, tuple[list[str], list[Cells]]]) -> bytes:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        workbook.set_properties({"created": _ANY_DAY})
        bold = workbook.add_format({"bold": True})
        # Excel's own mark of a text: readers of the file get the same text with and without it.
        quoted = workbook.add_format({"quote_prefix": True})
        for name, (headings, rows) in sheets.items():
            sheet = workbook.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for place, heading in enumerate(headings):
                sheet.write_string(0, place, heading, bold)
            for number, row in enumerate(rows, start=1):
                for (column, tag), text in row.items():
                    # Always as a text: a label that begins with = is no formula.
                    format_ = quoted if looks_like_formula(text) else None
                    sheet.write_string(number, _place(headings, column, tag), text, format_)
    return content.getvalue()


def _place(headings: Sequence[str], column: str, tag: str) -> int:
    if column in headings:
        return headings.index(column)
    if tag:
        return headings.index(f"{column}::{heading_for(tag)}")
    return next(place for place, heading in enumerate(headings) if heading.startswith(f"{column}::"))
