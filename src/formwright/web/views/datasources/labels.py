"""Data sources in plain words."""

from collections.abc import Mapping
from typing import Any

from formwright.core.auth.actor import ActorKind
from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources.models import (
    CellType,
    ImportCounts,
    ImportMode,
    ImportRecord,
    ImportSource,
    ImportStatus,
)
from formwright.web.session import Visitor
from formwright.web.templating import format_time
from formwright.web.views.authors import load_author_names

TYPE_LABELS: Mapping[CellType, str] = {
    CellType.TEXT: "Text",
    CellType.INTEGER: "Whole number",
    CellType.DECIMAL: "Decimal number",
    CellType.BOOLEAN: "Yes or no",
    CellType.DATE: "Date",
    CellType.DATETIME: "Date and time",
}
NUMBER_TYPES = (CellType.INTEGER, CellType.DECIMAL)
DELIMITERS = {",": "Comma ,", ";": "Semicolon ;", "\t": "Tab", "|": "Pipe |"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Western European (Windows-1252)",
    "iso8859-15": "Western European (ISO 8859-15)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1254": "Turkish (Windows-1254)",
    "mac-roman": "Western European (Macintosh)",
    "cp850": "Western European (DOS)",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
}
_DETECTED_ENCODINGS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32"}
_MODE_LABELS = {ImportMode.REPLACE: "replaced all rows", ImportMode.UPSERT: "added and updated rows"}
_SOURCE_LABELS = {
    ImportSource.JSON: "JSON",
    ImportSource.CSV: "CSV",
    ImportSource.XLSX: "Excel",
    ImportSource.PULL: "Schedule",
}


def encoding_name(encoding: str) -> str:
    """An encoding as people know it."""
    return ENCODINGS.get(encoding) or _DETECTED_ENCODINGS.get(encoding, encoding)


def describe_counts(counts: ImportCounts) -> str:
    """`12 added, 3 changed`: what happened, without what did not."""
    words = {
        "added": counts.inserted,
        "updated": counts.updated,
        "deleted": counts.deleted,
        "unchanged": counts.unchanged,
        "skipped": counts.skipped,
    }
    return ", ".join(f"{number:,} {word}" for word, number in words.items() if number) or "No rows"


async def import_view(tx: ReadTransaction, visitor: Visitor, record: ImportRecord) -> dict[str, Any]:
    """A past import as a page shows it."""
    done = record.status is ImportStatus.DONE
    hands = await load_author_names(tx, visitor, [record.by_id])
    return {
        "id": record.id,
        "when": format_time(record.created, visitor.customer.time_zone),
        "done": done,
        "line": describe_counts(record.counts) if done else record.detail,
        "how": f"{_SOURCE_LABELS[record.source]}, {_MODE_LABELS[record.mode]}",
        "who": "Formwright" if record.by_kind == ActorKind.SYSTEM else hands[record.by_id],
        "bad": record.bad,
        "seconds": max(record.created - record.started, 0) / 1000,
    }
