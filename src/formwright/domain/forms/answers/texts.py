"""Answers in texts: `{{name}}` in the messages of a form. `static/fill/text_placeholders.js` fills in all texts."""

from collections.abc import Mapping
from re import Match
from typing import Any

from formwright.domain.forms.fields import AnswerKind, AnyField
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.fields.markup import PLACEHOLDER
from formwright.domain.forms.rules.compiler import is_answered

MISSING = "…"
_MAX_LENGTH = 200


def fill_placeholders(text: str, fields: Mapping[str, AnyField], answers: Mapping[str, Any], language: str) -> str:
    """Return a text with the answers of these fields in their places, and an ellipsis for missing ones."""

    def fill(found: Match[str]) -> str:
        name = found[1]
        if name not in fields:
            return found[0]
        value = answers.get(name)
        return _format_answer(fields[name], value, language)[:_MAX_LENGTH] if is_answered(value) else MISSING

    return PLACEHOLDER.sub(fill, text) if "{{" in text else text


def _format_answer(field: AnyField, value: Any, language: str) -> str:
    if not field.fits_in_text:
        return MISSING
    match field.answer_kind, value:
        case AnswerKind.CHOICE, str():
            return _option_label(field, value, language)
        case AnswerKind.CHOICES, list():
            return ", ".join(_option_label(field, str(one), language) for one in value)
        case _, bool():
            return "Yes" if value else "No"
        case _, str() | int() | float():
            return str(value)
    return MISSING


def _option_label(field: AnyField, value: str, language: str) -> str:
    languages = (language, language.partition("-")[0])
    return next((label_text(one.label, languages) for one in field.options if one.value == value), value)
