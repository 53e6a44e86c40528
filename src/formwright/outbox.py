"""Transactional outbox: turns recorded events into event log entries, webhook deliveries and audit entries.

Runs just before a transaction commits, so a change, its events, their deliveries and its audit entries are written
together or not at all.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from formwright.api.v1_0.schemas.events import encode_event
from formwright.core.db import account_lock
from formwright.core.db.interface import TransactionEvents, WriteTransaction
from formwright.core.events import AuditNote, Event
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditEntry
from formwright.domain.webhooks import event_log
from formwright.domain.webhooks.models import LoggedEvent


async def publish_events(tx: WriteTransaction, told: Sequence[TransactionEvents]) -> None:
    """Write the events of the transactions in this commit in order, in API version 1.0 format, and audit entries."""
    by_account: defaultdict[str, list[TransactionEvents]] = defaultdict(list)
    for one in told:
        for customer_id in {event.customer_id for event in one.events} | {note.customer_id for note in one.notes}:
            by_account[customer_id].append(_of(one, customer_id))
    logged: list[LoggedEvent] = []
    entries: list[AuditEntry] = []
    for customer_id, own in sorted(by_account.items()):
        at, events = await _logged_of(tx, customer_id, own)
        logged += events
        entries += [entry for one in own for entry in _entries(tx, one, one.stamps.get(customer_id, at))]
    await event_log.append_events(tx, logged)
    await audit.write(tx, entries)


def _of(told: TransactionEvents, customer_id: str) -> TransactionEvents:
    events = [event for event in told.events if event.customer_id == customer_id]
    notes = [_note(event) for event in events] + [note for note in told.notes if note.customer_id == customer_id]
    return TransactionEvents(told.caller, events, notes, told.stamps)


async def _logged_of(
    tx: WriteTransaction, customer_id: str, told: Sequence[TransactionEvents]
) -> tuple[int, list[LoggedEvent]]:
    """Return the timestamp of an account's last change (milliseconds), and its numbered events."""
    count = sum(len(one.events) for one in told)
    if not count:
        return await account_lock.next_timestamp(tx, customer_id), []
    sequence, at = await account_lock.next_sequence(tx, customer_id, count)
    of_each = [(one, event) for one in told for event in one.events]
    return at, [
        _logged(tx, one, event, number, one.stamps.get(customer_id, at))
        for number, (one, event) in enumerate(of_each, sequence)
    ]


def _logged(tx: WriteTransaction, told: TransactionEvents, event: Event, sequence: int, at: int) -> LoggedEvent:
    event_id = tx.new_id("evt")
    body, form_id = encode_event(event, event_id, sequence, at)
    trace = told.caller.trace or None if told.caller else None
    return LoggedEvent(event_id, event.customer_id, sequence, event.type, form_id, at, body.decode(), trace)


def _note(event: Event) -> AuditNote:
    return AuditNote(event.customer_id, event.type, *event.subject, event.changed)


def _entries(tx: WriteTransaction, told: TransactionEvents, at: int) -> Iterator[AuditEntry]:
    actor = audit.to_audit_actor(told.caller)
    for note in told.notes:
        yield AuditEntry(tx.new_id("aud"), note.customer_id, at, actor, note.action, note.id, note.name, note.changed)
