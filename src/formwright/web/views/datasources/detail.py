"""A data source: its rows, its columns and its imports."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

import msgspec

from formwright.core.errors import Conflict, DomainError, Invalid
from formwright.core.pagination import Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import CellType, DataRow, Datasource, DatasourceNotFound, RowFilter
from formwright.domain.datasources.service import DatasourceChanges
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.datasources.labels import NUMBER_TYPES, TYPE_LABELS, ImportView, import_view
from formwright.web.views.datasources.list import DatasourceEditorPage, DatasourcePage, may_edit
from formwright.web.views.list_pages import ListPage, read_list_request, search_field

PATH = "/datasources/{datasource_id:str}"
_PAGE_SIZE = 25
_IMPORTS_PAGE_SIZE = 20


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column; `index` is its position in the cells of a row."""

    index: int
    name: str
    type: CellType
    type_label: str
    is_fixed: bool
    is_number: bool
    is_key: bool


@dataclass(frozen=True, slots=True)
class DatasourceView:
    """What all pages of a data source show."""

    id: str
    name: str
    key_column: str
    row_count: int
    updated: DisplayTime
    columns: Sequence[ColumnView]
    may_edit: bool


def datasource_view(visitor: Visitor, source: Datasource) -> DatasourceView:
    """Return a data source as its pages show it."""
    return DatasourceView(
        id=source.id,
        name=source.name,
        key_column=source.key_column,
        row_count=source.row_count,
        updated=format_time(source.updated, visitor.customer.time_zone),
        columns=[_column_view(source, index) for index in range(len(source.columns))],
        may_edit=may_edit(visitor),
    )


def _column_view(source: Datasource, index: int) -> ColumnView:
    column = source.columns[index]
    return ColumnView(
        index=index,
        name=column.name,
        type=column.type,
        type_label=TYPE_LABELS[column.type],
        is_fixed=column.fixed,
        is_number=column.type in NUMBER_TYPES,
        is_key=column.name == source.key_column,
    )


@dataclass(frozen=True, slots=True)
class RowView:
    """A row with the texts of its cells, in the order of the columns."""

    key: str
    url: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class RowListPage:
    """The view model of the rows. `first` is the number of the first row on the page.

    `finished_import` is set just after an import.
    """

    source: DatasourceView
    rows: ListPage[RowView]
    first: int
    finished_import: ImportView | None


@get(PATH, long=True)
async def rows_page(page: DatasourcePage, datasource_id: str) -> Response:
    """The rows that match `?q=`, 25 per page; `?from=` is the number of the first one."""
    query = page.query
    request = read_list_request(page, f"/datasources/{datasource_id}", "q", size=_PAGE_SIZE)
    filter_ = RowFilter(text=request.values["q"])
    source, found = await datasources.find_rows(
        page.tx, page.actor, filter_, request.window, datasource_id=datasource_id
    )
    latest = (await datasources.list_imports(page.tx, page.actor, Window(1), datasource_id=source.id)).items
    is_after_import = bool(latest) and query.get("imported") == "1"
    finished_import = await import_view(page.tx, page.visitor, latest[0]) if is_after_import else None
    first = int(query["from"]) if query.get("from", "").isdecimal() and len(query["from"]) < 9 else 1
    rows = request.build([_row_view(source, row) for row in found.items], found.next, search_field("Search rows"))
    next_url = f"{rows.next_url}&from={first + len(found.items)}" if rows.next_url else ""
    view_model = RowListPage(
        source=datasource_view(page.visitor, source),
        rows=replace(rows, next_url=next_url),
        first=first,
        finished_import=finished_import,
    )
    return page.render("datasources/rows.html", view_model, section="Data sources")


def _row_view(source: Datasource, row: DataRow) -> RowView:
    cells = msgspec.json.decode(row.data, type=dict[str, str])
    url = f"/datasources/{source.id}/row?" + urlencode({"key": row.key})
    return RowView(row.key, url, [cells.get(name, "") for name in source.column_names])


@dataclass(frozen=True, slots=True)
class RowPage:
    """The view model of a row."""

    source: DatasourceView
    row: RowView


