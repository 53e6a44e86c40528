"""Choices that the appearance `search('towns', 'matches', 'land', ${land})` finds in a file.

The list in `choices` has no choices then, but a row with the columns of the file that contain their names and labels.
Such questions are read as `select_one_from_file` with a `choice_filter`, which means the same.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from pathlib import PurePath

from formwright.domain.forms.xlsform.choice_files import can_name_column
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

_CALL = re.compile(r"\bsearch\s*\(")
_PART = re.compile(r"'[^']*'|\"[^\"]*\"|[(),]|[^'\"(),]+")
_LITERAL = re.compile(r"\s*(?:'([^']*)'|\"([^\"]*)\")\s*")
_FILE = re.compile(r"[\w-][\w. -]*")
_NUMBER = re.compile(r"-?\d+")
_MATCHES = "matches"


@dataclass(frozen=True, slots=True)
class _Search:
    """A call of `search()` in an appearance: the other words of that, the file, and the columns that equal a value.
    `partly` is whether it also searches for a part of a text.
    """

    others: str
    file: str
    equal: Sequence[tuple[str, str]]
    partly: bool


def replace_searches(book: SurveyWorkbook, languages: Languages, report: Report) -> tuple[SurveyWorkbook, Set[str]]:
    """Return the workbook with other rows for these questions, and the lists in `choices` that are none."""
    lists: dict[str, list[Row]] = {}
    for row in book.rows("choices"):
        lists.setdefault(row.value("list_name"), []).append(row)
    rows, searched = {}, set[str]()
    for row in book.rows("survey"):
        question = parse_type(row.value("type"))
        if question.choices not in lists or not _CALL.search(row.value("appearance")):
            continue
        if found := _parse(row.value("appearance")):
            rows[row.number] = _to_file_question(row, found, lists[question.choices], languages, report)
            searched.add(question.choices)
        else:
            detail = f"The choices of {row.value('name')} are not those of the list, but in a file whose rows cannot be"
            detail += " found here."
            report.add_refusal("survey", row.number, "appearance", "rule_left_out", detail)
    if not rows:
        return book, searched
    survey = book.sheets["survey"].with_rows(rows)
    return replace(book, sheets={**book.sheets, "survey": survey}), searched


def _to_file_question(row: Row, found: _Search, choices: Sequence[Row], languages: Languages, report: Report) -> Row:
    columns, *others = sorted(choices, key=lambda choice: bool(_NUMBER.fullmatch(choice.value("name"))))
    for choice in others:
        detail = f"The choice {choice.value('name')} of {row.value('name')} is not in the file {found.file}."
        report.add_refusal("choices", choice.number, "name", "choice_incomplete", detail)
    if found.partly:
        detail = f"The part of a text that {row.value('name')} searches for was left out: people search themselves."
        report.add_refusal("survey", row.number, "appearance", "rule_left_out", detail)
    label = languages.label(columns, "label", "choices")
    shown = label if isinstance(label, str) else (label or {}).get(languages.default, "")
    given = {"value": columns.value("name"), "label": shown.split(",")[0].strip()}
    parameters = [f"{name}={column}" for name, column in given.items() if can_name_column(column)]
    several = parse_type(row.value("type")).type == "select_multiple"
    filters = [f"{column} = ({value})" for column, value in found.equal]
    if row.value("choice_filter"):
        filters.append(f"({row.value('choice_filter')})")
    cells = {
        "type": f"select_{'multiple' if several else 'one'}_from_file {found.file}",
        "appearance": found.others,
        "parameters": " ".join([*parameters, row.value("parameters")]).strip(),
        "choice_filter": " and ".join(filters),
    }
    return Row(row.number, {**row.cells, **{(column, ""): text for column, text in cells.items()}})


def _parse(appearance: str) -> _Search | None:
    """Return the call in an appearance; None if its file or columns are not written in it."""
    if not (call := _CALL.search(appearance)):
        return None
    arguments, rest = _split_arguments(appearance[call.end() :])
    others = " ".join(f"{appearance[: call.start()]} {rest}".split())
    name, *conditions = arguments
    literal = _LITERAL.fullmatch(name)
    file = (literal[1] or literal[2] or "").strip() if literal else ""
    ways, pairs = conditions[:1], [conditions[1:3], conditions[3:]]
    if not _FILE.fullmatch(file) or len(conditions) not in (0, 3, 5):
        return None
    found = [(_read_literal(pair[0]), pair[1].strip()) for pair in pairs if pair]
    if not all(can_name_column(column) for column, _ in found):
        return None
    exact = not ways or _read_literal(ways[0]) == _MATCHES
    file = file if PurePath(file).suffix else f"{file}.csv"
    return _Search(others, file, found if exact else found[1:], not exact)


def _read_literal(text: str) -> str:
    found = _LITERAL.fullmatch(text)
    return (found[1] or found[2] or "") if found else ""


def _split_arguments(text: str) -> tuple[list[str], str]:
    """Return the arguments of a call whose opening bracket is before the text, and what follows it."""
    arguments, depth, end = [""], 0, 0
    for part in _PART.finditer(text):
        end = part.end()
        depth += {"(": 1, ")": -1}.get(part[0], 0)
        if depth < 0:
            break
        if part[0] == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += part[0]
    return arguments, text[end:]
