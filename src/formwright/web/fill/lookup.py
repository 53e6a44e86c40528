"""The rows that a form's lookup offers: searched in its datasource, and in no other."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Request, get
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.errors import Invalid, NotFound
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.cell_types import to_values
from formwright.domain.datasources.models import Column, DataRow, RowFilter
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import LookupField, walk_fields
from formwright.domain.forms.models import Version
from formwright.web.fill.link_access import open_link
from formwright.web.session import get_app_context

_FILTER_PREFIX = "by."
_decode_cells = msgspec.json.Decoder(dict[str, str]).decode


class LookupNotFound(NotFound):
    """The form has no such lookup."""

    code = "form.lookup.not_found"
    detail = "This form has no lookup of this name."


@get("/fill/{token:str}/lookup/{name:str}")
async def search_rows(request: Request[Any, Any, Any], token: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Up to 50 rows that hold the words of `q`, or the one with this `key`; `by.<column>` narrows them."""
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        actor, form_id = await open_link(tx, token, ctx.clock.now())
        _, version = await forms.get_for_answering(
            tx, actor, form_id=form_id, version_id=request.query_params.get("version")
        )
        field = find_lookup_field(version, name)
        of, rows = await datasources.look_up_rows(
            tx, actor, _read_search(request, field), datasource_id=field.datasource_id
        )
    taken = [column for column in of.columns if column.name in field.mapping]
    items = [_row_view(taken, field, row) for row in rows]
    answer = msgspec.json.encode({"version": of.version, "items": items})
    return Response(answer, media_type="application/json", headers={"cache-control": "no-store"})


def find_lookup_field(version: Version, name: str) -> LookupField:
    """The lookup of this name; `LookupNotFound` where the version has none."""
    for field in walk_fields(version.definition.fields):
        if isinstance(field, LookupField) and field.name == name:
            return field
    raise LookupNotFound()


def _read_search(request: Request[Any, Any, Any], field: LookupField) -> RowFilter:
    query = dict(request.query_params)
    by = {name.removeprefix(_FILTER_PREFIX): value for name, value in query.items() if name.startswith(_FILTER_PREFIX)}
    if unknown := by.keys() - field.filter.keys():
        raise Invalid.at(
            f"?{_FILTER_PREFIX}{min(unknown)}", "query.unknown", "The lookup is not filtered by this column."
        )
    skip = query.get("skip", "0")
    number = int(skip) if skip.isdecimal() and len(skip) < 6 else 0
    return RowFilter(query.get("q", "")[:200], frozenset(field.display), by, query.get("key"), number)


def _row_view(taken: Sequence[Column], field: LookupField, row: DataRow) -> dict[str, Any]:
    """A row as the page offers it: only the columns that the form shows, takes or narrows by."""
    kept = _decode_cells(row.data)
    label = [kept[column] for column in field.display if column in kept]
    cells = to_values(taken, kept)
    data = {column: cells.get(column) for column in field.mapping}
    item = {"key": row.key, "label": " · ".join(label) or row.key, "data": data}
    return item | ({"by": {column: kept.get(column, "") for column in field.filter}} if field.filter else {})
