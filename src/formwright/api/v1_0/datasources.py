"""Operations on data sources. `datasource_rows` has those on their rows and imports."""

from msgspec import UnsetType

from formwright.api.binary_bodies import TableUpload
from formwright.api.context import ReadContext, RequestContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.datasource_rows import IMPORT_ERRORS, import_plan, parse_incoming_rows
from formwright.api.v1_0.schemas import datasources as schemas
from formwright.api.v1_0.schemas.base import value_or_none
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import (
    DatasourceBusy,
    DatasourceExternalIdTaken,
    DatasourceNameTaken,
    DatasourceNotFound,
    PullNotConfigured,
    PullUpdate,
)
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.sync import service as sync
from formwright.domain.datasources.sync.service import PullSettings

_DATASOURCES = "/customers/{customerId}/datasources"
_DATASOURCE = _DATASOURCES + "/{datasourceId}"
OPERATIONS = OperationGroup("Datasources", reads=Permission.DATASOURCES_READ, writes=Permission.DATASOURCES_EDIT)


@OPERATIONS.declare(
    "POST",
    ("createDatasource", _DATASOURCES),
    location=_DATASOURCES + "/{id}",
    raises=(DatasourceExternalIdTaken, DatasourceNameTaken, *IMPORT_ERRORS),
)
async def create_datasource(
    call: RequestContext, query: schemas.DatasourceCreateQuery, body: schemas.DatasourceCreate | TableUpload
) -> schemas.DatasourceWithImport:
    """Create a data source.

    The body is JSON, or a CSV, .xlsx or .xls file whose first row contains the column names. For a file, pass `name`,
    and optionally `keyColumn`, in the query; the default key column is the first one.

    The import is all or nothing: if a row is invalid, nothing is created, and `errors` lists the invalid rows with line
    and reason. With `skipBadRows=true`, the valid rows are imported and `import.badRows` lists the others.

    With `pull`, the data source is created without rows, and its first pull is due at once.

    Records the event `datasource.imported` if rows were imported.
    """
    pull = None if isinstance(body, TableUpload) or body.pull is None else body.pull.to_request()
    return await _create(call, query, body, pull)


async def _create(
    call: RequestContext,
    query: schemas.DatasourceCreateQuery,
    body: schemas.DatasourceCreate | TableUpload,
    pull: PullUpdate | None,
) -> schemas.DatasourceWithImport:
    if pull is not None and not isinstance(body, TableUpload):
        return await _create_pulled(call, query, body, pull)
    rows, source = await parse_incoming_rows(body, query)
    if isinstance(body, TableUpload):
        if query.name is None:
            raise Invalid.at(
                "?name", "datasource.name.missing", "Pass the name of the data source as `name` in the query."
            )
        new = DatasourceChanges(query.name, query.key_column, external_id=query.external_id)
    else:
        new = body.change()
    record, report = await datasources.create(
        call.db, call.actor, new, rows, import_plan(query, source), datasource_id=call.ctx.ids.new("dat")
    )
    return schemas.datasource_with_import(record, report)


async def _create_pulled(
    call: RequestContext, query: schemas.DatasourceCreateQuery, body: schemas.DatasourceCreate, pull: PullUpdate
) -> schemas.DatasourceWithImport:
    if body.rows:
        raise _rows_with_pull_error()
    # There are no rows, but this rejects options that are for files only.
    await parse_incoming_rows(body, query)
    record = await sync.create(
        call.db,
        call.actor,
        _sync_setting(call, pull),
        datasource_id=call.ctx.ids.new("dat"),
        name=body.name,
        key_column=body.key_column,
        columns=body.columns,
        types=body.types,
        external_id=body.external_id,
        dry_run=query.dry_run,
    )
    return schemas.datasource_with_import(record, None)


def _sync_setting(call: RequestContext, pull: PullUpdate | None) -> PullSettings:
    return PullSettings(pull, call.ctx.secret_box, call.ctx.address_policy.check_url)


def _rows_with_pull_error() -> Invalid:
    return Invalid.at("/pull", "datasource.pull.rows", "Send either rows or a pull, not both.")


@OPERATIONS.declare("GET", ("listDatasources", "/datasources"), ("listCustomerDatasources", _DATASOURCES))
async def list_datasources(call: ReadContext, query: schemas.DatasourceQuery) -> List[schemas.Datasource]:
    """List data sources.

    Returns them without their rows, by default in order of creation. `/datasources` and
    `/customers/{customerId}/datasources` are equivalent.
    """
    page = await datasources.page(call.tx, call.actor, query.window(), query.times(), external_id=query.external_id)
    return call.listing(page, schemas.datasource)


@OPERATIONS.declare("GET", ("getDatasource", _DATASOURCE), raises=(DatasourceNotFound,))
async def get_datasource(call: ReadContext, datasource_id: str) -> schemas.Datasource:
    """Get a data source.

    Returns its columns, the number of rows and, if it pulls its rows from a URL, the result of the last pull. The rows
    themselves are returned by `listDatasourceRows`.
    """
    return schemas.datasource(await datasources.get(call.tx, call.actor, datasource_id=datasource_id))


