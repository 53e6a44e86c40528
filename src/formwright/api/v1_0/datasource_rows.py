"""Operations on the rows of data sources and their imports."""

import asyncio
from functools import partial
from typing import Any

from formwright.api.binary_bodies import TableUpload
from formwright.api.context import ReadContext, RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import datasource_rows as row_wire
from formwright.api.v1_0.schemas import datasources as schemas
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.offload import offload
from formwright.core.tables.base import Dialect, TableUnreadable
from formwright.core.tables.encodings import parse_charset
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.row_sources import RowSource, TableRows, open_row_table, to_invalid
from formwright.domain.datasources.models import (
    DatasourceBusy,
    DatasourceNotFound,
    ImportMode,
    ImportPlan,
    ImportSource,
)

_DATASOURCE = "/customers/{customerId}/datasources/{datasourceId}"
_ROWS = _DATASOURCE + "/rows"
IMPORT_ERRORS = (Invalid, ContentTooLarge, DatasourceBusy)
_FILE_OPTIONS = {
    "name": "name",
    "key_column": "keyColumn",
    "external_id": "externalId",
    "delimiter": "delimiter",
    "encoding": "encoding",
    "decimal_mark": "decimalMark",
    "sheet": "sheet",
}


async def parse_incoming_rows(body: Any, query: schemas.RowImportQuery) -> tuple[Any, ImportSource]:
    """Return the rows of a request body, or None if it has none, and their format.

    Raises `Invalid` for an unreadable file, and `QueryInvalid` if the query has file options but the body is JSON.
    """
    if isinstance(body, TableUpload):
        encoding = parse_charset(body.content_type) if query.encoding is None else query.encoding
        dialect = Dialect(encoding, query.delimiter, query.sheet)
        try:
            table = await asyncio.to_thread(open_row_table, body.file, body.kind, dialect)
        except TableUnreadable as error:
            raise to_invalid(error) from None
        mark = None if query.decimal_mark is None else query.decimal_mark.character
        return TableRows(table, mark), ImportSource(body.kind.upper())
    if unused := [name for member, name in _FILE_OPTIONS.items() if getattr(query, member, None) is not None]:
        raise QueryInvalid(
            [
                ValidationFault(
                    f"?{name}",
                    "query.unused",
                    "This parameter is for files only. With JSON, use the property in the body.",
                )
                for name in unused
            ]
        )
    rows: RowSource | None = await offload(body.parse_rows)
    return rows, ImportSource.JSON


def import_plan(
    query: schemas.RowImportQuery, source: ImportSource, mode: ImportMode = ImportMode.REPLACE
) -> ImportPlan:
    return ImportPlan(source, mode, query.skip_bad_rows, query.dry_run)


OPERATIONS = OperationGroup("Datasources", reads=Permission.DATASOURCES_READ, writes=Permission.DATASOURCES_EDIT)


@OPERATIONS.declare("GET", ("listDatasourceRows", _ROWS), raises=(DatasourceNotFound,))
async def list_rows(
    call: RequestContext, datasource_id: str, query: row_wire.RowListQuery
) -> List[row_wire.DatasourceRow]:
    """List the rows of a data source.

    Returns the rows in the order of their last change, so a reader that continues from its last cursor gets what has
    changed since, as does `updatedFrom`. Use `key` to get one row, and `q` to search.

    Deleted rows are not listed. Events report them: `datasource.row_deleted` for a single row, and
    `datasource.imported` for an import, after which the keys of all rows tell which ones remain.
    """
    async with call.reading(long=True) as tx:
        datasource, page = await datasources.find_rows(
            tx, call.actor, query.to_search(), query.window(), datasource_id=datasource_id
        )
        times = await datasources.find_row_times(tx, datasource, page.items)
    return call.listing(page, partial(row_wire.row, datasource, times))


@OPERATIONS.declare("PUT", ("replaceDatasourceRows", _ROWS), raises=(DatasourceNotFound, *IMPORT_ERRORS))
async def replace_rows(
    call: RequestContext,
    datasource_id: str,
    query: schemas.RowImportQuery,
    body: schemas.DatasourceRowsWrite | TableUpload,
) -> schemas.DatasourceImportReport:
    """Replace the rows of a data source.

    Unchanged rows are left alone; rows missing from the request are deleted. The body is JSON or a file, and `If-Match`
    takes the ETag of the data source. The import is all or nothing unless you pass `skipBadRows=true`, and all its
    changes become visible at once.

    Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported` if rows have
    changed.
    """
    return await _import(call, datasource_id, query, body, ImportMode.REPLACE)


@OPERATIONS.declare("POST", ("upsertDatasourceRows", _ROWS), raises=(DatasourceNotFound, *IMPORT_ERRORS))
async def upsert_rows(
    call: RequestContext,
    datasource_id: str,
    query: schemas.RowImportQuery,
    body: schemas.DatasourceRowsWrite | TableUpload,
) -> schemas.DatasourceImportReport:
    """Insert or update rows of a data source.

    A row with an existing key updates that row; columns it omits keep their values. Other rows are inserted, and none
    are deleted. The body is JSON or a file. The import is all or nothing unless you pass `skipBadRows=true`, and all
    its changes become visible at once.

    Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported` if rows have
    changed.
    """
    return await _import(call, datasource_id, query, body, ImportMode.UPSERT)


async def _import(
    call: RequestContext,
    datasource_id: str,
    query: schemas.RowImportQuery,
    body: schemas.DatasourceRowsWrite | TableUpload,
    mode: ImportMode,
) -> schemas.DatasourceImportReport:
    rows, source = await parse_incoming_rows(body, query)
    _, report = await datasources.import_rows(
        call.db, call.actor, rows, import_plan(query, source, mode), datasource_id=datasource_id
    )
    return schemas.import_report(report)


@OPERATIONS.declare("GET", ("listDatasourceImports", _DATASOURCE + "/imports"), raises=(DatasourceNotFound,))
async def list_imports(call: ReadContext, datasource_id: str, query: PageQuery) -> List[schemas.DatasourceImport]:
    """List the imports of a data source.

    Returns past imports and pulls, newest first, including failed ones with the reason.
    """
    page = await datasources.list_imports(call.tx, call.actor, query.window(), datasource_id=datasource_id)
    return call.listing(page, schemas.datasource_import)
