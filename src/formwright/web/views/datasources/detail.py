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
from formwright.web.templating import moment, page
from formwright.web.views.datasources.labels import NUMBERS, TYPES, import_shown
from formwright.web.views.datasources.list import editor, may_edit, reader
from formwright.web.views.list_urls import place_of, written

HERE = "/datasources/{datasource_id:str}"
_ROWS = 25
_IMPORTS = 20
_LONGEST_SEARCH = 200


@get(HERE)
async def rows_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its rows, or those that hold what `q` says; `from` is the number of the first one on this page."""
    who, asked = await reader(request), request.query_params
    text = asked.get("q", "")[:_LONGEST_SEARCH]
    window, wanted = Window(_ROWS, place_of(asked.get("after", ""))), RowFilter(text=text)
    async with get_app_context(request).db.reading(long=True) as tx:
        of, found = await datasources.find_rows(tx, who.actor, wanted, window, datasource_id=datasource_id)
        last = (await datasources.list_imports(tx, who.actor, Window(1), datasource_id=of.id)).items
        imported = await import_shown(tx, who, last[0]) if last and asked.get("imported") == "1" else None
    first = int(asked["from"]) if asked.get("from", "").isdecimal() and len(asked["from"]) < 9 else 1
    return datasource_page(
        request,
        who,
        of,
        "datasources/rows.html",
        rows=[_row(of, row) for row in found.items],
        q=text,
        first=first,
        next_url=_next(of, found, text, first),
        imported=imported,
    )


def _next(of: Datasource, found: Page[DataRow], text: str, first: int) -> str:
    if found.next is None:
        return ""
    query = {"q": text} if text else {}
    return f"/datasources/{of.id}?" + urlencode(query | {"after": found.next.number, "from": first + len(found.items)})


def _row(of: Datasource, row: DataRow) -> dict[str, Any]:
    cells = msgspec.json.decode(row.data, type=dict[str, str])
    return {
        "key": row.key,
        "url": f"/datasources/{of.id}/row?" + urlencode({"key": row.key}),
        "cells": [cells.get(name, "") for name in of.column_names],
    }


def datasource_page(
    request: Request[Any, Any, Any], who: Visitor, of: Datasource, template: str, status: int = 200, **context: Any
) -> Response[str]:
    """A page of one data source."""
    return page(
        request,
        template,
        status,
        place="Data sources",
        of=of,
        columns=[_column(of, index) for index in range(len(of.columns))],
        may_edit=may_edit(who),
        updated=moment(of.updated, who.customer.time_zone),
        **context,
        **who.frame,
    )


def _column(of: Datasource, index: int) -> dict[str, Any]:
    column = of.columns[index]
    return {
        "index": index,
        "name": column.name,
        "type": column.type,
        "word": TYPES[column.type],
        "fixed": column.fixed,
        "number": column.type in NUMBERS,
        "key": column.name == of.key_column,
    }


@get(HERE + "/row")
async def row_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """One row, with all that its cells hold."""
    who, key = await reader(request), request.query_params.get("key", "")
    async with get_app_context(request).db.reading() as tx:
        of, found = await datasources.find_rows(
            tx, who.actor, RowFilter(key=key), Window(1), datasource_id=datasource_id
        )
    if not found.items:
        raise DatasourceNotFound()
    return datasource_page(request, who, of, "datasources/row.html", row=_row(of, found.items[0]))


@get(HERE + "/columns")
async def columns_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its name and its columns."""
    return await _columns(request, await reader(request), datasource_id)


async def _columns(
    request: Request[Any, Any, Any], who: Visitor, datasource_id: str, status: int = 200, **given: Any
) -> Response[str]:
    context = {"name": None, "name_fault": "", "types_fault": "", "saved": request.query_params.get("saved", "")}
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, who.actor, datasource_id=datasource_id)
    return datasource_page(
        request, who, of, "datasources/columns.html", status, types=TYPES.items(), **(context | given)
    )


@post(HERE + "/name", status_code=303)
async def rename(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Give it another name."""
    who, form = await editor(request), await request.form()
    name = str(form.get("name", "")).strip()
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Write a name of 1 to {MAX_NAME} characters.")
        await _alter(request, who, datasource_id, DatasourceChanges(name=name))
    except (Invalid, Conflict) as error:
        return await _columns(request, who, datasource_id, 422, name=name[:1000], name_fault=_words(error))
    return Redirect(f"/datasources/{datasource_id}/columns?saved=name", status_code=303)


@post(HERE + "/types", status_code=303)
async def fix_types(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Fix the types of columns; the others are found again."""
    who, form = await editor(request), await request.form()
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, who.actor, datasource_id=datasource_id)
    try:
        await _alter(request, who, datasource_id, DatasourceChanges(types=types_of(form, of.column_names)))
    except (Invalid, Conflict) as error:
        return await _columns(request, who, datasource_id, 422, types_fault=_words(error))
    return Redirect(f"/datasources/{datasource_id}/columns?saved=types", status_code=303)


def _words(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


def types_of(form: Any, names: Sequence[str]) -> dict[str, CellType]:
    """The types that a form fixes: `type:<column>`, empty for one that is to be found. `names` are of the columns."""
    sent = {str(name)[5:]: str(value) for name, value in form.multi_items() if str(name).startswith("type:")}
    return {named(name, names): CellType(value) for name, value in sent.items() if value in tuple(CellType)}


def named(sent: str, names: Sequence[str]) -> str:
    """The column of that name; a browser sends each end of a line as CR LF, wherever it stands."""
    return next((name for name in names if _sent(name) == _sent(sent)), sent)


def _sent(name: str) -> str:
    return re.sub(r"\r\n?|\n", "\r\n", name)


async def _alter(request: Request[Any, Any, Any], who: Visitor, datasource_id: str, change: DatasourceChanges) -> None:
    await datasources.update(get_app_context(request).db, who.actor, change, datasource_id=datasource_id)


@get(HERE + "/imports")
async def imports_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """Its imports, the newest first."""
    who = await reader(request)
    window = Window(_IMPORTS, place_of(request.query_params.get("after", "")))
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, who.actor, datasource_id=datasource_id)
        found = await datasources.list_imports(tx, who.actor, window, datasource_id=of.id)
        shown = [await import_shown(tx, who, record) for record in found.items]
    next_url = f"/datasources/{of.id}/imports?after={written(found.next)}" if found.next else ""
    first = window.after is None
    return datasource_page(request, who, of, "datasources/imports.html", imports=shown, next_url=next_url, first=first)


HANDLERS = [rows_page, row_page, columns_page, rename, fix_types, imports_page]
