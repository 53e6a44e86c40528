"""Rows of a datasource from whatever they came as.

Datasources: outside data that forms look up.
"""

import asyncio
from functools import partial
from typing import Any

from msgspec import UnsetType

from formwright.api.binary_bodies import TableUpload
from formwright.api.context import RequestContext
from formwright.api.operations import operation
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import datasources as wire
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.offload import offload
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.row_sources import RowSource, TableRows, to_invalid
from formwright.domain.datasources.models import (
    DatasourceBusy,
    DatasourceNameTaken,
    DatasourceNotFound,
    ImportMode,
    ImportPlan,
    ImportSource,
    PullNotConfigured,
    PullUpdate,
)
from formwright.domain.datasources.parsers.base import Dialect, TableUnreadable
from formwright.domain.datasources.parsers.csv import parse_charset
from formwright.domain.datasources.parsers.open import open_table
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.sync import service as sync
from formwright.domain.datasources.sync.service import PullSettings

_OF_FILES = {
    "name": "name",
    "key_column": "keyColumn",
    "delimiter": "delimiter",
    "encoding": "encoding",
    "sheet": "sheet",
}


async def parse_incoming_rows(body: Any, query: wire.RowImportQuery) -> tuple[Any, ImportSource]:
    """The rows of a body, and what they came as; None where it has none."""
    if isinstance(body, TableUpload):
        encoding = parse_charset(body.content_type) if query.encoding is None else query.encoding
        dialect = Dialect(encoding, query.delimiter, query.sheet)
        try:
            table = await asyncio.to_thread(open_table, body.file, body.kind, dialect)
        except TableUnreadable as error:
            raise to_invalid(error) from None
        return TableRows(table), ImportSource(body.kind.upper())
    if unused := [given for member, given in _OF_FILES.items() if getattr(query, member, None) is not None]:
        raise QueryInvalid(
            [
                ValidationFault(f"?{name}", "query.unused", "This goes with a file; JSON says it in the body.")
                for name in unused
            ]
        )
    rows: RowSource | None = await offload(body.incoming)
    return rows, ImportSource.JSON


def import_plan(query: wire.RowImportQuery, source: ImportSource, mode: ImportMode = ImportMode.REPLACE) -> ImportPlan:
    """How the caller wants them taken in."""
    return ImportPlan(source, mode, query.skip_bad_rows, query.dry_run)


_DATASOURCES = "/customers/{customerId}/datasources"
_DATASOURCE = _DATASOURCES + "/{datasourceId}"
_ROWS = _DATASOURCE + "/rows"
_IMPORT_FAULTS = (Invalid, ContentTooLarge, DatasourceBusy)


@operation(
    "POST",
    ("createDatasource", _DATASOURCES),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    status=201,
    location=_DATASOURCES + "/{id}",
    raises=(CustomerNotFound, DatasourceNameTaken, *_IMPORT_FAULTS),
)
async def create_datasource(
    call: RequestContext, query: wire.DatasourceCreateQuery, body: wire.DatasourceCreate | TableUpload
) -> wire.DatasourceWithImport:
    """Import outside data as a new datasource: all rows, or none and every bad row with its reason.

    The body is JSON, or a CSV, .xlsx or .xls file whose first row names the columns; then `name` is in the query. With
    `pull` it is made without rows, which are fetched at once.
    """
    if not isinstance(body, TableUpload) and body.pull is not None:
        return await _create_pulled(call, query, body, body.pull.to_request())
    rows, source = await parse_incoming_rows(body, query)
    if isinstance(body, TableUpload):
        if query.name is None:
            raise Invalid.at("?name", "datasource.name.missing", "With a file, name the datasource in the query.")
        new = DatasourceChanges(query.name, query.key_column)
    else:
        new = body.change()
    made = call.ctx.ids.new("dat")
    record, report = await datasources.create(
        call.db, call.actor, new, rows, import_plan(query, source), datasource_id=made
    )
    return wire.datasource_with_import(record, report)


async def _create_pulled(
    call: RequestContext, query: wire.DatasourceCreateQuery, body: wire.DatasourceCreate, wish: PullUpdate
) -> wire.DatasourceWithImport:
    if body.rows:
        raise _rows_and_pull()
    await parse_incoming_rows(body, query)
    made = await sync.create(
        call.db,
        call.actor,
        _setting(call, wish),
        datasource_id=call.ctx.ids.new("dat"),
        name=body.name,
        key_column=body.key_column,
        columns=body.columns,
        types=body.types,
        dry_run=query.dry_run,
    )
    return wire.datasource_with_import(made, None)


def _setting(call: RequestContext, wish: PullUpdate | None) -> PullSettings:
    return PullSettings(wish, call.ctx.secret_box, call.ctx.address_policy.check_url)


def _rows_and_pull() -> Invalid:
    return Invalid.at("/pull", "datasource.pull.rows", "Rows are sent, or they are pulled: send one of the two.")