@get(PATH + "/row")
async def row_page(page: DatasourcePage, datasource_id: str) -> Response:
    """A row with its complete cells."""
    key = page.query.get("key", "")
    source, found = await datasources.find_rows(
        page.tx, page.actor, RowFilter(key=key), Window(1), datasource_id=datasource_id
    )
    if not found.items:
        raise DatasourceNotFound()
    view_model = RowPage(datasource_view(page.visitor, source), _row_view(source, found.items[0]))
    return page.render("datasources/row.html", view_model, section="Data sources")


@dataclass(frozen=True, slots=True)
class ColumnsPage:
    """The view model of the name and the columns. `saved` is “name” or “types” just after they were saved."""

    source: DatasourceView
    types: Mapping[CellType, str]
    name: str
    name_fault: str
    types_fault: str
    saved: str


@get(PATH + "/columns")
async def columns_page(page: DatasourcePage, datasource_id: str) -> Response:
    """The name and the columns of a data source."""
    return await _render_columns(page, datasource_id)


async def _render_columns(
    page: Page,
    datasource_id: str,
    *,
    name: str | None = None,
    name_fault: str = "",
    types_fault: str = "",
) -> Response:
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    view_model = ColumnsPage(
        source=datasource_view(page.visitor, source),
        types=TYPE_LABELS,
        name=source.name if name is None else name,
        name_fault=name_fault,
        types_fault=types_fault,
        saved=page.query.get("saved", ""),
    )
    status = 422 if name_fault or types_fault else 200
    return page.render("datasources/columns.html", view_model, section="Data sources", status=status)


@post(PATH + "/name")
async def rename_datasource(page: DatasourceEditorPage, datasource_id: str) -> Response:
    """Rename a data source."""
    form = await page.form()
    name = str(form.get("name", "")).strip()
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Enter a name (up to {MAX_NAME} characters).")
        await _change_datasource(page, datasource_id, DatasourceChanges(name=name))
    except (Invalid, Conflict) as error:
        return await _render_columns(page, datasource_id, name=name[:1000], name_fault=_error_text(error))
    return Redirect(f"/datasources/{datasource_id}/columns?saved=name")


@post(PATH + "/types")
async def set_column_types(page: DatasourceEditorPage, datasource_id: str) -> Response:
    """Set the types of columns. The other types are detected again."""
    form = await page.form()
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    change = DatasourceChanges(types=read_column_types(form, source.column_names))
    try:
        await _change_datasource(page, datasource_id, change)
    except (Invalid, Conflict) as error:
        return await _render_columns(page, datasource_id, types_fault=_error_text(error))
    return Redirect(f"/datasources/{datasource_id}/columns?saved=types")


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


def read_column_types(form: Any, names: Sequence[str]) -> dict[str, CellType]:
    """Read the types from fields named `type:<column>`. Columns with an empty value, to be detected, are left out."""
    sent = {str(name)[5:]: str(value) for name, value in form.multi_items() if str(name).startswith("type:")}
    return {match_column(name, names): CellType(value) for name, value in sent.items() if value in tuple(CellType)}


def match_column(sent: str, names: Sequence[str]) -> str:
    """Return the column with this name. Browsers send all line breaks as CR LF, also those in names."""
    return next((name for name in names if _normalize_newlines(name) == _normalize_newlines(sent)), sent)


def _normalize_newlines(name: str) -> str:
    return re.sub(r"\r\n?|\n", "\r\n", name)


async def _change_datasource(page: Page, datasource_id: str, change: DatasourceChanges) -> None:
    await datasources.update(page.ctx.db, page.actor, change, datasource_id=datasource_id)


@dataclass(frozen=True, slots=True)
class ImportListPage:
    """The view model of the imports."""

    source: DatasourceView
    imports: ListPage[ImportView]


@get(PATH + "/imports")
async def imports_page(page: DatasourcePage, datasource_id: str) -> Response:
    """The imports of a data source, newest first."""
    request = read_list_request(page, f"/datasources/{datasource_id}/imports", size=_IMPORTS_PAGE_SIZE)
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    found = await datasources.list_imports(page.tx, page.actor, request.window, datasource_id=source.id)
    rows = [await import_view(page.tx, page.visitor, record) for record in found.items]
    view_model = ImportListPage(datasource_view(page.visitor, source), request.build(rows, found.next))
    return page.render("datasources/imports.html", view_model, section="Data sources")
