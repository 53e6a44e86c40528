"""Transactional outbox: turns recorded events into event log entries, webhook deliveries and audit entries.

Runs just before a transaction commits, so a change, its events, their deliveries and its audit entries are written
together or not at all.
"""

from collections import defaultdict
from collections.abc import Sequence

from formwright.api.v1_0.schemas.events import encode_event
from formwright.core.db import account_lock
from formwright.core.db.interface import TransactionEvents, WriteTransaction
from formwright.core.events import AuditNote, Event
from formwright.domain.audit import service as audit
from formwright.domain.webhooks import enqueue
from formwright.domain.webhooks.models import LoggedEvent


async def publish_events(tx: WriteTransaction, transactions: Sequence[TransactionEvents]) -> None:
    """Write the events and audit entries of all transactions in this commit, in order.

    Events are stored in the format of API version 1.0.
    """
    by_account: defaultdict[str, list[TransactionEvents]] = defaultdict(list)
    for transaction in transactions:
        events, notes = transaction.events, transaction.notes
        for customer_id in {event.customer_id for event in events} | {note.customer_id for note in notes}:
            by_account[customer_id].append(_select_account(transaction, customer_id))
    logged: list[LoggedEvent] = []
    audited: list[tuple[TransactionEvents, int]] = []
    for customer_id, own in sorted(by_account.items()):
        at, own_events = await _number_events(tx, customer_id, own)
        logged += own_events
        audited += ((transaction, transaction.stamps.get(customer_id, at)) for transaction in own)
    await enqueue.append_events(tx, logged)
    await audit.write(tx, audited)


def _select_account(transaction: TransactionEvents, customer_id: str) -> TransactionEvents:
    """Return what concerns one account. Each event also becomes an audit note."""
    events = [event for event in transaction.events if event.customer_id == customer_id]
    notes = [note for note in transaction.notes if note.customer_id == customer_id]
    event_notes = [_to_audit_note(event) for event in events]
    return TransactionEvents(transaction.caller, events, event_notes + notes, transaction.stamps)


def _to_audit_note(event: Event) -> AuditNote:
    name = getattr(event.record, "name", "")
    return AuditNote(event.customer_id, event.type, event.record.id, name, event.changed)


async def _number_events(
    tx: WriteTransaction, customer_id: str, transactions: Sequence[TransactionEvents]
) -> tuple[int, list[LoggedEvent]]:
    """Return the timestamp of an account's last change (milliseconds), and its numbered events."""
    events = [(transaction, event) for transaction in transactions for event in transaction.events]
    if not events:
        return await account_lock.next_timestamp(tx, customer_id), []
    sequence, at = await account_lock.next_sequence(tx, customer_id, len(events))
    return at, [
        _to_logged_event(tx, transaction, event, number, transaction.stamps.get(customer_id, at))
        for number, (transaction, event) in enumerate(events, sequence)
    ]


def _to_logged_event(
    tx: WriteTransaction, transaction: TransactionEvents, event: Event, sequence: int, at: int
) -> LoggedEvent:
    event_id = tx.new_id("evt")
    body, form_id = encode_event(event, event_id, sequence, at)
    trace = transaction.caller.trace or None if transaction.caller else None
    stored = body.decode()
    return LoggedEvent(
        event_id, event.customer_id, sequence, event.type, form_id, at, stored, trace, is_silent=event.is_silent
    )
