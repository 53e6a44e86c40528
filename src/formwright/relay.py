"""From what a room recorded to what subscribers get and the audit log says: the one place that knows them all.

Called just before a transaction commits, so that a change, its events, their deliveries and its lines in the audit log
are written together or not at all. A room can forget none of them: whatever it records is here.
"""

from collections.abc import Sequence

from formwright.api.v1_0.wire.events import event_bytes
from formwright.core.access import caller
from formwright.core.kernel.event import Event
from formwright.core.kernel.note import Note
from formwright.core.storage import order
from formwright.core.storage.database import Writing
from formwright.domain.audit import service as audit
from formwright.domain.audit.model import Entry, Hand
from formwright.domain.webhooks import log
from formwright.domain.webhooks.model import LoggedEvent


async def relay(tx: Writing, recorded: Sequence[Event]) -> None:
    """Write the recorded events as version 1.0 shows them, in the order of their recording, and the audit log."""
    hand = audit.hand_of(caller.current())
    entries: list[Entry] = []
    accounts = {event.customer_id for event in recorded} | {note.customer_id for note in tx.noted}
    for customer_id in sorted(accounts):
        events = [event for event in recorded if event.customer_id == customer_id]
        notes = [_note(event) for event in events] + [note for note in tx.noted if note.customer_id == customer_id]
        at = await (_relay_account(tx, customer_id, events) if events else order.stamp(tx, customer_id))
        entries += [_entry(tx, hand, at, note) for note in notes]
    await audit.write(tx, entries)


async def _relay_account(tx: Writing, customer_id: str, events: Sequence[Event]) -> int:
    """Write an account's events; answers their time."""
    first, at = await order.number(tx, customer_id, len(events))
    logged = []
    for sequence, event in enumerate(events, first):
        event_id = tx.new_id("evt")
        body, form_id = event_bytes(event, event_id, sequence, at)
        logged.append(LoggedEvent(event_id, customer_id, sequence, event.type, form_id, at, body.decode()))
    await log.enqueue(tx, customer_id, logged)
    return at


def _note(event: Event) -> Note:
    return Note(event.customer_id, event.type, *event.subject, event.changed)


def _entry(tx: Writing, hand: Hand, at: int, note: Note) -> Entry:
    return Entry(tx.new_id("aud"), note.customer_id, at, hand, note.action, note.id, note.name, note.changed)
