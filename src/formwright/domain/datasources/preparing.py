"""Rows as they are written."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from formwright.domain.datasources.cells import kept
from formwright.domain.datasources.incoming import Incoming, Texts
from formwright.domain.datasources.model import CellType, Column, NewRow
from formwright.domain.datasources.survey import Surveyed
from formwright.domain.datasources.tables.model import BadRow

_SEVERAL_FORMS = (CellType.BOOLEAN, CellType.DATETIME)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, str]).decode


class Prepared(NamedTuple):
    """A row that is ready to be written; `cells` are those of the columns that came, None where the row names none."""

    key: str
    cells: dict[str, str | None]

    def whole(self) -> NewRow:
        """The row where nothing was there before."""
        return _written(self.key, {name: cell for name, cell in self.cells.items() if cell})

    def over(self, before: str) -> NewRow:
        """The row over the JSON of the one it changes: what it does not name stays."""
        cells = _decode(before) | {name: cell for name, cell in self.cells.items() if cell is not None}
        return _written(self.key, {name: cells[name] for name in sorted(cells) if cells[name]})


def _written(key: str, cells: dict[str, str]) -> NewRow:
    return NewRow(key, _encode(cells).decode(), cells)


def batches(incoming: Incoming, found: Surveyed, columns: Sequence[Column], size: int) -> Iterator[list[Prepared]]:
    """The good rows, `size` at a time. Columns are in the order of their names, so that equal rows are equal texts."""
    types = {column.name: column.type for column in columns}
    order = sorted((name, index) for index, name in enumerate(incoming.header))
    several = [(index, types[name]) for index, name in enumerate(incoming.header) if types[name] in _SEVERAL_FORMS]
    rows = (row for row in incoming.rows() if not isinstance(row, BadRow) and row[0] not in found.bad_lines)
    made = (_prepared(texts, order, several, found.key) for _, texts in rows)
    while batch := list(islice(made, size)):
        yield batch


def _prepared(
    texts: Texts, order: Sequence[tuple[str, int]], several: Sequence[tuple[int, CellType]], key: int
) -> Prepared:
    texts = list(texts)
    name = texts[key] = (texts[key] or "").strip()
    for index, kind in several:
        if text := texts[index]:
            texts[index] = kept(kind, text)
    return Prepared(name, {column: texts[index] for column, index in order})
