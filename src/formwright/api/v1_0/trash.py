"""The operation that lists the trash. `…_deletions` have those that delete and restore."""

from formwright.api.context import ReadContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import trash as schemas
from formwright.core.auth.permissions import Permission
from formwright.domain.trash import service as trash

OPERATIONS = OperationGroup("Trash", reads=Permission.CUSTOMER_READ)


@OPERATIONS.declare("GET", ("listTrash", "/customers/{customerId}/trash"))
async def list_trash(call: ReadContext, query: schemas.TrashQuery) -> List[schemas.TrashItem]:
    """List the trash.

    Returns what has been deleted and can be restored, the last deleted first. A read-only key sees none, because it may
    not restore anything.
    """
    page = await trash.page(call.tx, call.actor, query.window(), query.kind)
    return call.listing(page, schemas.trash_item)
