"""The rows that a lookup field offers, searched in its data source only."""

from collections.abc import Sequence
from typing import Any

import msgspec

from formwright.core.errors import Invalid, NotFound
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.cell_types import to_values
from formwright.domain.datasources.models import Column, DataRow, RowFilter
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import MAX_LOOKUP_ROWS, AnyField, walk_fields
from formwright.domain.forms.models import Version
from formwright.web.fill.limits import FillPage
from formwright.web.fill.link_access import open_link
from formwright.web.http import JsonResponse, Response, get
from formwright.web.page import PublicPage

_FILTER_PREFIX = "by."
_decode_cells = msgspec.json.Decoder(dict[str, str]).decode


class LookupNotFound(NotFound):
    """The form has no lookup with this name."""

    code = "form.lookup.not_found"
    detail = "This form has no lookup with this name."


@get("/fill/{token:str}/lookup/{name:str}")
async def search_rows(page: FillPage, token: str, name: str) -> Response:
    """Return up to 50 rows that match `q`, or those with a `key`. `by.<column>` parameters filter by column."""
    async with page.ctx.db.reading() as tx:
        actor, form_id = await open_link(tx, token, page.ctx.clock.now())
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=page.query.get("version"))
        field = find_lookup_field(version, name)
        datasource, rows = await datasources.look_up_rows(
            tx,
            actor,
            _read_search(page, field),
            datasource_id=field.datasource_id,
            keys=page.query.getall("key", [])[:MAX_LOOKUP_ROWS],
        )
    mapped_columns = [column for column in datasource.columns if column.name in field.mapping]
    items = [_row_view(mapped_columns, field, row) for row in rows]
    return JsonResponse({"version": datasource.version, "items": items})


def find_lookup_field(version: Version, name: str) -> AnyField:
    """Return the lookup field with this name. Raises `LookupNotFound` if the version has none."""
    for field in walk_fields(version.definition.fields):
        if field.datasource_id and field.name == name:
            return field
    raise LookupNotFound()


def _read_search(page: PublicPage, field: AnyField) -> RowFilter:
    query = dict(page.query)
    filters = {
        name.removeprefix(_FILTER_PREFIX): value for name, value in query.items() if name.startswith(_FILTER_PREFIX)
    }
    if unknown := filters.keys() - field.filter.keys():
        raise Invalid.at(
            f"?{_FILTER_PREFIX}{min(unknown)}", "query.unknown", "The lookup is not filtered by this column."
        )
    skip = query.get("skip", "0")
    offset = int(skip) if skip.isdecimal() and len(skip) < 6 else 0
    return RowFilter(query.get("q", "")[:200], frozenset(field.display), filters, skip=offset)


def _row_view(mapped_columns: Sequence[Column], field: AnyField, row: DataRow) -> dict[str, Any]:
    """A row as the page offers it, with only the columns that the form displays, copies or filters by."""
    cells = _decode_cells(row.data)
    label = [cells[column] for column in field.display if column in cells]
    values = to_values(mapped_columns, cells)
    data = {column: values.get(column) for column in field.mapping}
    item = {"key": row.key, "label": " · ".join(label) or row.key, "data": data}
    return item | ({"by": {column: cells.get(column, "") for column in field.filter}} if field.filter else {})