@operation(
    "GET",
    ("listDatasources", "/datasources"),
    ("listCustomerDatasources", _DATASOURCES),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound,),
)
async def list_datasources(call: RequestContext, query: PageQuery) -> List[wire.Datasource]:
    """List the account's datasources in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await datasources.page(tx, call.actor, query.window()), wire.datasource)


@operation(
    "GET",
    ("getDatasource", _DATASOURCE),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound, DatasourceNotFound),
)
async def get_datasource(call: RequestContext, datasource_id: str) -> wire.Datasource:
    """Read what a datasource is; its rows have their own address."""
    async with call.reading() as tx:
        return wire.datasource(await datasources.get(tx, call.actor, datasource_id=datasource_id))


@operation(
    "PUT",
    ("updateDatasource", _DATASOURCE),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, DatasourceNameTaken, *_IMPORT_FAULTS),
)
async def update_datasource(
    call: RequestContext,
    datasource_id: str,
    query: wire.DatasourceUpdateQuery,
    body: wire.DatasourceUpdate | TableUpload,
) -> wire.DatasourceWithImport:
    """Change a datasource; with `rows`, or a CSV, .xlsx or .xls file as the body, replace all its rows.

    Those that stay the same are not touched, those that do not come again are deleted.
    """
    rows, source = await parse_incoming_rows(body, query)
    change = DatasourceChanges(key_column=query.key_column) if isinstance(body, TableUpload) else body.change()
    if rows is None:
        pull = _pull_setting(call, body)
        record = await datasources.update(
            call.db, call.actor, change, pull, datasource_id=datasource_id, dry_run=query.dry_run
        )
        return wire.datasource_with_import(record, None)
    if _pull_setting(call, body):
        raise _rows_and_pull()
    record, report = await datasources.import_rows(
        call.db, call.actor, rows, import_plan(query, source), change, datasource_id=datasource_id
    )
    return wire.datasource_with_import(record, report)


def _pull_setting(call: RequestContext, body: wire.DatasourceUpdate | TableUpload) -> PullSettings | None:
    if isinstance(body, TableUpload) or isinstance(body.pull, UnsetType):
        return None
    return _setting(call, body.pull.to_request() if body.pull else None)


@operation(
    "POST",
    ("refreshDatasource", _DATASOURCE + "/refresh"),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    status=202,
    raises=(CustomerNotFound, DatasourceNotFound, PullNotConfigured),
)
async def refresh_datasource(call: RequestContext, datasource_id: str) -> wire.Datasource:
    """Pull a datasource now. A pull that is under way goes on; `pull` of the answer says which.

    What comes of it is read from the datasource: `pull.status` is RUNNING until the pull has ended.
    """
    async with call.writing() as tx:
        return wire.datasource(await sync.refresh(tx, call.actor, datasource_id=datasource_id))


@operation(
    "GET",
    ("listDatasourceRows", _ROWS),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound, DatasourceNotFound),
)
async def list_rows(call: RequestContext, datasource_id: str, query: wire.RowListQuery) -> List[wire.DatasourceRow]:
    """List or search the rows of a datasource, in the order in which they last changed."""
    async with call.reading(long=True) as tx:
        of, page = await datasources.find_rows(
            tx, call.actor, query.to_search(), query.window(), datasource_id=datasource_id
        )
    return call.listing(page, partial(wire.row, of))


@operation(
    "PUT",
    ("replaceDatasourceRows", _ROWS),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, *_IMPORT_FAULTS),
)
async def replace_rows(
    call: RequestContext, datasource_id: str, query: wire.RowImportQuery, body: wire.DatasourceRowsWrite | TableUpload
) -> wire.ImportReport:
    """Replace all rows: those that stay the same are not touched, those that do not come again are deleted."""
    return await _import(call, datasource_id, query, body, ImportMode.REPLACE)


@operation(
    "POST",
    ("upsertDatasourceRows", _ROWS),
    tag="Datasources",
    permission=Permission.DATASOURCES_EDIT,
    raises=(CustomerNotFound, DatasourceNotFound, *_IMPORT_FAULTS),
)
async def upsert_rows(
    call: RequestContext, datasource_id: str, query: wire.RowImportQuery, body: wire.DatasourceRowsWrite | TableUpload
) -> wire.ImportReport:
    """Insert rows, or change those with the same key: a column that a row does not name stays as it was there."""
    return await _import(call, datasource_id, query, body, ImportMode.UPSERT)


async def _import(
    call: RequestContext,
    datasource_id: str,
    query: wire.RowImportQuery,
    body: wire.DatasourceRowsWrite | TableUpload,
    mode: ImportMode,
) -> wire.ImportReport:
    rows, source = await parse_incoming_rows(body, query)
    _, report = await datasources.import_rows(
        call.db, call.actor, rows, import_plan(query, source, mode), datasource_id=datasource_id
    )
    return wire.import_report(report)


@operation(
    "GET",
    ("listDatasourceImports", _DATASOURCE + "/imports"),
    tag="Datasources",
    permission=Permission.DATASOURCES_READ,
    raises=(CustomerNotFound, DatasourceNotFound),
)
async def list_imports(call: RequestContext, datasource_id: str, query: PageQuery) -> List[wire.DatasourceImport]:
    """List the imports into a datasource, the newest first; also those that failed, and why."""
    async with call.reading() as tx:
        page = await datasources.list_imports(tx, call.actor, query.window(), datasource_id=datasource_id)
    return call.listing(page, wire.datasource_import)


OPERATIONS = [
    *create_datasource,
    *list_datasources,
    *get_datasource,
    *update_datasource,
    *refresh_datasource,
    *list_rows,
    *replace_rows,
    *upsert_rows,
    *list_imports,
]
