"""Whom a fill link lets in: whoever has that of the form, or the person who was sent one of her own."""

from formwright.core.access import caller
from formwright.core.access.actor import Actor
from formwright.core.storage.database import Reading
from formwright.domain.forms import service as forms
from formwright.domain.forms.model import FormNotFound
from formwright.domain.invites import filling as invites
from formwright.domain.invites.model import Invite


async def entered(tx: Reading, token: str, now: int) -> tuple[Actor, str, Invite | None]:
    """As whom its holder acts, the form it opens, and the invite whose link it is, if it is one.

    `FormNotFound` where it opens none; `InviteLinkEnded` where it does so no more.
    """
    if invites.is_link(token):
        actor, invite = await invites.open_link(tx, token, now)
        return caller.is_by(actor), invite.form_id, invite
    found = await forms.open_link(tx, token)
    if found is None:
        raise FormNotFound("This link opens no form. Ask the person who sent it for a new one.")
    caller.is_by(found[0])
    return *found, None


async def opened(tx: Reading, token: str, now: int) -> tuple[Actor, str]:
    """As whom its holder acts, and the form it opens."""
    actor, form_id, _ = await entered(tx, token, now)
    return actor, form_id
