"""The setting `instance_name`: the title of a submission, which here is the answer to a field."""

import re

from formwright.domain.forms.xlsform.kept_cells import keep
from formwright.domain.forms.xlsform.sheets import SurveyWorkbook
from formwright.domain.forms.xlsform.survey_sheet import Document, PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

COLUMN = "instance_name"
_ONE_ANSWER = re.compile(r"\$\{\s*([^}]+?)\s*\}")
_TITLES = ("text", "integer", "decimal", "choice", "choices", "date", "time", "datetime", "barcode")


def add_title(book: SurveyWorkbook, survey: Survey) -> str:
    """Return the name of the field whose answer is the title of a submission, or an empty text.

    For an expression, that is a hidden field, which is added with the expression as its pending calculation.
    """
    xpath, row = _read(book)
    if not xpath:
        return ""
    if (found := _ONE_ANSWER.fullmatch(xpath)) and (name := _find_answer(survey, found[1])):
        return name
    name = survey.names.add(COLUMN, row)
    survey.fields.append({"type": "text", "name": name, "label": name, "hidden": True})
    survey.rows[name], survey.repeats[name], survey.containers[name] = row, (), ()
    survey.untyped.add(name)
    survey.pending.append(PendingRule(name, "calculate", xpath, row, COLUMN, "settings"))
    return name


def keep_untranslated(book: SurveyWorkbook, kept: dict[str, str]) -> None:
    """Keep an expression that could not be translated, so that exports write it again."""
    xpath, _ = _read(book)
    keep(kept, COLUMN, xpath)


def _read(book: SurveyWorkbook) -> tuple[str, int]:
    """Return the setting and its row, or an empty text."""
    return next(((row.value(COLUMN), row.number) for row in book.rows("settings")), ("", 0))


def _find_answer(survey: Survey, written: str) -> str:
    try:
        name = survey.names.resolve(written)
    except Untranslatable:
        return ""
    return "" if survey.repeats.get(name, (name,)) or _type_of(survey.fields, name) not in _TITLES else name


def _type_of(fields: list[Document], name: str) -> str:
    for one in fields:
        if one["name"] == name:
            return str(one["type"])
        if found := _type_of(one.get("fields", []), name):
            return found
    return ""
