"""All rows of a lookup in parts, for offline use. `static/fill/offline_rows.js` downloads and stores them."""

import asyncio
import gzip
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import DataRow, Datasource
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField
from formwright.web.fill.limits import FillPage
from formwright.web.fill.link_access import open_link
from formwright.web.fill.lookup import find_lookup_field
from formwright.web.http import Response, get

MAX_ROWS = 50_000
"""A data source with more rows can be searched on the server only."""
_PART_ROWS = 2000
_PART_BYTES = 1024 * 1024
# Rows can be large, so a part is read in small steps until it has its size.
_ROWS_PER_READ = 200


@get("/fill/{token:str}/lookup/{name:str}/rows")
async def lookup_rows(page: FillPage, token: str, name: str) -> Response:
    """Return the rows after `after`, with the columns that the form displays, copies or filters by; 304 if unchanged.

    `fits` is false if there are too many rows to store offline. `next` is the start of the next part, null after the
    last.
    """
    query = page.query
    after = query.get("after", "")
    async with page.ctx.db.reading(long=True) as tx:
        actor, form_id = await open_link(tx, token, page.ctx.clock.now())
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=query.get("version"))
        field = find_lookup_field(version, name)
        datasource = await datasources.get_for_lookup(tx, actor, datasource_id=field.datasource_id)
        etag = _etag(datasource, field)
        if page.headers.get("if-none-match") == etag:
            return Response(b"", status_code=304, headers={"etag": etag, "cache-control": "no-store"})
        # Eighteen digits always fit into a BIGINT of the database.
        after_number = int(after) if after.isdecimal() and len(after) < 19 else None
        rows, has_more = (
            await _load_part(tx, datasource, after_number) if datasource.row_count <= MAX_ROWS else ([], False)
        )
    compressed = "gzip" in page.headers.get("accept-encoding", "")
    content = await asyncio.to_thread(_encode_part, datasource, field, rows, has_more=has_more, compressed=compressed)
    headers = {"etag": etag, "cache-control": "no-store", "vary": "accept-encoding"}
    if compressed:
        headers["content-encoding"] = "gzip"
    return Response(content, media_type="application/json", headers=headers)


def lookup_columns(field: AnyField) -> list[str]:
    """The columns of a row that the page may see, in addition to its key."""
    return list(dict.fromkeys([*field.display, *field.mapping, *field.filter]))


def _etag(datasource: Datasource, field: AnyField) -> str:
    state = [datasource.id, datasource.revision, field.display, list(field.mapping), lookup_columns(field)]
    return f'"{sha256(msgspec.json.encode(state)).hexdigest()[:24]}"'


async def _load_part(tx: ReadTransaction, datasource: Datasource, after: int | None) -> tuple[list[DataRow], bool]:
    """Return as many rows as make up a response of moderate size, and whether more follow."""
    rows: list[DataRow] = []
    size = 0
    while len(rows) < _PART_ROWS and size < _PART_BYTES:
        last_number = rows[-1].number if rows else after
        batch = await datasources.list_rows_after(tx, datasource, last_number, _ROWS_PER_READ)
        rows += batch
        size += sum(len(row.data) for row in batch)
        if len(batch) < _ROWS_PER_READ:
            return rows, False
    return rows, True


def _encode_part(
    datasource: Datasource, field: AnyField, rows: Sequence[DataRow], *, has_more: bool, compressed: bool
) -> bytes:
    names = lookup_columns(field)
    types = {column.name: column.type for column in datasource.columns}
    part = {
        "version": datasource.version,
        "count": datasource.row_count,
        "fits": datasource.row_count <= MAX_ROWS,
        "columns": [{"name": name, "type": types.get(name, "text")} for name in names],
        "display": field.display,
        "mapping": list(field.mapping),
        "rows": [_row_cells(row, names) for row in rows],
        "next": rows[-1].number if has_more else None,
    }
    content = msgspec.json.encode(part)
    return gzip.compress(content, 6, mtime=0) if compressed else content


def _row_cells(row: DataRow, names: Sequence[str]) -> list[str]:
    cells = msgspec.json.decode(row.data, type=dict[str, str])
    return [row.key, *(cells.get(name, "") for name in names)]
