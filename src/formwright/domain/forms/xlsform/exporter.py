"""Exports a definition as an XLSForm workbook, and reports what the format cannot express."""

from collections.abc import Iterator, Mapping, Sequence, Set

from formwright.domain.forms import xform_ids
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.form_settings import FormSettings, XlsformSettings
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.export_kept import list_kept
from formwright.domain.forms.xlsform.export_rows import COLUMNS, SurveyRows
from formwright.domain.forms.xlsform.languages import language_heading
from formwright.domain.forms.xlsform.media_columns import COLUMNS as MEDIA_COLUMNS
from formwright.domain.forms.xlsform.report import Note, Report
from formwright.domain.forms.xlsform.reserved_names import rename_reserved
from formwright.domain.forms.xlsform.workbook_writer import Cells, write_workbook

_CHOICES = ("list_name", "name", "label")
_TRANSLATED = ("label", "hint", "guidance_hint", "constraint_message", "required_message", *MEDIA_COLUMNS)
LOSSES = {
    "welcome": "XLSForm does not support a welcome text.",
    "thanks": "XLSForm does not support a thank-you message.",
    "buttons": "XLSForm does not support texts of buttons.",
    "continue_later": "XLSForm has no setting that lets people continue later with a link.",
    "edit_after_submitting": "XLSForm has no setting that lets senders change what they have submitted.",
    "score": "XLSForm does not show the score after submitting.",
}
"""What is reported about settings of forms."""


def export_xlsform(
    name: str,
    definition: Definition,
    form_id: str | None = None,
    sources: Mapping[str, ChoiceSource] | None = None,
) -> tuple[bytes, list[Note]]:
    """Return the .xlsx file and the notes about what it does not contain.

    `form_id` is the id that the file states, and `sources` are the data sources of lookups by id. Without its data
    source, a lookup is exported as text.
    """
    report = Report()
    survey, kept = SurveyRows(definition, report, sources or {}), definition.settings.xlsform or XlsformSettings()
    choices = survey.write(definition.fields)
    survey.attach(kept.files)
    language = definition.settings.language
    settings = {
        "form_title": name,
        "form_id": form_id or kept.identifier or xform_ids.derive(name),
        **({"version": kept.version} if kept.version else {}),
        "default_language": language_heading(language),
        **dict(_form_settings(definition.settings, survey.names)),
    }
    _report_losses(definition.settings, report)
    others = dict(list_kept(kept.settings, survey.names, report, ("settings", 2)))
    style = " ".join(filter(None, (settings.get("style"), others.pop("style", None))))
    settings = others | settings | ({"style": style} if style else {})
    tags = _languages([*survey.rows, *choices], language)
    sheets = {
        "survey": (_headings(COLUMNS, survey.rows, tags), survey.rows),
        "choices": (_headings(_CHOICES, choices, tags), choices),
        "settings": (list(settings), [_cells(settings)]),
    }
    if kept.entities:
        entities = [_cells(row) for row in kept.entities]
        sheets["entities"] = (_headings((), entities, ()), entities)
    rename_reserved(sheets, report)
    return write_workbook(sheets), report.notes


def _form_settings(settings: FormSettings, names: Set[str]) -> Iterator[tuple[str, str]]:
    if settings.title_field in names:
        yield "instance_name", f"${{{settings.title_field}}}"
    if settings.question_per_page:
        yield "style", "pages"


def _report_losses(settings: FormSettings, report: Report) -> None:
    for code, detail in LOSSES.items():
        if getattr(settings, code):
            report.add_drop("settings", None, None, code, detail)


def _cells(texts: Mapping[str, str]) -> Cells:
    return {(column, ""): text for column, text in texts.items()}


def _languages(rows: Sequence[Cells], default: str) -> list[str]:
    """Return the languages of the texts, the default first. Empty if no text has a language."""
    found = {tag for row in rows for column, tag in row if column in _TRANSLATED and tag}
    return [default, *sorted(found - {default})] if found else []


def _headings(columns: Sequence[str], rows: Sequence[Cells], tags: Sequence[str]) -> list[str]:
    """Return the headings of a sheet: these columns, and the others of its rows in order of appearance."""
    return [
        heading
        for column in dict.fromkeys((*columns, *(column for row in rows for column, _ in row)))
        for heading in (
            [f"{column}::{language_heading(tag)}" for tag in tags] if column in _TRANSLATED and tags else [column]
        )
    ]
