"""Reads the sheet `choices`, which contains lists of options."""

import re
from collections.abc import Collection, Set
from typing import Any

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.fields.options import MAX_POINTS
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES
from formwright.domain.forms.xlsform import sheets as sheet_limits
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.media_columns import COLUMNS, read_media
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row, SurveyWorkbook

_KNOWN_COLUMNS = ("list_name", "name", "label")
LABEL = "label"
POINTS = "points"
"""The column with the points of choices, if all of them are numbers."""
_POINTS_CELL = re.compile(r"-?\d{1,5}(?:\.\d{1,2}0*)?", re.ASCII)
_MAX_VALUE_LENGTH = 200
_MAX_LABEL_LENGTH = 2000
_OR = " / "
AGAIN = "_again"
"""The member of an option with the columns of its further rows, until rules have been translated."""
Options = dict[str, list[dict[str, Any]]]


def read_choices(
    book: SurveyWorkbook, languages: Languages, report: Report, elsewhere: Set[str] = frozenset()
) -> Options:
    """Return the options by list name, with all their columns, except for the lists that are `elsewhere`.

    Raises `Invalid` if a list is too long for a form.
    """
    by_value: dict[str, dict[str, dict[str, Any]]] = {}
    for row in book.rows("choices"):
        name = row.value("list_name")
        if name in elsewhere:
            continue
        if name and row.value("name"):
            _add_option(by_value.setdefault(name, {}), row, languages, report)
        elif row.cells and not name:
            detail = "The row has no list_name, so it belongs to no question."
            report.add_drop("choices", row.number, "list_name", "no_effect", detail)
        elif row.cells:
            detail = "The choice has no name and was left out."
            report.add_refusal("choices", row.number, None, "choice_incomplete", detail)
    lists = {name: list(options.values()) for name, options in by_value.items()}
    _check_lengths(lists)
    for options in lists.values():
        _add_points(options)
        _drop_translated_labels(options)
    return lists


def add_other_choices(lists: Options, names: Collection[str]) -> None:
    """Add the choice “Other” to these lists, which pyxform adds for all questions if one has `or_other`."""
    for name in names:
        if name in lists and all(option["value"] != "other" for option in lists[name]):
            columns = {LABEL: "Other"} if any(LABEL in option["columns"] for option in lists[name]) else {}
            lists[name].append({"value": "other", "label": "Other", "columns": columns})


def _add_points(options: list[dict[str, Any]]) -> None:
    cells = [option["columns"].get(POINTS, "") for option in options]
    if all(not cell or (_POINTS_CELL.fullmatch(cell) and abs(float(cell)) <= MAX_POINTS) for cell in cells):
        for option, cell in zip(options, cells, strict=True):
            option |= {"points": float(cell)} if cell and float(cell) else {}


def _add_option(options: dict[str, dict[str, Any]], row: Row, languages: Languages, report: Report) -> None:
    value = row.value("name")
    if value in options:
        _add_again(options[value], row, languages, report)
        return
    if len(value) > _MAX_VALUE_LENGTH:
        detail = f"The name of a choice may have at most {_MAX_VALUE_LENGTH} characters. This choice was left out."
        report.add_refusal("choices", row.number, "name", "choice_too_long", detail)
        return
    label = languages.label(row, "label", "choices")
    if label is None:
        detail = f"The choice {value} has no label, so its name is displayed."
        report.add_change("choices", row.number, "label", "label_missing", detail)
    media = read_media(row, languages, report, "choices")
    options[value] = {"value": value, "label": label or value, "columns": _own_columns(row)} | media


