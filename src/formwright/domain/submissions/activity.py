"""When submissions were received: counts per period, and the last one of a form."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.submissions import activity_store as store


async def count_by_period(
    tx: ReadTransaction, actor: Actor, bounds: Sequence[int], *, limit: int, form_id: str | None = None
) -> list[int]:
    """Return how many submissions were submitted from each bound (milliseconds) to the next.

    Drafts are not counted, and no number is larger than `limit`, because counting millions is slow.
    """
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return await store.count_by_period(tx, scope, bounds, limit, form_id)


async def last_received(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> dict[str, int]:
    """Return when the newest submission of each of these forms was submitted; without forms that have none."""
    return await store.last_received(tx, allow(actor, Permission.SUBMISSIONS_READ), form_ids) if form_ids else {}


async def has_received(tx: ReadTransaction, actor: Actor) -> bool:
    """Whether there is any submission that is not a draft."""
    return await store.has_received(tx, allow(actor, Permission.SUBMISSIONS_READ))
