"""Whom a fill link lets in: whoever has that of the form, or the person who was sent one of her own."""

from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.invites import respond as invites
from formwright.domain.invites.models import Invite
from formwright.domain.tasks import respond as tasks
from formwright.domain.tasks.models import TaskNotFound
from formwright.domain.tasks.respond import Assigned

_NO_FORM = "This link opens no form. Ask the person who sent it for a new one."
Assignment = Invite | Assigned | None


async def open_fill_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, str, Assignment]:
    """As whom its holder acts, the form it opens, and the invite or the task whose link it is, if it is one.

    `FormNotFound` where it opens none; `InviteLinkEnded` where it does so no more.
    """
    if invites.is_link(token):
        actor, invite = await invites.open_link(tx, token, now)
        return request_context.set_actor(actor), invite.form_id, invite
    if tasks.is_link(token):
        return await _open_task_link(tx, token)
    found = await forms.resolve_link(tx, token)
    if found is None:
        raise FormNotFound(_NO_FORM)
    request_context.set_actor(found[0])
    return *found, None


async def _open_task_link(tx: ReadTransaction, token: str) -> tuple[Actor, str, Assignment]:
    try:
        actor, assigned = await tasks.open_link(tx, token)
    except TaskNotFound:
        raise FormNotFound(_NO_FORM) from None
    return request_context.set_actor(actor), assigned.task.form_id, assigned


def is_personal(token: str) -> bool:
    """Whether the link can be one of an invite or a task, which one person was sent."""
    return invites.is_link(token) or tasks.is_link(token)


async def open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, str]:
    """As whom its holder acts, and the form it opens."""
    actor, form_id, _ = await open_fill_link(tx, token, now)
    return actor, form_id
