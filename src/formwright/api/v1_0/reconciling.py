"""Compare what another system holds with what is here, and close the holes."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List
from formwright.api.v1_0.form_ids import check_forms
from formwright.api.v1_0.wire import reconciling as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.paging import Page, Place
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.submissions import reconciling

_RECONCILE = "/webhooks/customer/{customerId}/reconcile"


@operation(
    "POST",
    ("reconcileSubmissions", _RECONCILE),
    tag="Webhooks",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound, Invalid),
)
async def reconcile(call: Call, body: wire.Reconciliation) -> wire.Difference:
    """Say what differs: send the id and the revision of each submission that you hold, at most 10,000.

    `missing` are those of the named forms and time that you did not send, `stale` those that have another revision
    here, `deleted` those that are not here any more. Nothing is changed.
    """
    async with call.reading(long=True) as tx:
        await check_forms(tx, call.actor, body.form_ids)
        return wire.difference(await reconciling.compare(tx, call.actor, body.part(), body.held()))


@operation(
    "GET",
    ("listReconciliation", _RECONCILE),
    tag="Webhooks",
    permission=Permission.SUBMISSIONS_READ,
    raises=(CustomerNotFound,),
)
async def list_reconciliation(call: Call, query: wire.DayQuery) -> List[wire.Day]:
    """Count the submissions of each form and day, with a checksum over their ids and revisions.

    Where your own differs, send that day's ids and revisions. A page holds whole days, so it may have more entries
    than `limit`.
    """
    async with call.reading(long=True) as tx:
        found, following = await reconciling.days(tx, call.actor, query.part(), query.limit)
    return call.listing(Page(found, None if following is None else Place(following, "")), wire.day)


OPERATIONS = [*reconcile, *list_reconciliation]
