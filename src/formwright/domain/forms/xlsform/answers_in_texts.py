"""Answers in texts: `${name}` in an XLSForm is `{{name}}` in a definition."""

import re
from collections.abc import Mapping
from re import Match
from typing import Any

from formwright.domain.forms.fields import FIELD_CLASSES
from formwright.domain.forms.fields.labels import names_in_text
from formwright.domain.forms.fields.markup import PLACEHOLDER
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_REFERENCE = re.compile(r"\$\{\s*([^}]*?)\s*\}")
_MAX_LENGTH = 2000
_COLUMNS = {
    "label": "label",
    "hint": "hint",
    "guidance": "guidance_hint",
    "message": "constraint_message",
    "requiredMessage": "required_message",
}


def translate_texts(survey: Survey, documents: Mapping[str, Document], report: Report) -> None:
    """Convert the references in all texts. What cannot be shown stays as it is, and is reported."""
    for document in documents.values():
        shown = _shown_names(survey, documents, survey.repeats[document["name"]])
        if document["type"] == "repeat":
            _add_row_label(document, survey, documents, shown)
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


def split_references(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text: each is a text, or else the name that `${name}` refers to."""
    parts = _REFERENCE.split(text)  # Every second part is a name.
    return [(part, "") if place % 2 == 0 else ("", part) for place, part in enumerate(parts) if part]


def _add_row_label(document: Document, survey: Survey, documents: Mapping[str, Document], shown: set[str]) -> None:
    """Make the label of a repeat that shows answers of a row the title of each row."""
    name = document["name"]
    inside = _shown_names(survey, documents, (*survey.repeats[name], name)) - shown
    found, complete = _convert(document["label"], survey, shown | inside)
    if complete and names_in_text(found) & inside:
        document["rowLabel"], document["label"] = found, without_answers(found, inside) or name


def without_answers(label: Any, names: set[str]) -> Any:
    """Return a label without the answers of these fields, and without the signs around them."""
    if isinstance(label, dict):
        texts = {tag: without_answers(text, names) for tag, text in label.items()}
        return {tag: text for tag, text in texts.items() if text}
    text = PLACEHOLDER.sub(lambda match: "" if match[1] in names else match[0], label)
    return " ".join(text.split()).strip(" :-–,()#")


def _shown_names(survey: Survey, documents: Mapping[str, Document], around: tuple[str, ...]) -> set[str]:
    visible = {around[:depth] for depth in range(len(around) + 1)}
    return {
        other
        for other, document in documents.items()
        if FIELD_CLASSES[document["type"]].fits_in_text and survey.repeats[other] in visible
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
