"""Replaces rows of the sheet `survey` with others that mean the same, which can be read without a special case."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.rule_cells import is_recalculated
from formwright.domain.forms.xlsform.sheets import Row

_ROW_ENDING = "_row"
_CLOCKS = ("today", "start", "end")
_INSTANCE_ID = re.compile(r"\$\{\s*instanceID\s*\}|/[\w.-]+/meta/instanceID\b")
_COLUMNS_OF_THE_ANSWER = ("save_to", "bind::save_to")


@dataclass(frozen=True, slots=True)
class EquivalentRows:
    """Rows of a survey. `lookups` are the names of questions that the next row reads the name of a choice from."""

    rows: Sequence[Row]
    lookups: Collection[str] = ()


def add_instance_id(rows: Sequence[Row], report: Report) -> list[Row]:
    """Return the rows, after one that calculates an id if some of them read `instanceID`, the id of a submission."""
    taken = {row.value("name") for row in rows}
    first = next((row for row in rows if any(map(_INSTANCE_ID.search, row.cells.values()))), None)
    if first is None or "instanceID" in taken:
        return list(rows)
    name = next(one for one in (f"instance_id{'_' * count}" for count in range(len(rows))) if one not in taken)
    detail = f"The form reads instanceID, the id of the submission in ODK. Here, {name} has an id for that."
    report.add_change("survey", first.number, None, "instance_id", detail)
    cells = {("type", ""): "calculate", ("name", ""): name, ("calculation", ""): "once(concat('uuid:', uuid()))"}
    reading = (
        Row(row.number, {column: _INSTANCE_ID.sub(f"${{{name}}}", text) for column, text in row.cells.items()})
        for row in rows
    )
    return [Row(first.number, cells), *reading]


def replace_rows(rows: Sequence[Row], keys: Mapping[str, str], report: Report) -> EquivalentRows:
    """Return the rows to read. `keys` are the columns that identify rows of lists with the same name several times."""
    rows = add_instance_id(rows, report)
    taken = {row.value("name") for row in rows}
    lookups = set[str]()
    replaced = list[Row]()
    for row in rows:
        question = parse_type(row.value("type"))
        listed = question.file or question.choices
        if listed in keys and row.value("name"):
            lookup = f"{row.value('name')}{_ROW_ENDING}"
            while lookup in taken:
                lookup += "_"
            taken.add(lookup)
            lookups.add(lookup)
            replaced += _split_choice(row, lookup, listed, keys[listed], report)
        elif question.or_other:
            replaced += _add_other(row, report)
        elif question.type in _CLOCKS and row.value("trigger"):
            replaced.append(_without_trigger(row, report))
        elif question.type == "note" and row.value("default"):
            replaced.append(_replace_default(row, report))
        else:
            replaced.append(row)
    return EquivalentRows(replaced, lookups)


def _split_choice(row: Row, lookup: str, listed: str, key: str, report: Report) -> Iterator[Row]:
    """Yield a question that looks up the row by its key, and a calculation with the name of the choice."""
    name = row.value("name")
    detail = f"Names occur several times in the list {listed}. {lookup} looks up its rows, which the column {key}"
    detail += f" tells apart, and {name} has the name of the chosen one."
    report.add_change("survey", row.number, "name", "choice_keys", detail)
    own = {column: text for column, text in row.cells.items() if column[0] in _COLUMNS_OF_THE_ANSWER}
    parameters = f"{row.value('parameters')} value={key}".strip()
    asked = {column: text for column, text in row.cells.items() if column not in own}
    yield Row(row.number, {**asked, ("name", ""): lookup, ("parameters", ""): parameters})
    read = f"instance('{listed}')/root/item[{key} = ${{{lookup}}}]/name"
    yield Row(row.number, {**own, ("type", ""): "calculate", ("name", ""): name, ("calculation", ""): read})


def _add_other(row: Row, report: Report) -> Iterator[Row]:
    """Yield a question whose choice “Other” is always offered, and one about the other choice, as pyxform does."""
    name, condition = row.value("name"), row.value("choice_filter")
    filtered = {("choice_filter", ""): f"name = 'other' or ({condition})"} if condition else {}
    yield Row(row.number, {**row.cells, **filtered})
    detail = f"or_other: the choice “Other” and the text field {name}_other were added."
    report.add_change("survey", row.number, "type", "or_other", detail)
    about = {"type": "text", "name": f"{name}_other", "label": "Specify other."}
    about["relevant"] = f"selected(${{{name}}}, 'other')"
    yield Row(row.number, {(column, ""): text for column, text in about.items()})


def _without_trigger(row: Row, report: Report) -> Row:
    detail = "The trigger would clear the time or date, which is not supported."
    report.add_drop("survey", row.number, "trigger", "column_dropped", detail)
    return Row(row.number, {column: text for column, text in row.cells.items() if column != ("trigger", "")})


def _replace_default(row: Row, report: Report) -> Row:
    """Return a note with a default as a text that nobody can change, which it is in XForms."""
    if is_recalculated(row):  # The calculation replaces the default at once.
        return Row(row.number, {column: text for column, text in row.cells.items() if column[0] != "default"})
    detail = f"{row.value('name')} has a default, so it became a text that nobody can change."
    report.add_change("survey", row.number, "type", "note_default", detail)
    return Row(row.number, {**row.cells, ("type", ""): "text", ("read_only", ""): "yes"})
