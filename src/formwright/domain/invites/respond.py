"""What who holds the link of an invite does: open it, save, send, or decline."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.lookups import SeenVersions
from formwright.domain.forms.models import FormNotFound
from formwright.domain.invites import link_store, store
from formwright.domain.invites.emails import LINK_PREFIX
from formwright.domain.invites.models import MAX_REASON_LENGTH, Invite, InviteLinkEnded, InviteStatus
from formwright.domain.invites.transitions import advance, change_status
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionOrigin

Answers = dict[str, Any]


def is_link(token: str) -> bool:
    """Whether the word in a link can be one of an invite."""
    return crypto.is_well_formed(token, LINK_PREFIX)


@dataclass(frozen=True, slots=True)
class _LinkTarget:
    """What a link leads to; `over`: the link itself has ended, whatever became of the invite."""

    invite: Invite
    has_ended: bool

    @property
    def actor(self) -> Actor:
        return actors.link(self.invite.form_id, self.invite.customer_id)


async def _find_target(tx: ReadTransaction, token: str) -> _LinkTarget:
    target = await link_store.find_target(tx, crypto.fingerprint(token)) if is_link(token) else None
    invite = await store.find(tx, target[0], target[1]) if target else None
    if target is None or invite is None:
        raise FormNotFound("This link opens no form. Ask the person who sent it for a new one.")
    return _LinkTarget(invite, target[2])


async def _lock_target(tx: WriteTransaction, token: str) -> tuple[_LinkTarget, int]:
    """The same with the account's row held, so that nobody else changes the invite meanwhile."""
    before = await _find_target(tx, token)
    request_context.set_actor(before.actor)
    now = await account_lock.next_timestamp(tx, before.invite.customer_id)
    return await _find_target(tx, token), now


def _check_open(target: _LinkTarget, now: int) -> None:
    if target.has_ended or not target.invite.is_open(now):
        raise InviteLinkEnded(target.invite)


async def open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, Invite]:
    """As whom the holder of a link acts; `InviteLinkEnded` when it has ended, `FormNotFound` when it never was one."""
    held = await _find_target(tx, token)
    _check_open(held, now)
    return held.actor, held.invite


async def _find_submission(tx: ReadTransaction, invite: Invite) -> Submission | None:
    """What she began to fill in, on whichever device."""
    scope = Scope(invite.customer_id)
    return await submissions.find(tx, scope, invite.submission_id) if invite.submission_id else None


async def _client_id(tx: ReadTransaction, invite: Invite) -> str:
    """The id by which the submission is known to pages: ours, for each device would give it another."""
    record = await _find_submission(tx, invite)
    return (record and record.client_id) or str(uuid4())


async def load_draft(tx: ReadTransaction, invite: Invite) -> tuple[Answers, int]:
    """What is filled in beforehand: what she saved so far, with its revision, else what the inviter gave, with 0."""
    return submissions.draft_answers(await _find_submission(tx, invite), invite.data)


async def mark_opened(tx: WriteTransaction, token: str) -> Invite:
    """The person has the form before her. Said again it changes nothing."""
    held, now = await _lock_target(tx, token)
    _check_open(held, tx.now())
    if held.invite.status in (InviteStatus.PENDING, InviteStatus.SENT):
        return await advance(tx, held.invite, InviteStatus.OPENED, now)
    return held.invite


async def save(tx: WriteTransaction, token: str, *, version_id: str, data: Answers) -> Submission:
    """Keep the unfinished answers. An invite has one submission, on however many devices it is filled."""
    held, now = await _lock_target(tx, token)
    _check_open(held, tx.now())
    invite = held.invite
    record = await submissions.save_draft(
        tx,
        held.actor,
        form_id=invite.form_id,
        version_id=version_id,
        client_id=await _client_id(tx, invite),
        data=data,
        origin=_origin(invite),
    )
    if invite.status is not InviteStatus.STARTED:
        await advance(tx, invite, InviteStatus.STARTED, now, submission_id=record.id)
    elif invite.submission_id != record.id:
        # What she had begun was deleted meanwhile.
        await store.update(tx, replace(invite, submission_id=record.id))
    return record


async def submit(
    tx: WriteTransaction, token: str, *, version_id: str, data: Answers, seen: SeenVersions | None = None
) -> tuple[Submission, bool]:
    """Take in the filled form. Sent again after its answer was lost it is the same submission, and False says so."""
    held, now = await _lock_target(tx, token)
    invite = held.invite
    if invite.status is not InviteStatus.COMPLETED:
        _check_open(held, tx.now())
    record, came_now = await submissions.submit(
        tx,
        held.actor,
        form_id=invite.form_id,
        version_id=version_id,
        client_id=await _client_id(tx, invite),
        data=data,
        seen=seen,
        origin=_origin(invite),
    )
    if invite.status is InviteStatus.COMPLETED:
        if came_now:
            raise InviteLinkEnded(invite)
        return record, False
    if invite.status is not InviteStatus.STARTED:
        invite = await advance(tx, invite, InviteStatus.STARTED, now, submission_id=record.id)
    await advance(tx, invite, InviteStatus.COMPLETED, now, submission_id=record.id)
    return record, came_now


def _origin(invite: Invite) -> SubmissionOrigin:
    return SubmissionOrigin(user_id=invite.user_id, invite_id=invite.id)


async def decline(tx: WriteTransaction, token: str, reason: str) -> Invite:
    """The person will not fill the form, and may say why. Said again it changes nothing."""
    held, now = await _lock_target(tx, token)
    if held.invite.status is InviteStatus.DECLINED:
        return held.invite
    _check_open(held, tx.now())
    said = reason.strip()
    if len(said) > MAX_REASON_LENGTH:
        words = f"At most {MAX_REASON_LENGTH} characters."
        raise Invalid([ValidationFault("/reason", "value.too_long", words)])
    return await change_status(tx, held.invite, InviteStatus.DECLINED, now, detail=said, reason=said or None)
