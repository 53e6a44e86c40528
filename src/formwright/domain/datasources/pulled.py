"""What was pulled, as rows: CSV, .xlsx, .xls or JSON, whatever the server calls it."""

import codecs
from typing import BinaryIO

import msgspec

from formwright.domain.datasources.incoming import Incoming, JsonRows, TableRows
from formwright.domain.datasources.model import Cell
from formwright.domain.datasources.tables.content import HEAD, looks_like
from formwright.domain.datasources.tables.encodings import named
from formwright.domain.datasources.tables.model import Dialect, TableUnreadable
from formwright.domain.datasources.tables.opening import open_table

MAX_JSON = 32 * 1024 * 1024
_MIB = 1024 * 1024


class _Rows(msgspec.Struct):
    """Rows as our own API takes them."""

    rows: list[dict[str, Cell]]


_decoder = msgspec.json.Decoder(list[dict[str, Cell]] | _Rows)


def incoming_of(file: BinaryIO, content_type: str) -> Incoming:
    """The rows in an open file, which stays open; `TableUnreadable` where there are none.

    Where the content says what it is, that counts: servers call a CSV many things.
    """
    file.seek(0)
    what = looks_like(file.read(HEAD))
    kind = content_type.partition(";")[0].strip().lower()
    if what == "xlsx":
        return TableRows(open_table(file, "xlsx"))
    if what == "JSON" or (not what and (kind == "application/json" or kind.endswith("+json"))):
        return _json(file)
    return TableRows(open_table(file, "csv", Dialect(encoding=named(content_type))))


def _json(file: BinaryIO) -> JsonRows:
    file.seek(0)
    raw = file.read(MAX_JSON + 1).removeprefix(codecs.BOM_UTF8)
    if len(raw) > MAX_JSON:
        raise TableUnreadable("table.json", f"JSON is read up to {MAX_JSON // _MIB} MiB; a CSV may be larger.")
    try:
        found = _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        detail = f"This is no JSON array of objects, and no object with such `rows`: {str(error)[:200]}."
        raise TableUnreadable("table.json", detail) from None
    rows = found.rows if isinstance(found, _Rows) else found
    if b"\\u0000" in raw and any("\0" in str(part) for row in rows for cell in row.items() for part in cell):
        raise TableUnreadable("table.json", "This holds the character NUL, which cannot be stored.")
    return JsonRows(rows)
