"""What a header and a row have to be, whichever file they come from."""

from collections.abc import Sequence

from formwright.core.workbooks.model import column_letters
from formwright.domain.datasources.limits import MAX_CELL, MAX_COLUMN_NAME, MAX_COLUMNS
from formwright.domain.datasources.tables.model import BadRow, TableUnreadable


def header_of(cells: Sequence[str], line: int, first: int = 1) -> tuple[str, ...]:
    """The names without the blank ones behind the last; `first` is the number of the first column in its sheet."""
    width = filled(cells)
    if width > MAX_COLUMNS:
        detail = f"The header names {width} columns; {MAX_COLUMNS} are the most. Leave out what no form needs."
        raise TableUnreadable("table.columns.too_many", detail, line)
    seen: dict[str, str] = {}
    for number, name in enumerate(cells[:width], start=first):
        place = f"Column {number} ({column_letters(number)})"
        _check_name(name, place, line)
        if name in seen:
            detail = f"{place} has the name {name!r}, and so has {seen[name]}. Name each column once."
            raise TableUnreadable("table.header.taken", detail, line)
        seen[name] = place.lower().replace(column_letters(number).lower(), column_letters(number))
    return tuple(seen)


def _check_name(name: str, place: str, line: int) -> None:
    if not name:
        detail = f"{place} has no name. The first row must name every column: name it, or remove it."
        raise TableUnreadable("table.header.blank", detail, line)
    if len(name) > MAX_COLUMN_NAME:
        detail = (
            f"{place} has a name of {len(name)} characters; at most {MAX_COLUMN_NAME}. The first row must hold names."
        )
        raise TableUnreadable("table.header.too_long", detail, line)
    if "\0" in name:
        detail = f"{place} has a name with a NUL character. Remove it, or save the file as CSV UTF-8."
        raise TableUnreadable("table.header.nul", detail, line)


def settled(cells: list[str], header: Sequence[str], line: int) -> tuple[int, list[str]] | BadRow:
    """The row of an odd width, with a very long text or with a NUL: in order after all, or bad."""
    if len(cells) < len(header):
        return _ragged(len(cells), header, line)
    if (width := filled(cells)) > len(header):
        return _ragged(width, header, line)
    for name, cell in zip(header, cells, strict=False):
        if len(cell) > MAX_CELL:
            return too_long(line, name, f"holds {len(cell)} characters")
        if "\0" in cell:
            detail = f"The cell in {name!r} holds a NUL character. Remove it, or save the file as CSV UTF-8."
            return BadRow(line, name, "cell.nul", detail)
    return line, cells[: len(header)]


def too_long(line: int, column: str | None, holds: str) -> BadRow:
    """The fault of a cell that is too long."""
    cell = f"The cell in {column!r}" if column else "A cell"
    return BadRow(line, column, "cell.too_long", f"{cell} {holds}; {MAX_CELL} are the most. Shorten it.")


def filled(cells: Sequence[str]) -> int:
    """How many cells there are up to the last that is not empty."""
    width = len(cells)
    while width and not cells[width - 1]:
        width -= 1
    return width


def _ragged(width: int, header: Sequence[str], line: int) -> BadRow:
    detail = f"The row has {width} cells and the header {len(header)}. Each row needs one for each column."
    return BadRow(line, None, "row.ragged", detail)
