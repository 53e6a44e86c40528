"""Operations on invites for users who send them; `respond` has those for the invited person."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import msgspec

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import LATEST
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import AuditNote, Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form
from formwright.domain.invites import emails, link_store, store, transitions
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
from formwright.domain.invites.validation import CheckedInvite, check_invite, load_references
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import Mail, MailStatus
from formwright.domain.users.models import normalise_email


async def create(tx: WriteTransaction, actor: Actor, mailer: InviteMailer, new: NewInvite) -> Invite:
    """Create an invite, queue its email and return it.

    If an invite for the same form and person has the `external_id`, return that one unchanged. Raises `Invalid`, or
    `InviteExternalIdTaken` if the external id belongs to another form or person.
    """
    return (await _create(tx, actor, mailer, [new], [()]))[0]


async def create_many(
    tx: WriteTransaction, actor: Actor, mailer: InviteMailer, new_invites: Sequence[NewInvite]
) -> list[Invite]:
    """Create invites as in `create`, all of them or none; `Invalid` has the errors of all, each with its index."""
    return await _create(tx, actor, mailer, new_invites, [(index,) for index in range(len(new_invites))])


async def _create(
    tx: WriteTransaction,
    actor: Actor,
    mailer: InviteMailer,
    inputs: Sequence[NewInvite],
    paths: Sequence[tuple[int, ...]],
) -> list[Invite]:
    scope, now = await account_lock.begin_change(tx, actor, Permission.INVITES_MANAGE)
    known = await store.find_by_external_ids(tx, scope, [new.external_id for new in inputs if new.external_id])
    visible = await store.list_visible(tx, scope, [invite.id for invite in known])
    by_external_id = {invite.external_id: invite for invite in known}
    unknown = [new for new in inputs if new.external_id not in by_external_id]
    references = await load_references(tx, actor, scope, unknown)
    locale = (await customers.get(tx, actor)).locale
    errors: list[ValidationFault] = []
    invites: list[Invite] = []
    created: list[tuple[Invite, Form]] = []
    for new, path in zip(inputs, paths, strict=True):
        if new.external_id and (existing := by_external_id.get(new.external_id)):
            _check_existing(existing, new, visible)
            invites.append(existing)
            continue
        checked = await check_invite(tx, references, new, now)
        errors += [replace(fault, pointer=pointer(*path) + fault.pointer) for fault in checked.faults]
        if checked.faults or checked.form is None:
            continue
        invite = _build_invite(tx, mailer, new, checked, checked.form, locale, now)
        # The rest of the request may repeat the external id.
        by_external_id[invite.external_id] = invite
        visible.add(invite.id)
        invites.append(invite)
        created.append((invite, checked.form))
    if errors:
        raise Invalid(errors)
    await _insert(tx, actor, mailer, created, now)
    return invites


def _check_existing(existing: Invite, new: NewInvite, visible: Collection[str]) -> None:
    """Raise `InviteExternalIdTaken` if the invite with the same external id is for another form or person."""
    same_person = existing.user_id == new.user_id if new.user_id else existing.email == normalise_email(new.email or "")
    if existing.form_id != new.form_id or not same_person or existing.id not in visible:
        raise InviteExternalIdTaken()


async def _insert(
    tx: WriteTransaction, actor: Actor, mailer: InviteMailer, created: Sequence[tuple[Invite, Form]], now: int
) -> None:
    if created:
        invites = [invite for invite, _ in created]
        await store.insert(tx, invites)
        await link_store.insert_steps(tx, invites, Step(InviteStatus.PENDING, now, actor.name, mailer.reason or ""))
        await emails.send_emails(tx, mailer, created)
        for invite in invites:
            tx.record(Event(EventType.INVITE_CREATED, invite.customer_id, invite))


def _build_invite(
    tx: WriteTransaction,
    mailer: InviteMailer,
    new: NewInvite,
    checked: CheckedInvite,
    form: Form,
    locale: str,
    now: int,
) -> Invite:
    return Invite(
        id=tx.new_id("ivt"),
        customer_id=form.customer_id,
        form_id=form.id,
        status=InviteStatus.PENDING,
        email=checked.email,
        user_id=new.user_id,
        name=checked.name,
        language=checked.language or locale,
        message=new.message,
        data=msgspec.json.encode(checked.data).decode(),
        validity_ms=checked.expires - now,
        expires=checked.expires,
        remind=checked.remind,
        reminded=None,
        external_id=new.external_id,
        base_url=mailer.base_url,
        submission_id=None,
        reason=mailer.reason,
        sent=None,
        opened=None,
        started=None,
        completed=None,
        created=now,
        updated=now,
        revision=1,
    )


async def resend(tx: WriteTransaction, actor: Actor, mailer: InviteMailer, *, invite_id: str) -> Invite:
    """Send an invite again with a new link, valid for as long as the first one. Its previous links end.

    Raises `InviteNotFound`, `InviteEnded`, or the errors of a form that does not accept responses.
    """
    invite, now = await _lock_invite(tx, actor, invite_id)
    if invite.status not in RESENDABLE_STATUSES:
        raise InviteEnded(invite.status)
    form, _ = await forms.get_for_answering(tx, actors.link(invite.form_id, invite.customer_id), form_id=invite.form_id)
    expires = min(now + invite.validity_ms, LATEST)
    after = replace(
        invite,
        status=InviteStatus.PENDING,
        expires=expires,
        remind=None if invite.remind is None else expires - (invite.expires - invite.remind),
        reminded=None,
        base_url=mailer.base_url,
        reason=mailer.reason,
        sent=None,
        opened=None,
        started=None,
        updated=now,
        revision=invite.revision + 1,
    )
    # Before the new email and its link are added, which would be withdrawn and ended as well.
    await transitions.withdraw_emails(tx, invite)
    await link_store.end_links(tx, invite, now)
    await store.update(tx, after)
    await link_store.insert_steps(tx, [after], Step(after.status, now, actor.name, mailer.reason or ""))
    await emails.send_emails(tx, mailer, [(after, form)])
    tx.record(Event(EventType.INVITE_RESENT, after.customer_id, after, changed=differing(invite, after)))
    return after


async def create_links(
    tx: WriteTransaction, actor: Actor, base_url: str, *, invite_ids: Sequence[str]
) -> list[tuple[Invite, str]]:
    """Add another link to each of these open invites, for somebody to pass on, and return them with their links.

    Earlier links keep working. Raises `InviteNotFound` or `InviteEnded`.
    """
    created = []
    for invite_id in invite_ids:
        invite, _ = await _lock_invite(tx, actor, invite_id)
        if not invite.is_open(tx.now()):
            raise InviteEnded(invite.status)
        token = crypto.new_secret(emails.LINK_PREFIX)
        created.append((invite, token))
        tx.audit(AuditNote(invite.customer_id, "invite.link_created", invite.id, invite.email))
    await link_store.insert_links(tx, [(invite, crypto.fingerprint(token)) for invite, token in created])
    return [(invite, f"{base_url}/fill/{token}") for invite, token in created]


async def revoke(tx: WriteTransaction, actor: Actor, *, invite_id: str) -> Invite:
    """Revoke an open invite and return it. Its links end and queued emails are withdrawn.

    Raises `InviteNotFound` or `InviteEnded`.
    """
    invite, now = await _lock_invite(tx, actor, invite_id)
    if invite.status not in OPEN_STATUSES:
        raise InviteEnded(invite.status)
    return await transitions.change_status(tx, invite, InviteStatus.REVOKED, now, by=actor.name)


async def _lock_invite(tx: WriteTransaction, actor: Actor, invite_id: str) -> tuple[Invite, int]:
    """Take the account's lock; return the invite and the timestamp of the change. Raises `InviteNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.INVITES_MANAGE)
    invite = require(await store.find(tx, scope, invite_id), InviteNotFound)
    return invite, now


