"""Time-based changes of invites: sending the reminder, and expiry.

The `due` column holds the time of the next change. Any worker can make it. Each change happens once: a second worker
finds that it is done, and so does a worker whose clock was set back. After downtime, changes are made late.
"""

from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import WriteTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormStatus
from formwright.domain.invites import emails, store
from formwright.domain.invites.models import Invite, InviteMailer, InviteStatus
from formwright.domain.invites.transitions import change_status

DUE = store.DUE


async def run_due(tx: WriteTransaction, secret_box: SecretBox, customer_id: str, invite_id: str) -> Invite | None:
    """Make the due change of an invite and return it; None if there is nothing left to do."""
    timestamp = await account_lock.next_timestamp(tx, customer_id)
    invite = await store.find(tx, Scope(customer_id), invite_id)
    now = tx.now()
    if invite is None or invite.next_run_at is None or invite.next_run_at > now:
        return None
    if invite.expires <= now:
        return await change_status(tx, invite, InviteStatus.EXPIRED, timestamp)
    return await _send_reminder(tx, secret_box, invite, timestamp)


async def _send_reminder(tx: WriteTransaction, secret_box: SecretBox, invite: Invite, timestamp: int) -> Invite:
    """Queue the reminder with another link; the first link remains valid. No email if the form has been archived."""
    reminded = replace(invite, reminded=timestamp)
    await store.update(tx, reminded)
    form = await forms.find(tx, Scope(invite.customer_id), invite.form_id)
    if form and form.status is FormStatus.ACTIVE:
        await emails.send_emails(tx, InviteMailer(secret_box, invite.base_url), [(reminded, form)], reminder=True)
    return reminded
