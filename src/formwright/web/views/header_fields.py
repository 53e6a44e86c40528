"""Headers as rows of a form: a name, and a value that is never shown again once it was saved.

A row is added or taken away by a button of the form itself, so it works without script; a module does it in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yarl import URL

from formwright.core.errors import ValidationFault, pointer

_MOST_ROWS = 100
_LONGEST = 8000
_NO_NAME = "Write the name of this header, or remove it."
_TWICE = "This header is named twice."
_TYPE = "Type its value, or remove it."
_TYPE_ANEW = "Type its value anew, or remove it."
_ELSEWHERE = (
    "This is another server. What its headers hold was given for the one before and is not sent to this one:"
    " type the values anew below, or remove the headers."
)
_OF_A_ROW = ("/headers/", "/rows/")


@dataclass(frozen=True, slots=True)
class Row:
    """What stands in it. An empty value keeps the one that is there."""

    name: str = ""
    value: str = ""


def rows_of(form: Any) -> tuple[Row, ...]:
    """All rows, empty ones too."""
    both = zip(form.getall("header", []), form.getall("value", []), strict=False)
    rows = [Row(str(name).strip()[:_LONGEST], str(value).strip()[:_LONGEST]) for name, value in both]
    return tuple(rows[:_MOST_ROWS])


def pressed(rows: Sequence[Row], button: str) -> tuple[tuple[Row, ...], bool]:
    """The rows after one of their buttons, and whether the form is only shown again: nothing is saved yet."""
    if button == "add":
        return (*rows, Row()), True
    if button.startswith("remove-"):
        return tuple(row for number, row in enumerate(rows, 1) if button != f"remove-{number}"), True
    return tuple(row for row in rows if row.value or button != "drop"), False


def headers_of(rows: Sequence[Row]) -> dict[str, str | None]:
    """What is wanted, by name; None keeps a value."""
    return {row.name: row.value or None for row in rows if row.name}


def row_faults(rows: Sequence[Row]) -> list[ValidationFault]:
    """What is wrong with rows and could not be said of headers: no name, or one that two have."""
    found: list[ValidationFault] = []
    for index, row in enumerate(rows):
        if row.value and not row.name:
            found.append(ValidationFault(pointer("rows", index), "value.required", _NO_NAME))
        elif row.name and row.name in [other.name for other in rows[:index]]:
            found.append(ValidationFault(pointer("rows", index), "value.repeated", _TWICE))
    return found


def told(faults: Sequence[ValidationFault], kept: Sequence[str], *, elsewhere: bool) -> dict[str, str]:
    """What is said beside each field, by its pointer. Where the address leads `elsewhere` than the one for which the
    values were given, that is said beside the address too, and `/elsewhere` is there."""
    found = {fault.pointer: fault.detail for fault in faults}
    missing = {fault.pointer for fault in faults if fault.code.endswith(".header.again")}
    ours = {pointer("headers", name) for name in kept}
    found |= {at: _TYPE_ANEW if at in ours else _TYPE for at in missing}
    if elsewhere and ours & missing and "/url" not in found:
        found["/elsewhere"] = found["/url"] = _ELSEWHERE
    return found


def is_elsewhere(url: str, before: str) -> bool:
    """Whether an address leads to another server."""
    try:
        return URL(url).origin() != URL(before).origin()
    except ValueError:
        return False


def shown(rows: Sequence[Row], kept: Sequence[str], faults: Mapping[str, str], *, goes_on: bool) -> dict[str, Any]:
    """What the form shows: the rows with what is said beside each, the faults beside other fields, and the number of
    the row that has just been added."""
    known = () if "/elsewhere" in faults else kept
    return {
        "rows": [
            {
                "name": row.name,
                "value": row.value,
                "kept": row.name in known,
                "fault": faults.get(pointer("rows", index)) or faults.get(pointer("headers", row.name), ""),
            }
            for index, row in enumerate(rows)
        ],
        "faults": {at.split("/")[1]: words for at, words in faults.items() if not at.startswith(_OF_A_ROW)},
        "focus": len(rows) if goes_on and rows[-1:] == (Row(),) else 0,
    }
