"""The verbs of invites, for who sends them."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import LATEST
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form
from formwright.domain.invites import emails, events, link_store, store, transitions
from formwright.domain.invites.models import (
    OPEN_STATUSES,
    RESENDABLE_STATUSES,
    Invite,
    InviteEnded,
    InviteExternalIdTaken,
    InviteFilter,
    InviteMailer,
    InviteNotFound,
    InviteStatus,
    NewInvite,
    Step,
)
from formwright.domain.invites.validation import CheckedInvite, check_invite
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import Mail, MailStatus
from formwright.domain.users.models import normalise_email


async def create(tx: WriteTransaction, actor: Actor, mailer: InviteMailer, new: NewInvite) -> Invite:
    """Ask a person to fill a form; the mail goes out with the commit. The same `external_id` is the same invite."""
    scope = allow(actor, Permission.INVITES_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    if known := await _find_existing(tx, scope, new):
        return known
    made = await check_invite(tx, actor, scope, new, now)
    if made.faults or made.form is None:
        raise Invalid(made.faults)
    return await _insert(tx, actor, mailer, new, made, made.form, now)


async def create_many(
    tx: WriteTransaction, actor: Actor, mailer: InviteMailer, new_invites: Sequence[NewInvite]
) -> list[Invite]:
    """All of them, or none and every fault: its pointer begins with the place in the list."""
    found: list[ValidationFault] = []
    invites: list[Invite] = []
    for index, new in enumerate(new_invites):
        try:
            invites.append(await create(tx, actor, mailer, new))
        except Invalid as error:
            found += [ValidationFault(f"/{index}{fault.pointer}", fault.code, fault.detail) for fault in error.faults]
    if found:
        raise Invalid(found)
    return invites


async def _find_existing(tx: ReadTransaction, scope: Scope, new: NewInvite) -> Invite | None:
    """The invite that was made with this external id before."""
    known = await store.find_by_external_id(tx, scope, new.external_id) if new.external_id else None
    if known is None:
        return None
    same_person = known.user_id == new.user_id if new.user_id else known.email == normalise_email(new.email or "")
    if known.form_id != new.form_id or not same_person or not await store.find(tx, scope, known.id):
        raise InviteExternalIdTaken()
    return known


async def _insert(
    tx: WriteTransaction,
    actor: Actor,
    mailer: InviteMailer,
    new: NewInvite,
    checked: CheckedInvite,
    form: Form,
    now: int,
) -> Invite:
    invite = Invite(
        id=tx.new_id("ivt"),
        customer_id=form.customer_id,
        form_id=form.id,
        status=InviteStatus.PENDING,
        email=checked.email,
        user_id=new.user_id,
        name=checked.name,
        language=checked.language or (await customers.get(tx, actor)).locale,
        message=new.message,
        data=msgspec.json.encode(checked.data).decode(),
        validity_ms=checked.expires - now,
        expires=checked.expires,
        remind=checked.remind,
        reminded=None,
        external_id=new.external_id,
        base_url=mailer.base_url,
        submission_id=None,
        reason=None,
        sent=None,
        opened=None,
        started=None,
        completed=None,
        created=now,
        updated=now,
        revision=1,
    )
    await store.insert(tx, invite)
    await link_store.insert_step(tx, invite, Step(invite.status, now, actor.name, ""))
    await emails.send_email(tx, mailer, invite, form)
    tx.record(events.InviteCreated(invite.customer_id, invite))
    return invite


async def resend(tx: WriteTransaction, actor: Actor, mailer: InviteMailer, *, invite_id: str) -> Invite:
    """Send it anew with a new link, for as long again as it was first meant to last; the links before it end."""
    invite, now = await _lock_invite(tx, actor, invite_id)
    if invite.status not in RESENDABLE_STATUSES:
        raise InviteEnded(invite.status)
    form, _ = await forms.get_for_answering(tx, actors.link(invite.form_id, invite.customer_id), form_id=invite.form_id)
    ends = min(now + invite.validity_ms, LATEST)
    after = replace(
        invite,
        status=InviteStatus.PENDING,
        expires=ends,
        remind=None if invite.remind is None else ends - (invite.expires - invite.remind),
        reminded=None,
        base_url=mailer.base_url,
        reason=None,
        sent=None,
        opened=None,
        started=None,
        updated=now,
        revision=invite.revision + 1,
    )
    await transitions.withdraw_emails(tx, invite)
    await link_store.end_links(tx, invite, now)
    await store.update(tx, after)
    await link_store.insert_step(tx, after, Step(after.status, now, actor.name, ""))
    await emails.send_email(tx, mailer, after, form)
    tx.record(events.InviteResent(after.customer_id, after, changed=differing(invite, after)))
    return after


async def revoke(tx: WriteTransaction, actor: Actor, *, invite_id: str) -> Invite:
    """Take it back: its links end, and what still waits is not sent."""
    invite, now = await _lock_invite(tx, actor, invite_id)
    if invite.status not in OPEN_STATUSES:
        raise InviteEnded(invite.status)
    return await transitions.change_status(tx, invite, InviteStatus.REVOKED, now, by=actor.name)


async def _lock_invite(tx: WriteTransaction, actor: Actor, invite_id: str) -> tuple[Invite, int]:
    scope = allow(actor, Permission.INVITES_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    invite = await store.find(tx, scope, invite_id)
    if invite is None:
        raise InviteNotFound()
    return invite, now


async def get(tx: ReadTransaction, actor: Actor, *, invite_id: str) -> Invite:
    """One invite of the account."""
    invite = await store.find(tx, allow(actor, Permission.INVITES_READ), invite_id)
    if invite is None:
        raise InviteNotFound()
    return invite


async def page(
    tx: ReadTransaction, actor: Actor, filters: InviteFilter, window: Window, *, newest_first: bool = False
) -> Page[Invite]:
    """The account's invites that fit, in the order in which they were made."""
    return await store.page(tx, allow(actor, Permission.INVITES_READ), filters, window, newest_first=newest_first)


async def get_history(tx: ReadTransaction, actor: Actor, *, invite_id: str) -> tuple[Invite, list[Step], Mail | None]:
    """An invite, the states that it came to, and the mail that was written last."""
    invite = await get(tx, actor, invite_id=invite_id)
    steps = await link_store.list_steps(tx, Scope(invite.customer_id), invite.id)
    return (
        invite,
        steps,
        await mail.find_latest(tx, invite.customer_id, purpose=transitions.PURPOSE, subject_id=invite.id),
    )


async def handle_mail_result(tx: WriteTransaction, result: Mail) -> None:
    """What became of the mail of an invite; the mail queue says so, with the account's row held."""
    invite = await store.find(tx, Scope(result.customer_id), result.subject_id)
    if invite is None or invite.status is not InviteStatus.PENDING:
        return
    now = await account_lock.next_timestamp(tx, invite.customer_id)
    if result.status is MailStatus.SENT:
        await transitions.change_status(tx, invite, InviteStatus.SENT, now)
    else:
        await transitions.change_status(
            tx, invite, InviteStatus.FAILED, now, detail=result.detail, reason=result.detail
        )
