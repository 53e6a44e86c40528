"""From what a room recorded to what subscribers get: the one place that knows both.

Called just before a transaction commits, so that a change, its events and their deliveries are written together or
not at all.
"""

from collections.abc import Sequence
from itertools import groupby

from formwright.api.v1_0.wire.events import event_bytes
from formwright.core.kernel.event import Event
from formwright.core.storage import order
from formwright.core.storage.database import Writing
from formwright.domain.webhooks import log
from formwright.domain.webhooks.model import LoggedEvent


async def relay(tx: Writing, recorded: Sequence[Event]) -> None:
    """Write the recorded events as version 1.0 shows them, in the order of their recording."""
    by_account = sorted(recorded, key=lambda event: event.customer_id)
    for customer_id, events in groupby(by_account, key=lambda event: event.customer_id):
        await _relay_account(tx, customer_id, list(events))


async def _relay_account(tx: Writing, customer_id: str, events: Sequence[Event]) -> None:
    first, at = await order.number(tx, customer_id, len(events))
    logged = []
    for sequence, event in enumerate(events, first):
        event_id = tx.new_id("evt")
        body, form_id = event_bytes(event, event_id, sequence, at)
        logged.append(LoggedEvent(event_id, customer_id, sequence, event.type, form_id, at, body.decode()))
    await log.enqueue(tx, customer_id, logged)
