"""Finds choices outside of the sheet `choices`: in files, also those that expressions read, and in the sheet
`external_choices`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from formwright.domain.forms.xlsform.choice_files import can_name_column, default_value
from formwright.domain.forms.xlsform.field_mapping import YES, parse_parameters
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

MAX_FILE_NAME = 200
_SHEET = "external_choices"
_PULLED = re.compile(
    r"""pulldata\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"][^'"]*['"]\s*,\s*['"]([^'"]+)['"]"""
    r"""|instance\s*\(\s*['"]([^'"]+)['"]\s*\)/root/item\[\s*([A-Za-z_][\w.-]*)\s*="""
)
ChoiceTables = Mapping[str, Sequence[Mapping[str, str]]]
"""The rows with choices by the name of their list. All rows have the same columns."""


def find_choice_files(book: SurveyWorkbook) -> dict[str, str]:
    """Return the names of the files and lists that the form needs, with the column that identifies their rows."""
    found: dict[str, str] = {}
    enabled = [row for row in book.rows("survey") if row.value("disabled").lower() not in YES]
    for row in enabled:
        question = parse_type(row.value("type"))
        if question.file:
            found.setdefault(question.file, parse_parameters(row).get("value", default_value(question.file)))
    stems = {PurePath(name).stem for name in found} | {row.value("list_name") for row in book.rows("choices")}
    for row in enabled:
        for name, key in _files_in_expressions(row):
            if name not in stems:
                found.setdefault(f"{name}.csv", key)
    return {name: key for name, key in found.items() if len(name) <= MAX_FILE_NAME}


def _files_in_expressions(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the names of files that the expressions in a row read, without the ending, and the column of the key."""
    for text in row.cells.values():
        for pulled, key, of, column in _PULLED.findall(text):
            yield pulled.removesuffix(".csv") or of, key or column


def read_external_choices(book: SurveyWorkbook, languages: Languages, report: Report) -> ChoiceTables:
    """Return the lists in the sheet `external_choices` that questions need."""
    wanted = find_choice_files(book)
    lists: dict[str, dict[str, dict[str, str]]] = {}
    for row in book.rows(_SHEET):
        of, name = row.value("list_name"), row.value("name")
        if not name or of not in wanted:
            detail = "The row has no name, or no question needs its list."
            report.add_drop(_SHEET, None, "list_name", "no_effect", detail)
        elif name in lists.setdefault(of, {}):
            detail = f"The choice {name} occurs twice in its list."
            report.add_refusal(_SHEET, row.number, "name", "choice_twice", detail)
        else:
            lists[of][name] = _cells(row, languages)
    return {of: _complete(list(rows.values())) for of, rows in lists.items()}


def _cells(row: Row, languages: Languages) -> dict[str, str]:
    label = languages.label(row, "label", _SHEET)
    text = label if isinstance(label, str) else (label or {}).get(languages.default, "")
    plain = {column: text for (column, language), text in row.cells.items() if not language and can_name_column(column)}
    plain.pop("list_name", None)
    return plain | {"label": text or row.value("name")}


def _complete(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    columns = dict.fromkeys(column for row in rows for column in row)
    return [{column: row.get(column, "") for column in columns} for row in rows]
