"""Delta queries: the rows that were added, changed or removed since an earlier query.

The event log has an entry for each change of a submission, in commit order, so no change is missed. A delta token is
the number of the last event that is known to the client.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.asgi.request_errors import RequestError
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.db import account_lock
from formwright.core.events import EventType
from formwright.core.pagination import Position, Window
from formwright.domain.webhooks import event_log
from formwright.domain.webhooks.event_log import EventFilter
from formwright.odata.options import QueryOptions
from formwright.odata.reader import TableReader
from formwright.odata.sources import Submissions
from formwright.odata.tables import ODataTable, SubmissionRow

_PAGE = 500
_TYPES = (
    EventType.SUBMISSION_STARTED,
    EventType.SUBMISSION_SUBMITTED,
    EventType.SUBMISSION_UPDATED,
    EventType.SUBMISSION_DELETED,
)


class DeltaExpired(RequestError):
    """The event log no longer reaches back to the delta token."""

    status = 410
    code = "odata.delta_expired"
    detail = "The event log doesn't reach back that far any more. Read the whole table again."


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed rows as JSON objects, and the ids of removed ones. `next` is the token of the next page or delta."""

    rows: Sequence[Any]
    removed: Sequence[str]
    next: int
    is_complete: bool


async def newest_event(ctx: AppContext, actor: Actor) -> int:
    """Return the number of the account's newest event; 0 before the first one."""
    async with ctx.db.reading() as tx:
        return (await account_lock.change_stamp(tx, actor.customer_id))[0]


async def read_changes(ctx: AppContext, actor: Actor, table: ODataTable, options: QueryOptions, after: int) -> Changes:
    """Return the next changes after an event, each row in its present state. Raises `DeltaExpired`.

    A row that no longer matches the filter is returned as removed.
    """
    assert isinstance(table.source, Submissions)  # noqa: S101
    reader = TableReader(ctx, actor, table, options)
    async with ctx.db.reading(long=True) as tx:
        # Read before the events: those recorded in the meantime are sent again with the next delta, and none is missed.
        newest = (await account_lock.change_stamp(tx, actor.customer_id))[0]
        oldest = await event_log.oldest_sequence(tx, actor)
        # A token after the newest event is from before an older backup was restored.
        if after > newest or (newest if oldest is None else oldest - 1) > after:
            raise DeltaExpired()
        # The position before the next event: no id is less than "".
        window = Window(_PAGE, Position(after + 1, ""))
        filter_ = EventFilter(types=_TYPES, form_ids=[table.source.form_id])
        page = await event_log.page(tx, actor, window, filter_)
        ids = list(dict.fromkeys(msgspec.json.decode(event.body)["data"]["id"] for event in page.items))
        found = {one: await table.source.find(tx, actor, one) for one in ids}
    matching = {
        one: reader.to_json(row, record)
        for one, record in found.items()
        if record is not None and reader.matches(row := SubmissionRow(record))
    }
    last = page.items[-1].sequence if page.next else newest
    removed = [one for one in ids if one not in matching]
    return Changes(list(matching.values()), removed, last, page.next is None)
