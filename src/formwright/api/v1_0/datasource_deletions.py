"""Operations that move data sources and their rows to the trash, and restore them."""

from formwright.api.context import WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import datasources as datasource_wire
from formwright.api.v1_0.schemas import trash as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.datasources.models import (
    DatasourceBusy,
    DatasourceExternalIdTaken,
    DatasourceNameTaken,
    DatasourceNotFound,
)
from formwright.domain.trash import deleted_datasources
from formwright.domain.trash.models import DatasourceInUse, RowNotFound

_DATASOURCE = "/customers/{customerId}/datasources/{datasourceId}"
OPERATIONS = OperationGroup("Datasources", writes=Permission.DATASOURCES_EDIT)


@OPERATIONS.declare(
    "DELETE",
    ("deleteDatasourceRow", _DATASOURCE + "/rows"),
    raises=(DatasourceNotFound, RowNotFound, DatasourceBusy),
)
async def delete_datasource_row(
    call: WriteContext, datasource_id: str, query: schemas.RowDeletionQuery
) -> schemas.TrashItem:
    """Delete a row of a data source.

    Moves the row with this `key` to the trash. Submissions that refer to it keep the row as it was. An import or a pull
    that contains the key adds the row again.

    Records the event `datasource.row_deleted`.
    """
    entry = await deleted_datasources.delete_row(
        call.tx, call.actor, datasource_id=datasource_id, key=query.key, permanently=query.permanent
    )
    return schemas.trash_item(entry)


@OPERATIONS.declare(
    "POST",
    ("restoreDatasourceRow", _DATASOURCE + "/rows/restore"),
    raises=(DatasourceNotFound, RowNotFound, DatasourceBusy, Invalid),
)
async def restore_datasource_row(
    call: WriteContext, datasource_id: str, body: schemas.RowRestoration
) -> datasource_wire.Datasource:
    """Restore a row of a data source.

    Takes the row with this `key` that was deleted last out of the trash. Cells of columns that no longer exist are
    lost. If the data source has a row with this key, nothing changes.

    Records the event `datasource.row_restored`.
    """
    return datasource_wire.datasource(
        await deleted_datasources.restore_row(call.tx, call.actor, datasource_id=datasource_id, key=body.key)
    )


@OPERATIONS.declare(
    "DELETE",
    ("deleteDatasource", _DATASOURCE),
    raises=(DatasourceNotFound, DatasourceInUse, DatasourceBusy),
)
async def delete_datasource(call: WriteContext, datasource_id: str, query: schemas.DeletionQuery) -> schemas.TrashItem:
    """Delete a data source.

    Moves the data source to the trash with its rows and its pull. If the published version or the draft of a form looks
    up its rows, the response is 409 `datasource.in_use`: `listForms` with `datasourceId` returns these forms.

    Records the event `datasource.deleted`.
    """
    entry = await deleted_datasources.delete_datasource(
        call.tx, call.actor, datasource_id=datasource_id, permanently=query.permanent
    )
    return schemas.trash_item(entry)


@OPERATIONS.declare(
    "POST",
    ("restoreDatasource", _DATASOURCE + "/restore"),
    raises=(DatasourceNotFound, DatasourceNameTaken, DatasourceExternalIdTaken),
)
async def restore_datasource(call: WriteContext, datasource_id: str) -> datasource_wire.Datasource:
    """Restore a data source.

    Takes the data source out of the trash with its rows and its pull. A data source that is not deleted is returned
    unchanged.

    Records the event `datasource.restored`.
    """
    return datasource_wire.datasource(
        await deleted_datasources.restore_datasource(call.tx, call.actor, datasource_id=datasource_id)
    )
