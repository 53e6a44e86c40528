"""Rows of a datasource from whatever they came as."""

import asyncio
from typing import Any

from formwright.api.binary import TableUpload
from formwright.api.v1_0.wire import datasources as wire
from formwright.core.kernel.errors import Fault
from formwright.core.kernel.offload import offload
from formwright.domain.datasources.imports import Mode, Plan, Source
from formwright.domain.datasources.incoming import Incoming, TableRows, unreadable
from formwright.domain.datasources.tables.encodings import named
from formwright.domain.datasources.tables.model import Dialect, TableUnreadable
from formwright.domain.datasources.tables.opening import open_table
from formwright.reading import QueryInvalid

_OF_FILES = {
    "name": "name",
    "key_column": "keyColumn",
    "delimiter": "delimiter",
    "encoding": "encoding",
    "sheet": "sheet",
}


async def incoming(body: Any, query: wire.RowsQuery) -> tuple[Any, Source]:
    """The rows of a body, and what they came as; None where it has none."""
    if isinstance(body, TableUpload):
        encoding = named(body.content_type) if query.encoding is None else query.encoding
        dialect = Dialect(encoding, query.delimiter, query.sheet)
        try:
            table = await asyncio.to_thread(open_table, body.file, body.kind, dialect)
        except TableUnreadable as error:
            raise unreadable(error) from None
        return TableRows(table), Source(body.kind.upper())
    if unused := [given for member, given in _OF_FILES.items() if getattr(query, member, None) is not None]:
        raise QueryInvalid(
            [Fault(f"?{name}", "query.unused", "This goes with a file; JSON says it in the body.") for name in unused]
        )
    rows: Incoming | None = await offload(body.incoming)
    return rows, Source.JSON


def plan(query: wire.RowsQuery, source: Source, mode: Mode = Mode.REPLACE) -> Plan:
    """How the caller wants them taken in."""
    return Plan(source, mode, query.skip_bad_rows, query.dry_run)
