"""Preparing the rows of an import, and comparing them with the existing rows: new, changed, unchanged or deleted."""

import asyncio
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.tables.base import BadRow
from formwright.domain.datasources import row_store
from formwright.domain.datasources.cell_types import normalize
from formwright.domain.datasources.imports.row_sources import RowSource, RowTexts
from formwright.domain.datasources.imports.validation import CheckedRows
from formwright.domain.datasources.limits import MAX_ROWS, SEGMENT_ROWS
from formwright.domain.datasources.models import CellType, Column, DataRow, Datasource, ImportCounts, ImportMode, NewRow

_AMBIGUOUS_TYPES = (CellType.BOOLEAN, CellType.DATETIME)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, str]).decode


class PreparedRow(NamedTuple):
    """An imported row in canonical form. `cells` has an entry for each imported column; None means not specified."""

    key: str
    cells: dict[str, str | None]

    def to_new_row(self) -> NewRow:
        """Return the row to store if the key is new."""
        return _new_row(self.key, {name: cell for name, cell in self.cells.items() if cell})

    def merge_into(self, before: str) -> NewRow:
        """Return the row to store instead of an existing one, given as JSON; cells that are None keep their value."""
        cells = _decode(before) | {name: cell for name, cell in self.cells.items() if cell is not None}
        return _new_row(self.key, {name: cells[name] for name in sorted(cells) if cells[name]})


def _new_row(key: str, cells: dict[str, str]) -> NewRow:
    return NewRow(key, _encode(cells).decode(), cells)


def prepare_batches(
    source: RowSource, checked: CheckedRows, columns: Sequence[Column], size: int
) -> Iterator[list[PreparedRow]]:
    """Yield the valid rows in lists of `size`. Cells are sorted by column name, so that equal rows have equal JSON."""
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
    key_text = texts[key] = (texts[key] or "").strip()
    for index, kind in ambiguous:
        if text := texts[index]:
            texts[index] = normalize(kind, text)
    return PreparedRow(key_text, {column: texts[index] for column, index in order})


BATCH_ROWS = SEGMENT_ROWS
"""How many rows an import writes per transaction. Smaller imports are a single transaction."""


class RowDiff:
    """Compares imported rows with the existing rows of a data source, batch by batch, and counts the changes."""

    def __init__(self, datasource: Datasource, mode: ImportMode, skipped: int) -> None:
        self.counts = ImportCounts(skipped=skipped)
        self._datasource, self._is_upsert = datasource, mode is ImportMode.UPSERT
        self._unchanged_numbers = array("q")
        self._matched = 0

    @property
    def row_count(self) -> int:
        """How many rows the data source has after the import."""
        return self._datasource.row_count + self.counts.inserted - self.counts.deleted

    async def compare_batch(self, tx: ReadTransaction, batch: list[PreparedRow]) -> tuple[list[int], list[NewRow]]:
        """Return the numbers of the existing rows that are replaced, and the rows to store."""
        keys = [row.key for row in batch]
        existing = await row_store.find_by_keys(tx, self._datasource, keys) if self._datasource.row_count else []
        self._matched += len(existing)
        return await asyncio.to_thread(self._compare, batch, {row.key: row for row in existing})

    def _compare(self, batch: list[PreparedRow], existing: dict[str, DataRow]) -> tuple[list[int], list[NewRow]]:
        ended: list[int] = []
        rows: list[NewRow] = []
        for row in batch:
            before = existing.get(row.key)
            new = row.merge_into(before.data) if before and self._is_upsert else row.to_new_row()
            if before is None:
                self.counts.inserted += 1
            elif before.data == new.data:
                self.counts.unchanged += 1
                self._unchanged_numbers.append(before.number)
                continue
            else:
                self.counts.updated += 1
                ended.append(before.number)
                new = new._replace(created_in=before.first_version)
            rows.append(new)
        return ended, rows

    def finish(self) -> None:
        """Complete the counts after the last batch. Raises `Invalid` if the data source would have too many rows."""
        self.counts.deleted = 0 if self._is_upsert else self._datasource.row_count - self._matched
        if self.row_count > MAX_ROWS:
            raise Invalid.at("/rows", "datasource.rows.too_many", f"A data source has at most {MAX_ROWS:,} rows.")

    async def find_deleted(self, tx: ReadTransaction) -> list[list[int]]:
        """Return the numbers of the rows to delete, in lists of up to `BATCH_ROWS`.

        The replaced rows must have ended before: every row that is neither unchanged nor ended counts as deleted.
        """
        if not self.counts.deleted:
            return []
        unchanged = iter(sorted(self._unchanged_numbers))
        next_unchanged = next(unchanged, None)
        batches: list[list[int]] = [[]]
        async for number in row_store.stream_numbers(tx, self._datasource):
            if number == next_unchanged:
                next_unchanged = next(unchanged, None)
                continue
            if len(batches[-1]) == BATCH_ROWS:
                batches.append([])
            batches[-1].append(number)
        return batches
