"""Headers as rows of a form: a name, and a value that is never shown again once it was saved.

A row is added or taken away by a button of the form itself, so it works without script; a module does it in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yarl import URL

from formwright.core.errors import ValidationFault, pointer

_MAX_ROWS = 100
_MAX_TEXT = 8000
_NAME_MISSING = "Enter a name for this header, or remove it."
_NAME_REPEATED = "This header is listed twice. Remove one of them."
_VALUE_MISSING = "Enter a value for this header, or remove it."
_VALUE_MISSING_AGAIN = "Enter the value of this header again, or remove it."
_OTHER_SERVER = (
    "This URL is on a different server. Saved header values are not sent to another server:"
    " enter them again below, or remove the headers."
)
_ROW_POINTERS = ("/headers/", "/rows/")


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """What stands in it. An empty value keeps the one that is there."""

    name: str = ""
    value: str = ""


def read_header_rows(form: Any) -> tuple[HeaderRow, ...]:
    """All rows, empty ones too."""
    pairs = zip(form.getall("header", []), form.getall("value", []), strict=False)
    rows = [HeaderRow(str(name).strip()[:_MAX_TEXT], str(value).strip()[:_MAX_TEXT]) for name, value in pairs]
    return tuple(rows[:_MAX_ROWS])


def apply_row_button(rows: Sequence[HeaderRow], button: str) -> tuple[tuple[HeaderRow, ...], bool]:
    """The rows after one of their buttons, and whether the form is only shown again: nothing is saved yet."""
    if button == "add":
        return (*rows, HeaderRow()), True
    if button.startswith("remove-"):
        return tuple(row for number, row in enumerate(rows, 1) if button != f"remove-{number}"), True
    return tuple(row for row in rows if row.value or button != "drop"), False


def headers_by_name(rows: Sequence[HeaderRow]) -> dict[str, str | None]:
    """What is wanted, by name; None keeps a value."""
    return {row.name: row.value or None for row in rows if row.name}


def find_row_faults(rows: Sequence[HeaderRow]) -> list[ValidationFault]:
    """What is wrong with rows and could not be said of headers: no name, or one that two have."""
    faults: list[ValidationFault] = []
    for index, row in enumerate(rows):
        if row.value and not row.name:
            faults.append(ValidationFault(pointer("rows", index), "value.required", _NAME_MISSING))
        elif row.name and row.name in [other.name for other in rows[:index]]:
            faults.append(ValidationFault(pointer("rows", index), "value.repeated", _NAME_REPEATED))
    return faults


def header_fault_texts(
    faults: Sequence[ValidationFault], stored_names: Sequence[str], *, other_server: bool
) -> dict[str, str]:
    """What is said beside each field, by its pointer. Where the address leads `elsewhere` than the one for which the
    values were given, that is said beside the address too, and `/elsewhere` is there."""
    texts = {fault.pointer: fault.detail for fault in faults}
    missing = {fault.pointer for fault in faults if fault.code.endswith(".header.again")}
    stored = {pointer("headers", name) for name in stored_names}
    texts |= {at: _VALUE_MISSING_AGAIN if at in stored else _VALUE_MISSING for at in missing}
    if other_server and stored & missing and "/url" not in texts:
        texts["/elsewhere"] = texts["/url"] = _OTHER_SERVER
    return texts


def is_other_server(url: str, current_url: str) -> bool:
    """Whether an address leads to another server."""
    try:
        return URL(url).origin() != URL(current_url).origin()
    except ValueError:
        return False


def header_form(
    rows: Sequence[HeaderRow], stored_names: Sequence[str], faults: Mapping[str, str], *, rows_changed: bool
) -> dict[str, Any]:
    """What the form shows: the rows with what is said beside each, the faults beside other fields, and the number of
    the row that has just been added."""
    usable_names = () if "/elsewhere" in faults else stored_names
    return {
        "rows": [
            {
                "name": row.name,
                "value": row.value,
                "kept": row.name in usable_names,
                "fault": faults.get(pointer("rows", index)) or faults.get(pointer("headers", row.name), ""),
            }
            for index, row in enumerate(rows)
        ],
        "faults": {at.split("/")[1]: text for at, text in faults.items() if not at.startswith(_ROW_POINTERS)},
        "focus": len(rows) if rows_changed and rows[-1:] == (HeaderRow(),) else 0,
    }
