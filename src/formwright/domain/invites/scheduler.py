"""What an invite does by itself when its time comes: a reminder, and its end.

Both stand as `due` in the row. Whichever worker is there does them, once: who comes second finds it done. After a stop
they are done late; a clock that is set back does nothing twice.
"""

from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Scope
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormStatus
from formwright.domain.invites import emails, store
from formwright.domain.invites.models import Invite, InviteMailer, InviteStatus
from formwright.domain.invites.transitions import change_status


async def find_due(tx: ReadTransaction, now: int, limit: int) -> Sequence[tuple[str, str]]:
    """The account and the id of invites whose time has come, the longest waiting first."""
    return await store.find_due(tx, now, limit)


async def run_due(tx: WriteTransaction, secret_box: SecretBox, customer_id: str, invite_id: str) -> Invite | None:
    """Do what is due for one of them; answers what it is now, None where there was nothing left to do."""
    stamp = await account_lock.next_timestamp(tx, customer_id)
    invite = await store.find(tx, Scope(customer_id), invite_id)
    now = tx.now()
    if invite is None or invite.next_run_at is None or invite.next_run_at > now:
        return None
    if invite.expires <= now:
        return await change_status(tx, invite, InviteStatus.EXPIRED, stamp)
    return await _send_reminder(tx, secret_box, invite, stamp)


async def _send_reminder(tx: WriteTransaction, secret_box: SecretBox, invite: Invite, stamp: int) -> Invite:
    """Once more with a link of its own; the one before goes on to open the form. Not for a form that was closed."""
    reminded = replace(invite, reminded=stamp)
    await store.update(tx, reminded)
    form = await forms.find(tx, Scope(invite.customer_id), invite.form_id)
    if form and form.status is FormStatus.ACTIVE:
        await emails.send_email(tx, InviteMailer(secret_box, invite.base_url), reminded, form, reminder=True)
    return reminded
