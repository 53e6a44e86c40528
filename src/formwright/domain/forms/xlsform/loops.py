"""Unrolls loops over choices into a group for each choice, with the questions between `begin loop` and its end."""

import re
from collections.abc import Iterator, Sequence

from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row

_PLACEHOLDER = re.compile(r"%\((\w+)\)s|%%")
_MAX_ROWS = 3000
_NOT_ASKED = "none"
"""The name of a choice that stands for no other one, for which pyxform makes no group."""


def unroll_loops(rows: Sequence[Row], choices: Sequence[Row], report: Report) -> list[Row]:
    """Return the rows of the survey with groups instead of loops. The rows of a loop keep their numbers."""
    unrolled, waiting = list[Row](), list(rows)
    while waiting:
        row = waiting.pop(0)
        found = parse_type(row.value("type"))
        end = _find_end(waiting) if found.type == "loop" and found.opens else None
        if end is None:  # Checked first, because reading all choices for each question takes long.
            unrolled.append(row)
            continue
        over = [one for one in choices if one.value("list_name") == found.choices and one.value("name")]
        if not over or len(unrolled) + len(waiting) + end * len(over) > _MAX_ROWS:
            unrolled.append(row)
            continue
        inner, waiting = [*_groups(row, waiting[:end], over), _retype(waiting[end], "end group")], waiting[end + 1 :]
        unrolled.append(_retype(row, "begin group"))
        waiting = inner + waiting
        detail = f"{row.value('name')} is a loop over choices. It became a group with one group for each choice."
        report.add_change("survey", row.number, "type", "loop", detail)
    return unrolled


def _find_end(rows: Sequence[Row]) -> int | None:
    """Return the index of the row that closes a loop that is open before these rows, or None."""
    depth = 1
    for index, row in enumerate(rows):
        found = parse_type(row.value("type"))
        if found.type == "loop":
            depth += found.opens - found.closes
        if not depth:
            return index
    return None


def _groups(loop: Row, rows: Sequence[Row], over: Sequence[Row]) -> Iterator[Row]:
    for choice in over:
        name = choice.value("name")
        if name == _NOT_ASKED:
            continue
        labels = {key: text for key, text in choice.cells.items() if key[0] == "label"}
        yield Row(loop.number, labels | {("type", ""): "begin group", ("name", ""): f"{loop.value('name')}_{name}"})
        yield from (_fill(row, choice) for row in rows)
        yield Row(loop.number, {("type", ""): "end group"})


def _fill(row: Row, choice: Row) -> Row:
    """Return the row for a choice, with its name and label instead of `%(name)s` and `%(label)s`."""
    labels = choice.texts("label")

    def fill(text: str, language: str) -> str:
        values = {"name": choice.value("name"), "label": labels.get(language) or next(iter(labels.values()), "")}
        return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]) if found[1] else "%", text)

    cells = {(column, language): fill(text, language) for (column, language), text in row.cells.items()}
    if (name := row.value("name")) and cells["name", ""] == name:
        cells["name", ""] = f"{name}_{choice.value('name')}"
    return Row(row.number, cells)


def _retype(row: Row, written: str) -> Row:
    return Row(row.number, {**row.cells, ("type", ""): written})
