"""Finds choices that are rows of data sources: in files, also those that expressions read, in the sheet
`external_choices`, and in lists of `choices` that are too long for the options of a field.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, count
from pathlib import PurePath

from formwright.domain.forms.xlsform import sheets as sheet_limits
from formwright.domain.forms.xlsform.choice_files import can_name_column, default_value, name_by_key
from formwright.domain.forms.xlsform.field_mapping import YES, parse_parameters
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

MAX_FILE_NAME = 200
NAME = "name"
_SHEET = "external_choices"
_PULLED = re.compile(
    r"""pulldata\s*\(\s*['"]([^'"]+)['"]\s*,\s*['"][^'"]*['"]\s*,\s*['"]([^'"]+)['"]"""
    r"""|instance\s*\(\s*['"]([^'"]+)['"]\s*\)/root/item\[\s*([A-Za-z_][\w.-]*)\s*="""
)


@dataclass(frozen=True, slots=True)
class ChoiceTable:
    """The rows of a list, which all have the same columns, the sheet that contains them, and the column that
    identifies them, which is that with the names of the choices unless some occur several times.
    """

    sheet: str
    rows: Sequence[Mapping[str, str]]
    key: str = NAME


ChoiceTables = Mapping[str, ChoiceTable]
"""The lists of the workbook that become data sources, by their names."""


def find_choice_files(book: SurveyWorkbook, searched: Set[str] = frozenset()) -> dict[str, str]:
    """Return the names of the files and lists that the form needs, with the column that identifies their rows.

    `searched` are the lists in `choices` without choices.
    """
    found: dict[str, str] = {}
    long = find_long_lists(book)
    enabled = enabled_rows(book)
    for row in enabled:
        question = parse_type(row.value("type"))
        if question.choices in long:
            found.setdefault(question.choices, default_value(question.choices))
        if question.file:
            key = parse_parameters(row).get("value", default_value(question.file))
            is_first = found.setdefault(question.file, key) == key
            found[question.file if is_first else name_by_key(question.file, key)] = key
    lists = {row.value("list_name") for row in book.rows("choices")} - searched
    external = {row.value("list_name") for row in book.rows(_SHEET)}  # Expressions cannot read these.
    for row in enabled:
        for name, key in _files_in_expressions(row):
            files = [file for file in found.keys() - external if name in (file, PurePath(file).stem)]
            if files and found[files[0]] != key:
                found[name_by_key(files[0], key)] = key
            elif not files and name not in lists:
                found[f"{name}.csv"] = key
    return {name: key for name, key in found.items() if len(name) <= MAX_FILE_NAME}


def enabled_rows(book: SurveyWorkbook) -> list[Row]:
    """Return the rows of the survey that are not disabled."""
    return [row for row in book.rows("survey") if row.value("disabled").lower() not in YES]


def find_long_lists(book: SurveyWorkbook) -> Set[str]:
    """Return the lists with more choices than a field can have options, if lookups can have them instead."""
    choices = {(row.value("list_name"), row.value("name")) for row in book.rows("choices")}
    lengths = Counter(name for name, _ in choices)
    questions = [parse_type(row.value("type")) for row in enabled_rows(book)]
    unsuitable = {one.choices for one in questions if one.or_other or one.type == "rank"}
    return {name for name, length in lengths.items() if length > sheet_limits.MAX_OPTIONS} - unsuitable


def find_unused_lists(book: SurveyWorkbook) -> Set[str]:
    """Return the long lists that no cell of the survey names, so that no question can need them."""
    texts = [text for row in enabled_rows(book) for text in row.cells.values()]
    return {name for name in find_long_lists(book) if not any(name in text for text in texts)}


def _files_in_expressions(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the names of files that the expressions in a row read, without the ending, and the column of the key."""
    for text in row.cells.values():
        for pulled, key, of, column in _PULLED.findall(text):
            yield pulled.removesuffix(".csv") or of, key or column


def read_own_lists(book: SurveyWorkbook, wanted: Set[str], languages: Languages, report: Report) -> ChoiceTables:
    """Return the lists of the workbook that become data sources because questions need them.

    `wanted` are the names that `find_choice_files` returns.
    """
    long = find_long_lists(book)
    questions = [parse_type(row.value("type")) for row in enabled_rows(book)]
    several = {one.file or one.choices for one in questions if one.type.startswith("select_multiple")}
    found: dict[str, ChoiceTable] = {}
    for name, rows in _group_rows(book, "choices", long & wanted).items():
        detail = f"The list {name} is too long for the options of a question, so it became a data source, from which"
        detail += f" questions look up their choices. Labels are those in {languages.default}; columns of the data"
        detail += " source, such as label_fr, have those in other languages."
        report.add_change("choices", None, "list_name", "choice_lookup", detail)
        found[name] = _read_table("choices", rows, languages, report, has_keys=name not in several)
    for name, rows in _group_rows(book, _SHEET, wanted).items():
        if name in found:
            detail = f"The list {name} is also a long list in choices, whose rows are looked up instead."
            report.add_refusal(_SHEET, rows[0].number, "list_name", "choice_twice", detail)
            continue
        found[name] = _read_table(_SHEET, rows, languages, report, has_keys=name not in several)
    if any(not row.value("name") or row.value("list_name") not in wanted for row in book.rows(_SHEET)):
        detail = "The row has no name, or no question needs its list."
        report.add_drop(_SHEET, None, "list_name", "no_effect", detail)
    return found


def _group_rows(book: SurveyWorkbook, sheet: str, names: Set[str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in book.rows(sheet):
        if row.value("name") and row.value("list_name") in names:
            found.setdefault(row.value("list_name"), []).append(row)
    return found


def _read_table(
    sheet: str, rows: Sequence[Row], languages: Languages, report: Report, *, has_keys: bool
) -> ChoiceTable:
    """Return the rows of a list. The keys of a data source are unique: if names are not, and `has_keys`, the rows get
    a column with keys. Otherwise, further rows of a choice are left out.
    """
    read = [(row.number, _cells(row, languages, sheet) | {NAME: row.value("name")}) for row in rows]
    columns = dict.fromkeys(column for _, cells in read for column in cells)
    found: dict[str, dict[str, str]] = {}
    different = list[tuple[int, dict[str, str]]]()
    for number, cells in read:
        if found.setdefault(cells[NAME], cells) != cells:
            different.append((number, cells))
    if different and has_keys:
        key = _unique("key", columns)
        distinct = {tuple(cells.items()): cells for _, cells in read}.values()
        return ChoiceTable(sheet, _with_keys(key, [_fill(cells, columns) for cells in distinct]), key)
    for number, cells in different:
        detail = f"The choice {cells[NAME]} occurs twice in its list."
        report.add_refusal(sheet, number, "name", "choice_twice", detail)
    return ChoiceTable(sheet, [_fill(cells, columns) for cells in found.values()])


def _fill(cells: Mapping[str, str], columns: Iterable[str]) -> dict[str, str]:
    return {column: cells.get(column, "") for column in columns}


def _with_keys(key: str, rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the rows with a column of keys: the name of the choice, followed by a number if it is not the first."""
    taken = {row[NAME] for row in rows}
    seen = set[str]()
    keyed = list[Mapping[str, str]]()
    for row in rows:
        one = row[NAME] if row[NAME] not in seen else _unique(row[NAME], taken)
        seen.add(row[NAME])
        taken.add(one)
        keyed.append({key: one, **row})
    return keyed


def _unique(name: str, taken: Collection[str]) -> str:
    """Return the name with the first ending that makes it differ from those that are taken."""
    return next(one for one in chain([name], (f"{name}_{number}" for number in count(2))) if one not in taken)


def _cells(row: Row, languages: Languages, sheet: str) -> dict[str, str]:
    label = languages.label(row, "label", sheet)
    text = label if isinstance(label, str) else (label or {}).get(languages.default, "")
    plain = {column: text for (column, language), text in row.cells.items() if not language and can_name_column(column)}
    plain.pop("list_name", None)
    others = {} if label is None or isinstance(label, str) else label
    translated = {_label_column(tag): text for tag, text in others.items() if tag != languages.default}
    return translated | plain | {"label": text or row.value("name")}


def _label_column(tag: str) -> str:
    """Return the column for the labels in another language than the default one."""
    return f"label_{tag.replace('-', '_')}"
