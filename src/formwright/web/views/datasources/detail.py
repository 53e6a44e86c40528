"""One data source: its rows, its columns, its imports."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Conflict, DomainError, Invalid
from formwright.core.pagination import Page, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import CellType, DataRow, Datasource, DatasourceNotFound, RowFilter
from formwright.domain.datasources.service import DatasourceChanges
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import format_time, render_page
from formwright.web.views.datasources.labels import NUMBER_TYPES, TYPE_LABELS, import_view
from formwright.web.views.datasources.list import may_edit, require_datasource_editor, require_datasource_reader
from formwright.web.views.list_urls import format_place, parse_place

PATH = "/datasources/{datasource_id:str}"
_PAGE_SIZE = 25
_IMPORTS_PAGE_SIZE = 20
_MAX_SEARCH = 200


@get(PATH)
async def rows_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its rows, or those that hold what `q` says; `from` is the number of the first one on this page."""
    visitor, asked = await require_datasource_reader(request), request.query_params
    text = asked.get("q", "")[:_MAX_SEARCH]
    window, wanted = Window(_PAGE_SIZE, parse_place(asked.get("after", ""))), RowFilter(text=text)
    async with get_app_context(request).db.reading(long=True) as tx:
        of, found = await datasources.find_rows(tx, visitor.actor, wanted, window, datasource_id=datasource_id)
        last = (await datasources.list_imports(tx, visitor.actor, Window(1), datasource_id=of.id)).items
        imported = await import_view(tx, visitor, last[0]) if last and asked.get("imported") == "1" else None
    first = int(asked["from"]) if asked.get("from", "").isdecimal() and len(asked["from"]) < 9 else 1
    return render_datasource_page(
        request,
        visitor,
        of,
        "datasources/rows.html",
        rows=[_row_view(of, row) for row in found.items],
        q=text,
        first=first,
        next_url=_next_page_url(of, found, text, first),
        imported=imported,
    )


def _next_page_url(of: Datasource, found: Page[DataRow], text: str, first: int) -> str:
    if found.next is None:
        return ""
    query = {"q": text} if text else {}
    return f"/datasources/{of.id}?" + urlencode(query | {"after": found.next.number, "from": first + len(found.items)})


def _row_view(of: Datasource, row: DataRow) -> dict[str, Any]:
    cells = msgspec.json.decode(row.data, type=dict[str, str])
    return {
        "key": row.key,
        "url": f"/datasources/{of.id}/row?" + urlencode({"key": row.key}),
        "cells": [cells.get(name, "") for name in of.column_names],
    }


def render_datasource_page(
    request: Request[Any, Any, Any], visitor: Visitor, of: Datasource, template: str, status: int = 200, **context: Any
) -> Response[str]:
    """A page of one data source."""
    return render_page(
        request,
        template,
        status,
        place="Data sources",
        of=of,
        columns=[_column_view(of, index) for index in range(len(of.columns))],
        may_edit=may_edit(visitor),
        updated=format_time(of.updated, visitor.customer.time_zone),
        **context,
        **visitor.template_frame,
    )


def _column_view(of: Datasource, index: int) -> dict[str, Any]:
    column = of.columns[index]
    return {
        "index": index,
        "name": column.name,
        "type": column.type,
        "word": TYPE_LABELS[column.type],
        "fixed": column.fixed,
        "number": column.type in NUMBER_TYPES,
        "key": column.name == of.key_column,
    }


@get(PATH + "/row")
async def row_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """One row, with all that its cells hold."""
    visitor, key = await require_datasource_reader(request), request.query_params.get("key", "")
    async with get_app_context(request).db.reading() as tx:
        of, found = await datasources.find_rows(
            tx, visitor.actor, RowFilter(key=key), Window(1), datasource_id=datasource_id
        )
    if not found.items:
        raise DatasourceNotFound()
    return render_datasource_page(request, visitor, of, "datasources/row.html", row=_row_view(of, found.items[0]))


@get(PATH + "/columns")
async def columns_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its name and its columns."""
    return await _render_columns(request, await require_datasource_reader(request), datasource_id)


async def _render_columns(
    request: Request[Any, Any, Any], visitor: Visitor, datasource_id: str, status: int = 200, **given: Any
) -> Response[str]:
    context = {"name": None, "name_fault": "", "types_fault": "", "saved": request.query_params.get("saved", "")}
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
    return render_datasource_page(
        request, visitor, of, "datasources/columns.html", status, types=TYPE_LABELS.items(), **(context | given)
    )


@post(PATH + "/name", status_code=303)
async def rename_datasource(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Give it another name."""
    visitor, form = await require_datasource_editor(request), await request.form()
    name = str(form.get("name", "")).strip()
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Write a name of 1 to {MAX_NAME} characters.")
        await _change_datasource(request, visitor, datasource_id, DatasourceChanges(name=name))
    except (Invalid, Conflict) as error:
        return await _render_columns(
            request, visitor, datasource_id, 422, name=name[:1000], name_fault=_error_text(error)
        )
    return Redirect(f"/datasources/{datasource_id}/columns?saved=name", status_code=303)


@post(PATH + "/types", status_code=303)
async def set_column_types(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Fix the types of columns; the others are found again."""
    visitor, form = await require_datasource_editor(request), await request.form()
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
    try:
        await _change_datasource(
            request, visitor, datasource_id, DatasourceChanges(types=read_column_types(form, of.column_names))
        )
    except (Invalid, Conflict) as error:
        return await _render_columns(request, visitor, datasource_id, 422, types_fault=_error_text(error))
    return Redirect(f"/datasources/{datasource_id}/columns?saved=types", status_code=303)


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


def read_column_types(form: Any, names: Sequence[str]) -> dict[str, CellType]:
    """The types that a form fixes: `type:<column>`, empty for one that is to be found. `names` are of the columns."""
    sent = {str(name)[5:]: str(value) for name, value in form.multi_items() if str(name).startswith("type:")}
    return {match_column(name, names): CellType(value) for name, value in sent.items() if value in tuple(CellType)}


def match_column(sent: str, names: Sequence[str]) -> str:
    """The column of that name; a browser sends each end of a line as CR LF, wherever it stands."""
    return next((name for name in names if _normalize_newlines(name) == _normalize_newlines(sent)), sent)


def _normalize_newlines(name: str) -> str:
    return re.sub(r"\r\n?|\n", "\r\n", name)


async def _change_datasource(
    request: Request[Any, Any, Any], visitor: Visitor, datasource_id: str, change: DatasourceChanges
) -> None:
    await datasources.update(get_app_context(request).db, visitor.actor, change, datasource_id=datasource_id)


@get(PATH + "/imports")
async def imports_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its imports, the newest first."""
    visitor = await require_datasource_reader(request)
    window = Window(_IMPORTS_PAGE_SIZE, parse_place(request.query_params.get("after", "")))
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
        found = await datasources.list_imports(tx, visitor.actor, window, datasource_id=of.id)
        shown = [await import_view(tx, visitor, record) for record in found.items]
    next_url = f"/datasources/{of.id}/imports?after={format_place(found.next)}" if found.next else ""
    first = window.after is None
    return render_datasource_page(
        request, visitor, of, "datasources/imports.html", imports=shown, next_url=next_url, first=first
    )


HANDLERS = [rows_page, row_page, columns_page, rename_datasource, set_column_types, imports_page]
