"""Cells of the sheet `survey` that contain rules, before they are translated."""

import re
from collections.abc import Mapping
from typing import Any

from formwright.domain.forms.fields import FIELD_CLASSES, AnswerKind
from formwright.domain.forms.xlsform.field_mapping import NO, YES, is_expression
from formwright.domain.forms.xlsform.question_types import Question
from formwright.domain.forms.xlsform.sheets import Row
from formwright.domain.forms.xlsform.xpath_parser import LAST_SAVED, names_in_xpath

RULE_COLUMNS = (
    ("relevant", "visibleIf"),
    ("required", "requiredIf"),
    ("read_only", "readOnlyIf"),
    ("constraint", "validIf"),
    ("calculation", "calculate"),
    ("default", "defaultRule"),
    ("trigger", "recalculateOn"),
    ("choice_filter", "optionFilter"),
    ("repeat_count", "countRule"),
)
_XPATH_TEXT = re.compile(r"'[^']*'|\"[^\"]*\"")
_ONCE = re.compile(r"once\s*\((.*)\)", re.DOTALL)
_BOOLEANS = {
    **dict.fromkeys(("yes", "Yes", "YES", "true", "True", "TRUE"), "true()"),
    **dict.fromkeys(("no", "No", "NO", "false", "False", "FALSE"), "false()"),
}
_WITH_BOOLEANS = ("relevant", "constraint", "calculation")
_YES_OR_RULE = ("required", "read_only")


def is_rule(document: Mapping[str, Any], column: str, xpath: str) -> bool:
    """Whether this cell holds a rule that the field can have."""
    if column in _YES_OR_RULE:
        return xpath.lower().replace(" ", "") not in (*YES, *NO) and _has_answer(document)
    if column == "default":
        return is_expression(xpath) and FIELD_CLASSES[document["type"]].accepts_default_rule
    if column == "trigger":
        return document["type"] not in ("section", "repeat")
    if column == "repeat_count":
        return document["type"] == "repeat" and not xpath.isdecimal()
    return column != "choice_filter" or document["type"] in ("choice", "choices", "lookup", "lookups")


def is_recalculated(row: Row) -> bool:
    """Whether a calculation applies from the start and whenever another answer changes."""
    return (
        bool(row.value("calculation")) and not row.value("trigger") and not argument_of_once(row.value("calculation"))
    )


def rule_text(row: Row, column: str) -> str:
    """Return the expression in a cell. pyxform reads the words for yes and no as booleans, not as questions."""
    text = row.value(column)
    return _BOOLEANS.get(text, text) if column in _WITH_BOOLEANS else text


def idle_owner(document: Mapping[str, Any], row: Row, column: str) -> str:
    """Return what has this rule without an answer that it could apply to, or an empty text."""
    if column == "calculation" and document["type"] in ("section", "repeat"):
        return "group" if document["type"] == "section" else "repeat"
    return "note" if column == "constraint" and document["type"] == "note" and not row.value("calculation") else ""


def reads_last_response(xpath: str) -> bool:
    """Whether an expression refers to answers of the last response only, so that its value never changes."""
    names = names_in_xpath(xpath)
    return bool(names) and all(name.startswith(LAST_SAVED) for name in names)


def argument_of_once(xpath: str) -> str:
    """Return the argument of an expression that is a single call of `once()`, or an empty text."""
    found = _ONCE.fullmatch(xpath.strip())
    depth = 0
    for letter in _XPATH_TEXT.sub("", found[1]) if found else "":
        depth += (letter == "(") - (letter == ")")
        # The bracket of `once` closes before the end, as in `once(a) + (b)`, so the call is not the whole expression.
        if depth < 0:
            return ""
    return found[1].strip() if found else ""


def _has_answer(document: Mapping[str, Any]) -> bool:
    return FIELD_CLASSES[document["type"]].answer_kind is not AnswerKind.NONE


def is_constant(row: Row, question: Question) -> bool:
    return question.type == "hidden" and bool(row.value("default")) and not is_expression(row.value("default"))
