"""Text that was searched before, kept in the process: a search goes through it in milliseconds.

Nothing has to be told when rows change: a segment never does, and which there are is known by the datasource's version.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources.models import Datasource
from formwright.domain.datasources.search import text_segments
from formwright.domain.datasources.search.scanner import to_search_bytes
from formwright.domain.datasources.search.text_segments import Segment

MAX_BYTES = 64 * 1024 * 1024
"""How much of it a process keeps. What was not used for longest goes first, and is read again when it is needed."""
_ENTRY_BYTES = 300

Texts = dict[str, bytes]


class StaleSegments(Exception):
    """They were joined to others meanwhile: begin again."""


class SegmentCache:
    """Segments by datasource, and texts by segment and column, up to so many bytes in all."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[tuple[str, str], tuple[Any, int]] = OrderedDict()
        self.size = 0

    async def segments(self, tx: ReadTransaction, of: Datasource) -> Sequence[Segment]:
        """Those of the datasource's version."""
        version, there = self._find((of.id, "")) or (0, ())
        if version != of.version:
            there = await text_segments.list_segments(tx, of)
            size = sum(_ENTRY_BYTES + (0 if isinstance(s.numbers, range) else 8 * len(s.numbers)) for s in there)
            self._keep((of.id, ""), (of.version, there), size)
        return there

    async def texts(
        self, tx: ReadTransaction, of: Datasource, some: Sequence[Segment], columns: Sequence[str]
    ) -> list[Texts]:
        """The texts of these columns for each of some segments; `SegmentsGone` where one is not there any more."""
        found = [{name: self._find((segment.id, name)) for name in columns} for segment in some]
        missing = [place for place, texts in enumerate(found) if None in texts.values()]
        if missing:
            read = await text_segments.load_texts(tx, of, [some[place].id for place in missing], columns)
            if len(read) < len(missing):
                self.forget(of)
                raise StaleSegments()
            for place in missing:
                found[place] = self._keep_all(some[place].id, read[some[place].id], columns)
        return [{name: text for name, text in texts.items() if text} for texts in found]

    def forget(self, of: Datasource) -> None:
        """Read anew which segments there are."""
        _, size = self._kept.pop((of.id, ""), (None, 0))
        self.size -= size

    def _keep_all(self, segment_id: str, texts: Mapping[str, str], columns: Sequence[str]) -> dict[str, Any]:
        made = {name: to_search_bytes(texts.get(name, "")) for name in columns}
        for name, text in made.items():
            self._keep((segment_id, name), text, _ENTRY_BYTES + len(text))
        return made

    def _find(self, key: tuple[str, str]) -> Any:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def _keep(self, key: tuple[str, str], value: Any, size: int) -> None:
        _, before = self._kept.pop(key, (None, 0))
        self._kept[key] = (value, size)
        self.size += size - before
        while self.size > self._most:
            _, (_, gone) = self._kept.popitem(last=False)
            self.size -= gone
