"""All rows of a lookup in parts, for offline use: `static/fill/offline_rows.js` downloads and stores them."""

import asyncio
import gzip
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from litestar import Request, get
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import DataRow, Datasource
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import LookupField
from formwright.web.fill.link_access import open_link
from formwright.web.fill.lookup import find_lookup_field
from formwright.web.session import get_app_context

MAX_ROWS = 20_000
"""A datasource with more is searched on the server only."""
_PART_ROWS = 2000
_PART_BYTES = 1024 * 1024
_ROWS_PER_READ = 200


@get("/fill/{token:str}/lookup/{name:str}/rows")
async def lookup_rows(request: Request[Any, Any, Any], token: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """The rows behind `after`, with the columns that the form shows, takes or filters by; 304 where nothing is new.

    `fits` says whether they are few enough to be kept. `next` is where the next part begins; null behind the last.
    """
    query = request.query_params
    after = query.get("after", "")
    async with get_app_context(request).db.reading(long=True) as tx:
        actor, form_id = await open_link(tx, token, get_app_context(request).clock.now())
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=query.get("version"))
        field = find_lookup_field(version, name)
        of = await datasources.get_for_lookup(tx, actor, datasource_id=field.datasource_id)
        etag = _etag(of, field)
        if request.headers.get("if-none-match") == etag:
            return Response(b"", status_code=304, headers={"etag": etag, "cache-control": "no-store"})
        behind = int(after) if after.isdecimal() and len(after) < 19 else None
        rows, more = await _load_part(tx, of, behind) if of.row_count <= MAX_ROWS else ([], False)
    compressed = "gzip" in request.headers.get("accept-encoding", "")
    content = await asyncio.to_thread(_encode_part, of, field, rows, more=more, compressed=compressed)
    headers = {"etag": etag, "cache-control": "no-store", "vary": "accept-encoding"}
    if compressed:
        headers["content-encoding"] = "gzip"
    return Response(content, media_type="application/json", headers=headers)


def lookup_columns(field: LookupField) -> list[str]:
    """What the page may know of a row beside its key."""
    return list(dict.fromkeys([*field.display, *field.mapping, *field.filter]))


def _etag(of: Datasource, field: LookupField) -> str:
    told = [of.id, of.revision, field.display, list(field.mapping), lookup_columns(field)]
    return f'"{sha256(msgspec.json.encode(told)).hexdigest()[:24]}"'


async def _load_part(tx: ReadTransaction, of: Datasource, after: int | None) -> tuple[list[DataRow], bool]:
    """So many rows that they make no large answer, and whether there are more."""
    found: list[DataRow] = []
    size = 0
    while len(found) < _PART_ROWS and size < _PART_BYTES:
        behind = found[-1].number if found else after
        rows = await datasources.list_rows_after(tx, of, behind, _ROWS_PER_READ)
        found += rows
        size += sum(len(row.data) for row in rows)
        if len(rows) < _ROWS_PER_READ:
            return found, False
    return found, True


def _encode_part(of: Datasource, field: LookupField, rows: Sequence[DataRow], *, more: bool, compressed: bool) -> bytes:
    names = lookup_columns(field)
    types = {column.name: column.type for column in of.columns}
    told = {
        "version": of.version,
        "count": of.row_count,
        "fits": of.row_count <= MAX_ROWS,
        "columns": [{"name": name, "type": types.get(name, "text")} for name in names],
        "display": field.display,
        "mapping": list(field.mapping),
        "rows": [_row_cells(row, names) for row in rows],
        "next": rows[-1].number if more else None,
    }
    content = msgspec.json.encode(told)
    return gzip.compress(content, 6, mtime=0) if compressed else content


def _row_cells(row: DataRow, names: Sequence[str]) -> list[str]:
    kept = msgspec.json.decode(row.data, type=dict[str, str])
    return [row.key, *(kept.get(name, "") for name in names)]
