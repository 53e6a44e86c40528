"""In-process cache of search text.

It needs no invalidation when rows change: segments are immutable, and the list of segments is cached per version of the
data source.
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
"""The size of the cache. The least recently used entries are evicted."""
_ENTRY_BYTES = 300

Texts = dict[str, bytes]


class StaleSegments(Exception):
    """Segments of the cached list were merged by another process. The list was dropped; start again."""


class SegmentCache:
    """Caches the list of segments per data source, and texts per segment and column, up to `max_bytes` in total."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._entries: OrderedDict[tuple[str, str], tuple[Any, int]] = OrderedDict()
        self.size = 0

    async def segments(self, tx: ReadTransaction, datasource: Datasource) -> Sequence[Segment]:
        """Return the segments of the data source's version."""
        version, segments = self._get((datasource.id, "")) or (0, ())
        if version != datasource.version:
            segments = await text_segments.list_segments(tx, datasource)
            size = sum(_ENTRY_BYTES + (0 if isinstance(s.numbers, range) else 8 * len(s.numbers)) for s in segments)
            self._store((datasource.id, ""), (datasource.version, segments), size)
        return segments

    async def texts(
        self, tx: ReadTransaction, datasource: Datasource, segments: Sequence[Segment], columns: Sequence[str]
    ) -> list[Texts]:
        """Return the texts of these columns, one mapping for each segment, without columns that have no values.

        Raises `StaleSegments` if a segment does not exist any more.
        """
        found = [{name: self._get((segment.id, name)) for name in columns} for segment in segments]
        missing = [index for index, texts in enumerate(found) if None in texts.values()]
        if missing:
            loaded = await text_segments.load_texts(tx, datasource, [segments[index].id for index in missing], columns)
            if len(loaded) < len(missing):
                self._drop_segments(datasource)
                raise StaleSegments()
            for index in missing:
                found[index] = self._store_texts(segments[index].id, loaded[segments[index].id], columns)
        return [{name: text for name, text in texts.items() if text} for texts in found]

    def _drop_segments(self, datasource: Datasource) -> None:
        _, size = self._entries.pop((datasource.id, ""), (None, 0))
        self.size -= size

    def _store_texts(self, segment_id: str, texts: Mapping[str, str], columns: Sequence[str]) -> dict[str, Any]:
        encoded = {name: to_search_bytes(texts.get(name, "")) for name in columns}
        for name, text in encoded.items():
            self._store((segment_id, name), text, _ENTRY_BYTES + len(text))
        return encoded

    def _get(self, key: tuple[str, str]) -> Any:
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def _store(self, key: tuple[str, str], value: Any, size: int) -> None:
        _, size_before = self._entries.pop(key, (None, 0))
        self._entries[key] = (value, size)
        self.size += size - size_before
        while self.size > self._max_bytes:
            _, (_, evicted_size) = self._entries.popitem(last=False)
            self.size -= evicted_size