async def get(tx: ReadTransaction, actor: Actor, *, invite_id: str) -> Invite:
    """Return an invite of the account; raises `InviteNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.INVITES_READ), invite_id), InviteNotFound)


async def page(tx: ReadTransaction, actor: Actor, filters: InviteFilter, window: Window) -> Page[Invite]:
    """Return a page of the account's invites that match the filters, in their order."""
    return await store.page(tx, allow(actor, Permission.INVITES_READ), filters, window)


async def find_many(tx: ReadTransaction, actor: Actor, invite_ids: Sequence[str]) -> list[Invite]:
    """Return the invites with these ids, without those that the actor may not read."""
    return await store.find_many(tx, allow(actor, Permission.INVITES_READ), invite_ids)


async def count_by_status(tx: ReadTransaction, actor: Actor, *, limit: int) -> dict[InviteStatus, int]:
    """Return how many invites have each status, but no more than `limit`; without statuses that none has."""
    return await store.count_by_status(tx, allow(actor, Permission.INVITES_READ), limit)


async def get_history(tx: ReadTransaction, actor: Actor, *, invite_id: str) -> tuple[Invite, list[Step], Mail | None]:
    """Return an invite, its history and its last invitation email; raises `InviteNotFound`."""
    invite = await get(tx, actor, invite_id=invite_id)
    steps = await link_store.list_steps(tx, Scope(invite.customer_id), invite.id)
    return (
        invite,
        steps,
        await mail.find_latest(tx, invite.customer_id, purpose=transitions.PURPOSE, subject_id=invite.id),
    )


async def handle_mail_result(tx: WriteTransaction, result: Mail) -> None:
    """Mark an invite as sent or failed. The mail queue calls this with the sent or failed email."""
    # Even if the form has been moved to the trash since it was sent.
    invite = await store.find(tx, Scope(result.customer_id, with_deleted=True), result.subject_id)
    # The mail queue holds the account's lock already, so the status cannot change after this check.
    if invite is None or invite.status is not InviteStatus.PENDING:
        return
    now = await account_lock.next_timestamp(tx, invite.customer_id)
    if result.status is MailStatus.SENT:
        await transitions.change_status(tx, invite, InviteStatus.SENT, now, reason=None)
    elif result.status is MailStatus.FAILED:
        await transitions.change_status(
            tx, invite, InviteStatus.FAILED, now, detail=result.detail, reason=result.detail
        )
