"""Answers in texts: `${name}` in an XLSForm is `{{name}}` in a definition."""

import re
from collections.abc import Mapping
from re import Match
from typing import Any

from formwright.domain.forms.labels import PLACEHOLDER
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey
from formwright.domain.forms.xlsform.syntax_tree import VALUE_KINDS, Untranslatable

_REFERENCE = re.compile(r"\$\{\s*([^}]*?)\s*\}")
_UNSHOWN = ("files", "place", "rows")
_MAX_LENGTH = 2000
_COLUMNS = {"label": "label", "hint": "hint", "message": "constraint_message", "requiredMessage": "required_message"}


def translate_texts(survey: Survey, documents: Mapping[str, Document], report: Report) -> None:
    """Convert the references in all texts. What cannot be shown stays as it is, and is reported."""
    for document in documents.values():
        shown = _shown_names(survey, documents, document["name"])
        row = survey.rows.get(document["name"])
        for member, column in _COLUMNS.items():
            if member in document:
                document[member], complete = _convert(document[member], survey, shown)
                if not complete:
                    detail = "An answer in this text cannot be shown here. ${…} is displayed as text."
                    report.add_change("survey", row, column, "text_with_answers", detail)
        if "options" in document:
            options = [(option, *_convert(option["label"], survey, shown)) for option in document["options"]]
            document["options"] = [{**option, "label": label} for option, label, _ in options]
            if not all(complete for _, _, complete in options):
                detail = f"An answer in a choice of {document['name']} cannot be shown. ${{…}} is displayed as text."
                report.add_change("choices", None, "label", "text_with_answers", detail)


def _shown_names(survey: Survey, documents: Mapping[str, Document], name: str) -> set[str]:
    around = survey.repeat_of[name]
    return {
        other
        for other, document in documents.items()
        if VALUE_KINDS.get(document["type"], "rows") not in _UNSHOWN and survey.repeat_of[other] in (None, around)
    }


def _convert(label: Any, survey: Survey, shown: set[str]) -> tuple[Any, bool]:
    """Return the label in all its languages, and whether all references in it could be converted."""
    if isinstance(label, dict):
        found = {tag: _convert(text, survey, shown) for tag, text in label.items()}
        return {tag: text for tag, (text, _) in found.items()}, all(complete for _, complete in found.values())
    if "${" not in label:
        return label, True
    text = _REFERENCE.sub(lambda match: _placeholder(match, survey, shown), label)
    return (text, "${" not in text) if len(text) <= _MAX_LENGTH else (label, False)


def _placeholder(match: Match[str], survey: Survey, shown: set[str]) -> str:
    try:
        name = survey.names.resolve(match[1])
    except Untranslatable:
        return match[0]
    return f"{{{{{name}}}}}" if name in shown else match[0]


def write_references(text: str, names: set[str]) -> str:
    """Return a text with `${name}` for `{{name}}`, if there is a field with that name."""
    return PLACEHOLDER.sub(lambda match: f"${{{match[1]}}}" if match[1] in names else match[0], text)
