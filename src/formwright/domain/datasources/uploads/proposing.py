"""What can be proposed from the beginning of a file: the rows that are shown, the key column, the name."""

import re
from collections.abc import Iterator
from itertools import islice

from formwright.domain.datasources.tables.model import BadRow, Table
from formwright.domain.datasources.uploads.model import SHOWN

LOOKED_AT = 10_000
"""How many rows are looked at for a key column; all of them are checked when they are looked through."""
_CELL = 300
_LONGEST_NAME = 100


def begins_with(table: Table) -> list[tuple[int, list[str]]]:
    """The first rows with their lines; long cells are cut. A row that cannot be read has no cells."""
    return [_shown(row) for row in islice(table.rows(), SHOWN)]


def _shown(row: tuple[int, list[str]] | BadRow) -> tuple[int, list[str]]:
    if isinstance(row, BadRow):
        return row.line, []
    line, cells = row
    return line, [cell if len(cell) <= _CELL else cell[:_CELL] + "…" for cell in cells]


def key_among(table: Table) -> str:
    """The first column whose cells are all there and all different; the first column where there is none."""
    seen: dict[int, set[str]] = {index: set() for index in range(len(table.header))}
    for cells in _good(table):
        for index in [index for index, values in seen.items() if not cells[index] or cells[index] in values]:
            del seen[index]
        if not seen:
            return table.header[0]
        for index, values in seen.items():
            values.add(cells[index])
    return table.header[min(seen)]


def _good(table: Table) -> Iterator[list[str]]:
    for row in islice(table.rows(), LOOKED_AT):
        if not isinstance(row, BadRow):
            yield row[1]


def name_from(file_name: str) -> str:
    """A datasource's name from that of a file: `kunden_2026-03.csv` becomes `kunden 2026-03`."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", file_name)
    return re.sub(r"[\s_]+", " ", stem).strip()[:_LONGEST_NAME]
