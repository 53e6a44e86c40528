"""Operations on the audit log."""

from formwright.api.context import ReadContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import audit as schemas
from formwright.core.auth.permissions import Permission
from formwright.domain.audit import service as audit

OPERATIONS = OperationGroup("Audit log", reads=Permission.AUDIT_READ)


@OPERATIONS.declare("GET", ("listAuditEntries", "/customers/{customerId}/audit"))
async def list_audit_entries(call: ReadContext, query: schemas.AuditQuery) -> List[schemas.AuditEntry]:
    """List audit entries.

    Returns who changed what, when and from where, newest first.

    Each entry is written in the same transaction as its change, and never changes afterwards. Entries contain neither
    answers nor secrets. An entry that is added while you page appears before the first page, so none is skipped or
    repeated.
    """
    return call.listing(await audit.page(call.tx, call.actor, query.to_filter(), query.window()), schemas.entry)
