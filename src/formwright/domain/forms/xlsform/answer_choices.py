"""Choices from the answers in the rows of a repeat, XLSForm's `select_one ${name}`.

Here, people type one of these answers. A rule of the field checks that there is one, and exports write the choices
again.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from formwright.domain.forms.fields import FIELD_CLASSES, AnswerKind
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.survey_sheet import Survey
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_CHOICES = re.compile(r"select[ _](one|multiple) \$\{\s*([\w.-]+)\s*\}", re.ASCII)
_NOT_EMPTY = re.compile(r"""\$\{\s*([\w.-]+)\s*\}\s*!=\s*(?:''|"")""")
_TEXTS = (AnswerKind.TEXT, AnswerKind.CHOICE, AnswerKind.DATE, AnswerKind.TIME)


def answer_rule(field: str, source: str, kind: AnswerKind, repeats: Sequence[str]) -> str | None:
    """Return the rule that a field has one of the answers to `source` in the rows of a repeat; None if there is no such
    rule, because rows are in rows or the answers have no text.
    """
    if len(repeats) != 1 or not (kind in _TEXTS or kind.is_number):
        return None
    answer = f"string(row.{source})" if kind.is_number else f"row.{source}"
    return f"{repeats[0]}.exists(row, has(row.{source}) && {answer} == {field})"


def parse_answer_choices(type_: str) -> tuple[bool, str] | None:
    """Return whether several answers can be chosen, and the question with them; None for other types."""
    found = _CHOICES.fullmatch(type_)
    return (found[1] == "multiple", found[2]) if found else None


def add_answer_rules(survey: Survey, documents: Mapping[str, dict[str, Any]], report: Report) -> None:
    """Let questions whose choices are answers accept only these, when all fields are known."""
    for name, document in documents.items():
        kept = document.get("xlsformColumns", {})
        found = parse_answer_choices(kept.get("type", ""))
        if found is None:
            continue
        several, written = found
        source, rule = _find_rule(survey, documents, name, written)
        if source:
            kept["type"] = f"select_{'multiple' if several else 'one'} ${{{source}}}"
        if rule and not several:
            before = document.get("validIf")
            document["validIf"] = f"({before}) && {rule}" if before else rule
        _report(survey, report, name, several=several, source=source, is_checked=bool(rule) or several)
        text = kept.get("choice_filter", "")
        if text and not _leaves_out_empty_rows(text, written):
            detail = f"The choice_filter of {name} was left out, because its choices are answers: {text[:300]}"
            report.add_refusal("survey", survey.rows[name], "choice_filter", "rule_left_out", detail)


def _find_rule(
    survey: Survey, documents: Mapping[str, dict[str, Any]], name: str, written: str
) -> tuple[str, str | None]:
    """Return the question with the choices, or an empty text, and the rule for them."""
    try:
        source = survey.names.resolve(written)
    except Untranslatable:
        return "", None
    kind = FIELD_CLASSES[documents[source]["type"]].answer_kind if source in documents else AnswerKind.NONE
    return source, answer_rule(name, source, kind, survey.repeats.get(source, ()))


def _report(survey: Survey, report: Report, name: str, *, several: bool, source: str, is_checked: bool) -> None:
    row, how = survey.rows[name], "several, with spaces between them" if several else "one"
    detail = f"The choices of {name} are the answers to {source or 'a question'}. People type {how}."
    report.add_change("survey", row, "type", "answer_choices", detail)
    if not is_checked:
        detail = f"Whether the answer to {name} is one of the choices is not checked."
        report.add_refusal("survey", row, "type", "rule_left_out", detail)


def _leaves_out_empty_rows(choice_filter: str, source: str) -> bool:
    """Whether a filter only leaves out the rows without an answer, which nobody can type anyway."""
    found = _NOT_EMPTY.fullmatch(choice_filter.strip())
    return found is not None and found[1] == source
