"""Erasure of a person's data in several short transactions. If it is interrupted, the next call finishes it.

The event log is redacted first, because it takes longest, and because its events could not be found any more after the
rest was erased. Events that are recorded in the meantime are redacted with the submission to which they belong.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, Rollback, Row, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.files.cleanup import delete_unreferenced
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import OPEN_STATUSES
from formwright.domain.privacy import redaction, store
from formwright.domain.privacy.discovery import find_or_raise, including_trash, require_permissions
from formwright.domain.privacy.models import PersonalData, SelfErasure, Subject
from formwright.domain.submissions import attachments, review
from formwright.domain.submissions.imports import service as imports
from formwright.domain.trash import deleted_people
from formwright.domain.users import management
from formwright.domain.users.models import UserEdit, UserStatus
from formwright.domain.webhooks import event_log

ERASED_NAME = "Erased person"
_BATCH_SIZE = 50


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an erasure: the number of erased submissions and redacted events."""

    data: PersonalData
    submissions: int = 0
    events: int = 0


async def check(db: Database, actor: Actor, subject: Subject) -> PersonalData:
    """Return the data that would be erased, and raise any error that the erasure would meet halfway.

    Raises `SelfErasure`, `NothingFound`, `LastOwner`, or `Denied` for a user with more permissions than the actor.
    """
    if subject.user_id and subject.user_id == actor.user_id:
        raise SelfErasure()
    async with db.reading() as tx:
        found = await find_or_raise(tx, actor, subject)
    if subject.user_id:
        with suppress(Rollback):
            async with db.writing() as tx:
                await account_lock.next_timestamp(tx, actor.customer_id)
                await _anonymise(tx, actor, require_permissions(actor), subject.user_id)
                raise Rollback()
    return found


async def erase(
    db: Database, contents: BlobStore, actor: Actor, subject: Subject, now: Callable[[], int]
) -> AsyncIterator[Progress]:
    """Erase all data of the subject, and yield the progress after each step. Raises the errors of `check`."""
    scope, found = require_permissions(actor), await check(db, actor, subject)
    actor = including_trash(actor)
    done = Progress(found)
    end = 0
    async with db.writing() as tx:
        # First the responses for deleted submissions: after the log is redacted, an interrupted erasure could not find
        # these submissions again.
        await account_lock.next_timestamp(tx, scope.customer_id)
        await store.delete_replies(tx, scope, found.deleted_submission_ids)
    async for sequence, count in _redact_log(db, scope, found.ids):
        end, done = sequence, replace(done, events=done.events + count)
        yield done
    for start in range(0, len(found.submission_ids), _BATCH_SIZE):
        batch = found.submission_ids[start : start + _BATCH_SIZE]
        async with db.writing() as tx:
            await account_lock.next_timestamp(tx, scope.customer_id)
            await _redact_new_events(tx, scope, end, frozenset(batch))
            await attachments.detach_all(tx, scope, batch)
            await store.delete_replies(tx, scope, batch)
            for submission_id in batch:
                await review.erase(tx, actor, submission_id=submission_id)
        done = replace(done, submissions=done.submissions + len(batch))
        yield done
    async with db.writing() as tx:
        await account_lock.next_timestamp(tx, scope.customer_id)
        await _redact_new_events(tx, scope, end, found.ids - {*found.submission_ids})
        await _erase_rest(tx, actor, scope, found)
    await delete_unreferenced(db, contents, now())
    await imports.delete_old(db, contents, now())
    yield done


async def _redact_log(db: Database, scope: Scope, ids: Collection[str]) -> AsyncIterator[tuple[int, int]]:
    """Redact the whole log; yields after each batch the sequence it has reached and the number of redacted events."""
    sequence = 0
    while True:
        async with db.reading(long=True) as tx:
            rows = await store.list_events_after(tx, scope, sequence)
        if not rows:
            return
        count = 0
        if any(redaction.mentions(body, ids) for _, _, body in rows):
            async with db.writing() as tx:
                # Read again under the lock: another erasure may have redacted the same event of a task.
                await account_lock.next_timestamp(tx, scope.customer_id)
                rows = await store.list_events_after(tx, scope, sequence)
                count = await _redact_events(tx, scope, rows, ids)
        sequence = rows[-1][0]
        yield sequence, count


async def _redact_events(tx: WriteTransaction, scope: Scope, rows: Sequence[Row], ids: Collection[str]) -> int:
    """Redact the events that mention these ids; returns their number."""
    redacted = [
        (sequence, id_, redaction.redact(body, ids)) for sequence, id_, body in rows if redaction.mentions(body, ids)
    ]
    if redacted:
        await event_log.replace_bodies(tx, scope, redacted)
    return len(redacted)


async def _redact_new_events(tx: WriteTransaction, scope: Scope, sequence: int, ids: Collection[str]) -> None:
    """Redact events after `sequence`. The caller holds the account lock, so no more events can be recorded."""
    while rows := await store.list_events_after(tx, scope, sequence):
        sequence = rows[-1][0]
        await _redact_events(tx, scope, rows, ids)


async def _erase_rest(tx: WriteTransaction, actor: Actor, scope: Scope, data: PersonalData) -> None:
    """Erase everything except submissions: invites, mails, the user, and their name in the audit log."""
    rest: Sequence[str] = sorted({*data.invite_ids, data.user_id} - {""})
    await store.clear_invites(tx, scope, data.invite_ids, f"invite@{_DOMAIN}")
    for invite_id in data.invite_ids:
        if (await invites.get(tx, actor, invite_id=invite_id)).status in OPEN_STATUSES:
            await invites.revoke(tx, actor, invite_id=invite_id)
    # Before the user is anonymised: that deletes their comments, and some mails are found by their current address.
    comment_ids = await store.list_comment_ids(tx, scope, data.user_id)
    of_submissions = [*data.submission_ids, *data.deleted_submission_ids]
    await store.delete_mails(tx, scope, data.addresses, [*rest, *of_submissions])
    if data.user_id:
        await _anonymise(tx, actor, scope, data.user_id)
    await store.delete_replies(tx, scope, [*rest, *comment_ids])
    await store.expire_exports(tx, scope)
    await store.expire_downloads(tx, scope, data.form_ids, data.user_id)
    await store.expire_imports(tx, scope, data.user_id)
    await store.clear_audit(tx, scope, sorted(data.ids))
    tx.audit(AuditNote(scope.customer_id, "user.erased", data.user_id))


_DOMAIN = "erased.invalid"


async def _anonymise(tx: WriteTransaction, actor: Actor, scope: Scope, user_id: str) -> None:
    """Anonymise a user or, if they are in the trash, delete them permanently."""
    is_deleted = await deleted_people.find_deleted_user(tx, scope, user_id) is not None
    await deleted_people.erase_user(tx, scope, user_id)
    if is_deleted:
        await store.clear_user(tx, scope, user_id)
        return
    changes = UserEdit(
        email=f"{user_id}@{_DOMAIN}",
        name=ERASED_NAME,
        status=UserStatus.DISABLED,
        group_ids=[],
        grants=[],
        external_id=None,
    )
    await management.anonymise(tx, actor, changes, user_id=user_id)
    await store.clear_user(tx, scope, user_id)
