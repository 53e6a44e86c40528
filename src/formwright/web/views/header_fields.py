"""Headers as rows of a form: a name, and a value that is not shown again after it was saved.

Buttons of the form add and remove rows, so that it works without JavaScript. A script does the same in place.
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
    """A submitted row. An empty value keeps the stored one."""

    name: str = ""
    value: str = ""


def read_header_rows(form: Any) -> tuple[HeaderRow, ...]:
    """Return all rows, including empty ones."""
    pairs = zip(form.getall("header", []), form.getall("value", []), strict=False)
    rows = [HeaderRow(str(name).strip()[:_MAX_TEXT], str(value).strip()[:_MAX_TEXT]) for name, value in pairs]
    return tuple(rows[:_MAX_ROWS])


def apply_row_button(rows: Sequence[HeaderRow], button: str) -> tuple[tuple[HeaderRow, ...], bool]:
    """Return the rows after a button was pressed, and whether to only show the form again instead of saving it."""
    if button == "add":
        return (*rows, HeaderRow()), True
    if button.startswith("remove-"):
        return tuple(row for number, row in enumerate(rows, 1) if button != f"remove-{number}"), True
    return tuple(row for row in rows if row.value or button != "drop"), False


def headers_by_name(rows: Sequence[HeaderRow]) -> dict[str, str | None]:
    """Return the values by name. None keeps the stored value."""
    return {row.name: row.value or None for row in rows if row.name}


def find_row_faults(rows: Sequence[HeaderRow]) -> list[ValidationFault]:
    """Return the errors of rows without a name and of repeated names, by the index of the row."""
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
    """Return the errors by pointer.

    With `other_server`, values that have to be entered again are reported for the URL too. The pointer `/elsewhere`
    then makes the form offer to remove these headers.
    """
    texts = {fault.pointer: fault.detail for fault in faults}
    missing = {fault.pointer for fault in faults if fault.code.endswith(".header.again")}
    stored = {pointer("headers", name) for name in stored_names}
    texts |= {at: _VALUE_MISSING_AGAIN if at in stored else _VALUE_MISSING for at in missing}
    if other_server and stored & missing and "/url" not in texts:
        texts["/elsewhere"] = texts["/url"] = _OTHER_SERVER
    return texts


def is_other_server(url: str, current_url: str) -> bool:
    """Whether a URL points to another server. An invalid URL does not."""
    try:
        # The origin, as the service compares it: another path or query may get the stored headers.
        return URL(url).origin() != URL(current_url).origin()
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class HeaderField:
    """A row as the form shows it. The value of a stored header is not shown; `is_stored` says that it has one."""

    name: str
    value: str
    is_stored: bool
    fault: str


@dataclass(frozen=True, slots=True)
class HeaderForm:
    """The rows with their errors, the errors of the other fields, and the number of the row to focus (0 for none)."""

    rows: Sequence[HeaderField]
    faults: Mapping[str, str]
    focus: int


def header_form(
    rows: Sequence[HeaderRow], stored_names: Sequence[str], faults: Mapping[str, str], *, rows_changed: bool
) -> HeaderForm:
    """Return what the form shows. If a row was just added, it gets the focus."""
    # Values that were stored for another server have to be entered again.
    usable_names = () if "/elsewhere" in faults else stored_names
    return HeaderForm(
        rows=[
            HeaderField(
                row.name,
                row.value,
                row.name in usable_names,
                faults.get(pointer("rows", index)) or faults.get(pointer("headers", row.name), ""),
            )
            for index, row in enumerate(rows)
        ],
        faults={at.split("/")[1]: text for at, text in faults.items() if not at.startswith(_ROW_POINTERS)},
        focus=len(rows) if rows_changed and rows[-1:] == (HeaderRow(),) else 0,
    )
