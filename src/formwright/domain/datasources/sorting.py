"""What becomes of the rows of an import: which are new, changed, the same, or gone."""

import asyncio
from array import array

from formwright.core.kernel.errors import Invalid
from formwright.core.storage.database import Reading
from formwright.domain.datasources import rowstore
from formwright.domain.datasources.imports import Counts, Mode
from formwright.domain.datasources.limits import MAX_ROWS, SEGMENT_ROWS
from formwright.domain.datasources.model import DataRow, Datasource, NewRow
from formwright.domain.datasources.preparing import Prepared

AT_ONCE = SEGMENT_ROWS
"""How many rows a transaction writes; an import of no more is one transaction."""


class Sorting:
    """Counts while the rows go by, against those that the datasource has."""

    def __init__(self, of: Datasource, mode: Mode, skipped: int) -> None:
        self.counts = Counts(skipped=skipped)
        self._of, self._upserts = of, mode is Mode.UPSERT
        self._kept = array("q")
        self._matched = 0

    @property
    def row_count(self) -> int:
        """How many rows there are then."""
        return self._of.row_count + self.counts.inserted - self.counts.deleted

    async def sort_out(self, tx: Reading, batch: list[Prepared]) -> tuple[list[int], list[NewRow]]:
        """The numbers of rows that end, and the rows to be written."""
        known = await rowstore.by_key(tx, self._of, [row.key for row in batch]) if self._of.row_count else []
        self._matched += len(known)
        return await asyncio.to_thread(self._sorted, batch, {row.key: row for row in known})

    def _sorted(self, batch: list[Prepared], there: dict[str, DataRow]) -> tuple[list[int], list[NewRow]]:
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

    async def deleted(self, tx: Reading) -> list[list[int]]:
        """The numbers of rows that did not come again, in parts; those that ended are not among them."""
        if not self.counts.deleted:
            return []
        kept = iter(sorted(self._kept))
        next_kept = next(kept, None)
        parts: list[list[int]] = [[]]
        async for number in rowstore.numbers(tx, self._of):
            if number == next_kept:
                next_kept = next(kept, None)
                continue
            if len(parts[-1]) == AT_ONCE:
                parts.append([])
            parts[-1].append(number)
        return parts
