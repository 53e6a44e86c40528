"""Reconciliation: comparing submissions with copies in other systems."""

from formwright.api.context import RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.form_checks import check_forms
from formwright.api.v1_0.schemas import reconciliation as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Page, Position
from formwright.domain.submissions import reconciliation

_RECONCILE = "/webhooks/customer/{customerId}/reconcile"
OPERATIONS = OperationGroup("Webhooks", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_READ)


@OPERATIONS.declare("POST", ("reconcileSubmissions", _RECONCILE), raises=(Invalid,))
async def reconcile(call: RequestContext, body: schemas.ReconciliationRequest) -> schemas.ReconciliationDifference:
    """Compare submissions with your copy.

    Send the id and revision of each submission in your copy, up to 10,000 at a time. Of the selected forms and period,
    the response lists the submissions that are `missing` from your copy, and those that are `stale` because the server
    has another revision. `deleted` lists those that no longer exist on the server. Nothing is changed.
    """
    async with call.reading(long=True) as tx:
        await check_forms(tx, call.actor, body.form_ids)
        return schemas.difference(await reconciliation.compare(tx, call.actor, body.to_scope(), body.revisions_by_id()))


@OPERATIONS.declare("GET", ("listReconciliationDays", _RECONCILE))
async def list_reconciliation_days(
    call: RequestContext, query: schemas.ReconciliationDayQuery
) -> List[schemas.ReconciliationDay]:
    """List submission checksums by day.

    Returns, for each form and UTC day, the number of submissions and a checksum over their ids and revisions. If a
    checksum differs from that of your copy, send the ids and revisions of that day to `reconcileSubmissions`. A page
    contains whole days, so it may have more items than `limit`.
    """
    async with call.reading(long=True) as tx:
        days, next_start = await reconciliation.list_days(tx, call.actor, query.to_scope(), query.limit)
    return call.listing(Page(days, None if next_start is None else Position(next_start, "")), schemas.day)
