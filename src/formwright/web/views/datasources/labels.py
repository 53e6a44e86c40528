"""Labels of data sources and their imports."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import ActorKind
from formwright.core.db.interface import ReadTransaction
from formwright.core.tables.base import BadRow
from formwright.core.tables.numbers import DecimalMark
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.datasources.models import (
    CellType,
    ImportCounts,
    ImportMode,
    ImportRecord,
    ImportSource,
    ImportStatus,
)
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time

_MAX_EXAMPLES = 3
_MAX_EXAMPLE_LENGTH = 40
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
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1257": "Baltic (Windows-1257)",
    "mac-roman": "Western European (Macintosh)",
    "cp850": "Western European (DOS)",
    "cp932": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "cp949": "Korean (EUC-KR)",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
}
DECIMAL_MARKS: Mapping[DecimalMark, str] = {".": "Point: 1234.5", ",": "Comma: 1234,5"}
_DETECTED_ENCODINGS = {"utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-32": "UTF-32"}
_MODE_LABELS = {ImportMode.REPLACE: "replaced all rows", ImportMode.UPSERT: "added and updated rows"}
_SOURCE_LABELS = {
    ImportSource.JSON: "JSON",
    ImportSource.CSV: "CSV",
    ImportSource.XLSX: "Excel",
    ImportSource.PULL: "Schedule",
}


def encoding_name(encoding: str) -> str:
    """Return the label of an encoding."""
    return ENCODINGS.get(encoding) or _DETECTED_ENCODINGS.get(encoding, encoding)


def delimiter_options(detected: str | None, chosen: str | None, *, undetected: str = "") -> list[tuple[str, str]]:
    """Return the delimiters to choose from; the first option detects it, and says which one was detected.

    `undetected` is what that option says instead if there is none.
    """
    label = DELIMITERS.get(detected, detected) if detected else undetected
    automatic = f"Automatic: {label}" if label and not chosen else "Automatic"
    custom = {chosen: chosen} if chosen and chosen not in DELIMITERS else {}
    return [("", automatic), *(DELIMITERS | custom).items()]


def encoding_options(detected: str | None, chosen: str | None) -> list[tuple[str, str]]:
    """Return the encodings to choose from; the first option detects it, and says which one was detected."""
    automatic = "Automatic" if chosen or not detected else f"Automatic: {encoding_name(detected)}"
    return [("", automatic), *ENCODINGS.items()]


def decimal_mark_options(detected: DecimalMark | None) -> list[tuple[str, str]]:
    """Return the decimal marks to choose from; the first option decides it, and says which one was decided."""
    automatic = f"Automatic: {DECIMAL_MARKS[detected]}" if detected else "Automatic"
    return [("", automatic), ("point", DECIMAL_MARKS["."]), ("comma", DECIMAL_MARKS[","])]


def describe_counts(counts: ImportCounts) -> str:
    """Return the counts except zeros, such as “12 added, 3 updated”."""
    counts_by_label = {
        "added": counts.inserted,
        "updated": counts.updated,
        "deleted": counts.deleted,
        "unchanged": counts.unchanged,
        "skipped": counts.skipped,
    }
    return ", ".join(f"{count:,} {label}" for label, count in counts_by_label.items() if count) or "No rows"


def list_examples(rows: Iterable[Sequence[str]], index: int) -> list[str]:
    """Return the first different values of a column, shortened, as examples of what it contains."""
    values = dict.fromkeys(cells[index] for cells in rows if index < len(cells) and cells[index])
    return [value[:_MAX_EXAMPLE_LENGTH] for value in list(values)[:_MAX_EXAMPLES]]


@dataclass(frozen=True, slots=True)
class ImportView:
    """A finished import. `result` are the counts of rows, or why it failed."""

    time: DisplayTime
    is_done: bool
    result: str
    method: str
    author: str
    bad_rows: Sequence[BadRow]


async def import_view(tx: ReadTransaction, visitor: Visitor, record: ImportRecord) -> ImportView:
    """Return a finished import as pages show it."""
    is_done = record.status is ImportStatus.DONE
    names = await load_author_names(tx, visitor.actor, [record.by_id])
    return ImportView(
        time=format_time(record.created, visitor.customer.time_zone),
        is_done=is_done,
        result=describe_counts(record.counts) if is_done else record.detail,
        method=f"{_SOURCE_LABELS[record.source]}, {_MODE_LABELS[record.mode]}",
        author="Formwright" if record.by_kind == ActorKind.SYSTEM else names[record.by_id],
        bad_rows=record.bad,
    )