@OPERATIONS.declare(
    "PUT",
    ("updateDatasource", _DATASOURCE),
    raises=(DatasourceNotFound, DatasourceExternalIdTaken, DatasourceNameTaken, *IMPORT_ERRORS),
)
async def update_datasource(
    call: RequestContext,
    datasource_id: str,
    query: schemas.DatasourceUpdateQuery,
    body: schemas.DatasourceUpdate | TableUpload,
) -> schemas.DatasourceWithImport:
    """Update a data source.

    Properties you omit stay unchanged. `rows`, or a CSV, .xlsx or .xls file as the body, replaces all rows: unchanged
    rows are left alone, and rows missing from the request are deleted. The import is all or nothing unless you pass
    `skipBadRows=true`. Changing `keyColumn` requires the rows.

    `pull` adds a pull, or changes it; null removes it and keeps the rows.

    Returns 409 `datasource.busy` while another import is running. Records the event `datasource.imported` if rows have
    changed, otherwise `datasource.updated` if anything else has.
    """
    change = DatasourceChanges(key_column=query.key_column) if isinstance(body, TableUpload) else body.change()
    return await _update(call, datasource_id, query, body, change)


async def _update(
    call: RequestContext,
    datasource_id: str,
    query: schemas.DatasourceUpdateQuery,
    body: schemas.DatasourceUpdate | TableUpload,
    change: DatasourceChanges,
) -> schemas.DatasourceWithImport:
    rows, source = await parse_incoming_rows(body, query)
    if rows is None:
        pull = _pull_setting(call, body)
        record = await datasources.update(
            call.db, call.actor, change, pull, datasource_id=datasource_id, dry_run=query.dry_run
        )
        return schemas.datasource_with_import(record, None)
    if _pull_setting(call, body):
        raise _rows_with_pull_error()
    record, report = await datasources.import_rows(
        call.db, call.actor, rows, import_plan(query, source), change, datasource_id=datasource_id
    )
    return schemas.datasource_with_import(record, report)


def _pull_setting(call: RequestContext, body: schemas.DatasourceUpdate | TableUpload) -> PullSettings | None:
    if isinstance(body, TableUpload) or isinstance(body.pull, UnsetType):
        return None
    return _sync_setting(call, body.pull.to_request() if body.pull else None)


@OPERATIONS.declare(
    "PUT",
    ("upsertDatasource", _DATASOURCES + "/by-external-id"),
    raises=(DatasourceExternalIdTaken, DatasourceNameTaken, *IMPORT_ERRORS),
)
async def upsert_datasource(
    call: RequestContext, query: schemas.DatasourceCreateQuery, body: schemas.DatasourceUpsert | TableUpload
) -> schemas.DatasourceWithImport:
    """Create or update a data source by external id.

    Updates the data source with this `externalId` as `updateDatasource` does or, if there is none, creates one as
    `createDatasource` does. With a file, pass `externalId`, `name` and `keyColumn` in the query.

    Records the events of that operation.
    """
    external_id = query.external_id if isinstance(body, TableUpload) else body.external_id
    if external_id is None:
        raise Invalid.at("?externalId", "value.required", "Pass your id of the data source in the query.")
    datasource_id = await _find_id(call, external_id)
    if datasource_id is None:
        try:
            return await _create_upserted(call, query, body)
        except DatasourceExternalIdTaken:
            # Another request has just created it, or is importing its first rows.
            datasource_id = await _find_id(call, external_id)
            if datasource_id is None:
                raise DatasourceBusy() from None
    from_file = DatasourceChanges(query.name, query.key_column)
    change = from_file if isinstance(body, TableUpload) else body.change()
    return await _update(call, datasource_id, query, body, change)


async def _find_id(call: RequestContext, external_id: str) -> str | None:
    async with call.reading() as tx:
        found = await datasources.find_by_external_id(tx, call.actor, external_id)
    return found.id if found else None


async def _create_upserted(
    call: RequestContext, query: schemas.DatasourceCreateQuery, body: schemas.DatasourceUpsert | TableUpload
) -> schemas.DatasourceWithImport:
    if isinstance(body, TableUpload):
        return await _create(call, query, body, None)
    pull = value_or_none(body.pull)
    return await _create(call, query, body.to_new(), pull.to_request() if pull else None)


@OPERATIONS.declare(
    "POST",
    ("refreshDatasource", _DATASOURCE + "/refresh"),
    status=202,
    raises=(DatasourceNotFound, PullNotConfigured),
)
async def refresh_datasource(call: WriteContext, datasource_id: str) -> schemas.Datasource:
    """Pull a data source.

    Makes the pull due now and returns without waiting for it. If a pull is already running, it continues and no second
    one starts. Read the data source again for the result: `pull.status` is `RUNNING` until the pull has ended.

    A successful pull records the event `datasource.imported` if rows have changed. A failed one leaves the rows
    unchanged and records `datasource.failed`. Returns 409 `datasource.not_pulled` if the data source has no `pull`.
    """
    return schemas.datasource(await sync.refresh(call.tx, call.actor, datasource_id=datasource_id))