def _add_again(option: dict[str, Any], row: Row, languages: Languages, report: Report) -> None:
    """Add the columns of another row for a choice, and its label if that is another one."""
    option.setdefault(AGAIN, []).append(_own_columns(row))
    label = languages.label(row, "label", "choices") or option["value"]
    if (joined := _join_labels(option["label"], label)) != option["label"]:
        option["label"] = joined
        detail = f"The choice {option['value']} occurs with several labels in its list. It became one option with all."
        report.add_change("choices", row.number, "label", "choice_labels", detail)
        return
    detail = f"The choice {option['value']} occurs several times in its list. It became one option."
    report.add_change("choices", row.number, "name", "choice_merged", detail)


def _join_labels(first: Label, second: Label) -> Label:
    """Return the label with another one after it in each language, unless it contains that already."""
    if isinstance(first, str) and isinstance(second, str):
        return first if second in first.split(_OR) else f"{first}{_OR}{second}"[:_MAX_LABEL_LENGTH]
    texts, others = ({"": one} if isinstance(one, str) else one for one in (first, second))
    if texts.keys() != others.keys():
        return first
    return {tag: str(_join_labels(text, others[tag])) for tag, text in texts.items()}


def _own_columns(row: Row) -> dict[str, str]:
    """Return the columns that expressions can read: those of the author, and a label that is the same everywhere."""
    own = {column: text for (column, language), text in row.cells.items() if _is_own(column, language)}
    has_media = any(column in COLUMNS for column, _ in row.cells)
    is_plain = row.texts(LABEL).keys() == {""} and "${" not in row.value(LABEL) and not has_media
    return own | ({LABEL: row.value(LABEL)} if is_plain and len(row.value(LABEL)) <= _MAX_VALUE_LENGTH else {})


def _drop_translated_labels(options: list[dict[str, Any]]) -> None:
    """Remove the labels from the columns unless all are there: pyxform writes all of a list in the same way."""
    columns = [one for option in options for one in (option["columns"], *option.get(AGAIN, ()))]
    if not all(LABEL in one for one in columns):
        for one in columns:
            one.pop(LABEL, None)


def _is_own(column: str, language: str) -> bool:
    """Whether a column is one that the author of the form has added, such as that of a filter."""
    return not language and column not in (*_KNOWN_COLUMNS, *COLUMNS) and bool(column)


def column_name(written: str) -> str:
    """Return the name of a column of options for one in the sheet, which may contain other characters."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", written)[:64]
    name = name if re.match(r"[A-Za-z]", name) else f"c_{name}"[:64]
    return f"{name[:63]}_" if name in FORBIDDEN_FIELD_NAMES or name in ("value", LABEL) else name


def keep_columns(options: list[dict[str, Any]], used: Collection[str]) -> list[dict[str, Any]]:
    """Return copies of the options with these columns only. All options have all of them, as in a sheet."""
    return [
        {name: value for name, value in option.items() if name not in ("columns", AGAIN)}
        | ({"columns": {column_name(name): option["columns"].get(name, "")[:200] for name in used}} if used else {})
        for option in options
    ]


def _check_lengths(lists: Options) -> None:
    faults = [
        ValidationFault(
            f"/choices/{name}",
            "xlsform.too_many_options",
            f"The list {name} has {len(options)} choices. The limit is {sheet_limits.MAX_OPTIONS}. "
            "Create a data source from it, and a lookup field.",
        )
        for name, options in lists.items()
        if len(options) > sheet_limits.MAX_OPTIONS
    ]
    if faults:
        raise Invalid(faults)


def report_columns(book: SurveyWorkbook, lists: Options, used: Collection[str], report: Report) -> None:
    """Report the columns that neither a filter nor a rule uses."""
    if any("points" in option for options in lists.values() for option in options):
        used = {*used, POINTS}
    columns = book.sheets["choices"].columns() if "choices" in book.sheets else []
    rows = book.rows("choices")
    for column, language in columns:
        if column not in (*_KNOWN_COLUMNS, *COLUMNS, *used) and any(row.cells.get((column, language)) for row in rows):
            detail = f"The column {column} of choices is not supported."
            report.add_drop("choices", None, column, "column_dropped", detail)
