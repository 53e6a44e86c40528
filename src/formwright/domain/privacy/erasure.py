"""Erases a person, step by step. Each step is a short transaction; what is interrupted is finished by the next call.

The log comes first, for it takes longest and nothing could be found in it once the rest is gone. With each submission
goes what the log has been told of it since.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, Rollback, Row, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.files.cleanup import clear_unreferenced
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import OPEN
from formwright.domain.privacy import redaction, store
from formwright.domain.privacy.discovery import find_or_raise, require_permissions
from formwright.domain.privacy.models import PersonalData, SelfErasure, Subject
from formwright.domain.submissions import review
from formwright.domain.users import management
from formwright.domain.users.models import UserEdit, UserStatus

ERASED_NAME = "Erased person"
_BATCH_SIZE = 50


@dataclass(frozen=True, slots=True)
class Progress:
    """How much has been done."""

    found: PersonalData
    submissions: int = 0
    events: int = 0


async def check(db: Database, actor: Actor, subject: Subject) -> PersonalData:
    """What would be erased. Refused now is what would be refused in the middle: the last owner, or somebody above."""
    if subject.user_id and subject.user_id == actor.user_id:
        raise SelfErasure()
    async with db.reading() as tx:
        found = await find_or_raise(tx, actor, subject)
    if subject.user_id:
        with suppress(Rollback):
            async with db.writing() as tx:
                await _anonymise(tx, actor, require_permissions(actor), subject.user_id)
                raise Rollback()
    return found


async def erase(
    db: Database, contents: BlobStore, actor: Actor, subject: Subject, now: Callable[[], int]
) -> AsyncIterator[Progress]:
    """Erase all there is; tells after each step how much was done."""
    scope, found = require_permissions(actor), await check(db, actor, subject)
    done = Progress(found)
    end = 0
    async with db.writing() as tx:
        # Once the log no longer tells of what was deleted, it is not found again.
        await account_lock.next_timestamp(tx, scope.customer_id)
        await store.delete_replies(tx, scope, found.deleted_submission_ids)
    async for sequence, count in _redact_log(db, scope, found.ids):
        end, done = sequence, replace(done, events=done.events + count)
        yield done
    for start in range(0, len(found.submission_ids), _BATCH_SIZE):
        some = found.submission_ids[start : start + _BATCH_SIZE]
        async with db.writing() as tx:
            await account_lock.next_timestamp(tx, scope.customer_id)
            await _redact_new_events(tx, scope, end, frozenset(some))
            await store.detach_files(tx, scope, some)
            await store.delete_replies(tx, scope, some)
            for submission_id in some:
                await review.erase(tx, actor, submission_id=submission_id)
        done = replace(done, submissions=done.submissions + len(some))
        yield done
    async with db.writing() as tx:
        await account_lock.next_timestamp(tx, scope.customer_id)
        await _redact_new_events(tx, scope, end, found.ids - {*found.submission_ids})
        await _erase_rest(tx, actor, scope, found)
    await clear_unreferenced(db, contents, now())
    yield done


async def _redact_log(db: Database, scope: Scope, ids: Collection[str]) -> AsyncIterator[tuple[int, int]]:
    """Go through the log; tells where it is, and how many events were replaced on the way there."""
    sequence = 0
    while True:
        async with db.reading(long=True) as tx:
            rows = await store.list_events_after(tx, scope, sequence)
        if not rows:
            return
        count = 0
        if any(redaction.mentions(body, ids) for _, _, body in rows):
            async with db.writing() as tx:
                # Read once more: an event of a task may have lost what somebody else said.
                await account_lock.next_timestamp(tx, scope.customer_id)
                rows = await store.list_events_after(tx, scope, sequence)
                count = await _redact_events(tx, scope, rows, ids)
        sequence = rows[-1][0]
        yield sequence, count


async def _redact_events(tx: WriteTransaction, scope: Scope, rows: Sequence[Row], ids: Collection[str]) -> int:
    """Answers how many of them tell of these."""
    found = [(at, id_, redaction.redact(body, ids)) for at, id_, body in rows if redaction.mentions(body, ids)]
    if found:
        await store.replace_bodies(tx, scope, found)
    return len(found)


async def _redact_new_events(tx: WriteTransaction, scope: Scope, sequence: int, ids: Collection[str]) -> None:
    """The same for what came into the log since. The caller holds the account's order: no more comes."""
    while rows := await store.list_events_after(tx, scope, sequence):
        sequence = rows[-1][0]
        await _redact_events(tx, scope, rows, ids)


async def _erase_rest(tx: WriteTransaction, actor: Actor, scope: Scope, found: PersonalData) -> None:
    """What there is beside submissions: invites, mails, the person herself, and her name in the audit log."""
    rest: Sequence[str] = sorted({*found.invite_ids, found.user_id} - {""})
    await store.clear_invites(tx, scope, found.invite_ids, f"invite@{_DOMAIN}")
    for invite_id in found.invite_ids:
        if (await invites.get(tx, actor, invite_id=invite_id)).status in OPEN:
            await invites.revoke(tx, actor, invite_id=invite_id)
    # Some of them are known by the address that she still has.
    await store.delete_mails(tx, scope, found.addresses, rest)
    if found.user_id:
        await _anonymise(tx, actor, scope, found.user_id)
    await store.delete_replies(tx, scope, rest)
    await store.clear_audit(tx, scope, sorted(found.ids))
    tx.audit(AuditNote(scope.customer_id, "user.erased", found.user_id))


_DOMAIN = "erased.invalid"


async def _anonymise(tx: WriteTransaction, actor: Actor, scope: Scope, user_id: str) -> None:
    what = UserEdit(email=f"{user_id}@{_DOMAIN}", name=ERASED_NAME, status=UserStatus.DISABLED, group_ids=[], grants=[])
    await management.edit(tx, actor, what, user_id=user_id)
    await store.clear_user(tx, scope, user_id)
