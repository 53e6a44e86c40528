"""Operations for the invited person, who is identified by their link: open, save a draft, submit, or decline."""

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
from formwright.domain.submissions import respond
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionOrigin

Answers = dict[str, Any]


def is_link(token: str) -> bool:
    """Whether the token of a link has the form of an invite link's token."""
    return crypto.is_well_formed(token, LINK_PREFIX)


@dataclass(frozen=True, slots=True)
class _LinkTarget:
    """The invite of a link. `has_ended` is true if this link was replaced, whatever the status of the invite."""

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
    """Return the target of a link and the timestamp of the change, with the account's lock held."""
    before = await _find_target(tx, token)
    request_context.set_actor(before.actor)
    now = await account_lock.next_timestamp(tx, before.invite.customer_id)
    return await _find_target(tx, token), now


def _check_open(target: _LinkTarget, now: int) -> None:
    if target.has_ended or not target.invite.is_open(now):
        raise InviteLinkEnded(target.invite)


async def open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, Invite]:
    """Return the actor for a link and its invite; raises `InviteLinkEnded`, or `FormNotFound` for an unknown link."""
    target = await _find_target(tx, token)
    _check_open(target, now)
    return target.actor, target.invite


async def _find_submission(tx: ReadTransaction, invite: Invite) -> Submission | None:
    """Return the draft or submission of the invite, or None."""
    scope = Scope(invite.customer_id)
    return await submissions.find(tx, scope, invite.submission_id) if invite.submission_id else None


async def _client_id(tx: ReadTransaction, invite: Invite) -> str:
    """Return the client id of the invite's submission, because each device would choose a different one."""
    record = await _find_submission(tx, invite)
    return (record and record.client_id) or str(uuid4())


async def load_draft(tx: ReadTransaction, invite: Invite) -> tuple[Answers, int]:
    """Return the saved answers and their revision, or the invite's pre-filled answers and 0."""
    return respond.draft_answers(await _find_submission(tx, invite), invite.data)


async def mark_opened(tx: WriteTransaction, token: str) -> Invite:
    """Record that the person opened the form, the first time; return the invite. Raises `InviteLinkEnded`."""
    target, now = await _lock_target(tx, token)
    _check_open(target, tx.now())
    if target.invite.status in (InviteStatus.PENDING, InviteStatus.SENT):
        return await advance(tx, target.invite, InviteStatus.OPENED, now)
    return target.invite


async def save(tx: WriteTransaction, token: str, *, version_id: str, data: Answers) -> Submission:
    """Save unfinished answers and return the draft. An invite has one submission, on however many devices."""
    target, now = await _lock_target(tx, token)
    _check_open(target, tx.now())
    invite = target.invite
    record = await respond.save_draft(
        tx,
        target.actor,
        form_id=invite.form_id,
        version_id=version_id,
        client_id=await _client_id(tx, invite),
        data=data,
        origin=_origin(invite),
    )
    if invite.status is not InviteStatus.STARTED:
        await advance(tx, invite, InviteStatus.STARTED, now, submission_id=record.id)
    elif invite.submission_id != record.id:
        # The previous draft has been deleted, so this is a new one.
        await store.update(tx, replace(invite, submission_id=record.id))
    return record


async def submit(
    tx: WriteTransaction,
    token: str,
    *,
    version_id: str,
    data: Answers,
    seen_versions: SeenVersions | None = None,
    device_time: str | None = None,
) -> tuple[Submission, bool]:
    """Submit the form; return the submission and whether it is new.

    If the request is repeated because its response was lost, the result is the same submission and False.
    """
    target, now = await _lock_target(tx, token)
    invite = target.invite
    if invite.status is not InviteStatus.COMPLETED:
        _check_open(target, tx.now())
    record, is_new = await respond.submit(
        tx,
        target.actor,
        form_id=invite.form_id,
        version_id=version_id,
        client_id=await _client_id(tx, invite),
        data=data,
        seen_versions=seen_versions,
        device_time=device_time,
        origin=_origin(invite),
    )
    if invite.status is InviteStatus.COMPLETED:
        if is_new:
            # Not a repeated request: another submission with a link that has been used.
            raise InviteLinkEnded(invite)
        return record, False
    if invite.status is not InviteStatus.STARTED:
        invite = await advance(tx, invite, InviteStatus.STARTED, now, submission_id=record.id)
    await advance(tx, invite, InviteStatus.COMPLETED, now, submission_id=record.id)
    return record, is_new


def _origin(invite: Invite) -> SubmissionOrigin:
    return SubmissionOrigin(user_id=invite.user_id, invite_id=invite.id)


async def decline(tx: WriteTransaction, token: str, reason: str) -> Invite:
    """Decline an invite and return it; `reason` may be empty. Declining again changes nothing."""
    target, now = await _lock_target(tx, token)
    if target.invite.status is InviteStatus.DECLINED:
        return target.invite
    _check_open(target, tx.now())
    reason = reason.strip()
    if len(reason) > MAX_REASON_LENGTH:
        detail = f"Enter at most {MAX_REASON_LENGTH:,} characters."
        raise Invalid([ValidationFault("/reason", "value.too_long", detail)])
    return await change_status(tx, target.invite, InviteStatus.DECLINED, now, detail=reason, reason=reason or None)
