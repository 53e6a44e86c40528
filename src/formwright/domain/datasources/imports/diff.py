"""Rows as they are written.

What becomes of the rows of an import: which are new, changed, the same, or gone.
"""

import asyncio
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.datasources import row_store
from formwright.domain.datasources.cell_types import normalize
from formwright.domain.datasources.imports.row_sources import RowSource, RowTexts
from formwright.domain.datasources.imports.validation import CheckedRows
from formwright.domain.datasources.limits import MAX_ROWS, SEGMENT_ROWS
from formwright.domain.datasources.models import CellType, Column, DataRow, Datasource, ImportCounts, ImportMode, NewRow
from formwright.domain.datasources.parsers.base import BadRow

_AMBIGUOUS_TYPES = (CellType.BOOLEAN, CellType.DATETIME)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, str]).decode


class PreparedRow(NamedTuple):
    """A row that is ready to be written; `cells` are those of the columns that came, None where the row names none."""

    key: str
    cells: dict[str, str | None]

    def whole(self) -> NewRow:
        """The row where nothing was there before."""
        return _new_row(self.key, {name: cell for name, cell in self.cells.items() if cell})

    def over(self, before: str) -> NewRow:
        """The row over the JSON of the one it changes: what it does not name stays."""
        cells = _decode(before) | {name: cell for name, cell in self.cells.items() if cell is not None}
        return _new_row(self.key, {name: cells[name] for name in sorted(cells) if cells[name]})


def _new_row(key: str, cells: dict[str, str]) -> NewRow:
    return NewRow(key, _encode(cells).decode(), cells)


def prepare_batches(
    source: RowSource, checked: CheckedRows, columns: Sequence[Column], size: int
) -> Iterator[list[PreparedRow]]:
    """The good rows, `size` at a time. Columns are in the order of their names, so that equal rows are equal texts."""
    types = {column.name: column.type for column in columns}
    order = sorted((name, index) for index, name in enumerate(source.header))
    ambiguous = [(index, types[name]) for index, name in enumerate(source.header) if types[name] in _AMBIGUOUS_TYPES]
    rows = (row for row in source.rows() if not isinstance(row, BadRow) and row[0] not in checked.bad_lines)
    prepared = (_prepare_row(texts, order, ambiguous, checked.key) for _, texts in rows)
    while batch := list(islice(prepared, size)):
        yield batch


def _prepare_row(
    texts: RowTexts, order: Sequence[tuple[str, int]], ambiguous: Sequence[tuple[int, CellType]], key: int
) -> PreparedRow:
    texts = list(texts)
    name = texts[key] = (texts[key] or "").strip()
    for index, kind in ambiguous:
        if text := texts[index]:
            texts[index] = normalize(kind, text)
    return PreparedRow(name, {column: texts[index] for column, index in order})


BATCH_ROWS = SEGMENT_ROWS
"""How many rows a transaction writes; an import of no more is one transaction."""


class RowDiff:
    """Counts while the rows go by, against those that the datasource has."""

    def __init__(self, of: Datasource, mode: ImportMode, skipped: int) -> None:
        self.counts = ImportCounts(skipped=skipped)
        self._of, self._upserts = of, mode is ImportMode.UPSERT
        self._kept = array("q")
        self._matched = 0

    @property
    def row_count(self) -> int:
        """How many rows there are then."""
        return self._of.row_count + self.counts.inserted - self.counts.deleted

    async def sort_out(self, tx: ReadTransaction, batch: list[PreparedRow]) -> tuple[list[int], list[NewRow]]:
        """The numbers of rows that end, and the rows to be written."""
        known = await row_store.find_by_keys(tx, self._of, [row.key for row in batch]) if self._of.row_count else []
        self._matched += len(known)
        return await asyncio.to_thread(self._sorted, batch, {row.key: row for row in known})

    def _sorted(self, batch: list[PreparedRow], there: dict[str, DataRow]) -> tuple[list[int], list[NewRow]]:
        ended: list[int] = []
        rows: list[NewRow] = []
        for row in batch:
            before = there.get(row.key)
            new = row.over(before.data) if before and self._upserts else row.whole()
            if before is None:
                self.counts.inserted += 1
            elif before.data == new.data:
                self.counts.unchanged += 1
                self._kept.append(before.number)
                continue
            else:
                self.counts.updated += 1
                ended.append(before.number)
            rows.append(new)
        return ended, rows

    def end(self) -> None:
        """All rows went by. Raises `Invalid` where there would be too many."""
        self.counts.deleted = 0 if self._upserts else self._of.row_count - self._matched
        if self.row_count > MAX_ROWS:
            raise Invalid.at("/rows", "datasource.rows.too_many", f"A datasource has at most {MAX_ROWS:,} rows.")

    async def deleted(self, tx: ReadTransaction) -> list[list[int]]:
        """The numbers of rows that did not come again, in parts; those that ended are not among them."""
        if not self.counts.deleted:
            return []
        kept = iter(sorted(self._kept))
        next_kept = next(kept, None)
        parts: list[list[int]] = [[]]
        async for number in row_store.stream_numbers(tx, self._of):
            if number == next_kept:
                next_kept = next(kept, None)
                continue
            if len(parts[-1]) == BATCH_ROWS:
                parts.append([])
            parts[-1].append(number)
        return parts
