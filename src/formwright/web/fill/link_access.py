"""Access by fill link: the public link of a form, the personal link of an invite or task, or a return link."""

from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.invites import respond as invites
from formwright.domain.invites.models import Invite
from formwright.domain.submissions import return_links
from formwright.domain.submissions.return_links import ReturnLink
from formwright.domain.tasks import respond as tasks
from formwright.domain.tasks.models import TaskNotFound
from formwright.domain.tasks.respond import TaskAssignment

_NO_FORM = "This link opens no form. Ask the person who sent it for a new one."
Assignment = Invite | TaskAssignment | ReturnLink | None


async def open_fill_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, str, Assignment]:
    """Return the caller as an actor, the id of the form, and what the link belongs to; None for a public link.

    Raises `FormNotFound` if the link is unknown, `InviteLinkEnded` if the invite no longer accepts answers, and
    `ReturnLinkEnded` if the answers can neither be continued nor changed.
    """
    if invites.is_link(token):
        actor, invite = await invites.open_link(tx, token, now)
        return request_context.set_actor(actor), invite.form_id, invite
    if tasks.is_link(token):
        return await _open_task_link(tx, token)
    if return_links.is_link(token):
        actor, link = await return_links.open_link(tx, token, now)
        return request_context.set_actor(actor), link.submission.form_id, link
    match = await forms.resolve_link(tx, token)
    if match is None:
        raise FormNotFound(_NO_FORM)
    request_context.set_actor(match[0])
    return *match, None


async def _open_task_link(tx: ReadTransaction, token: str) -> tuple[Actor, str, Assignment]:
    try:
        actor, assigned = await tasks.open_link(tx, token)
    except TaskNotFound:
        raise FormNotFound(_NO_FORM) from None
    return request_context.set_actor(actor), assigned.task.form_id, assigned


def is_personal(token: str) -> bool:
    """Whether a token has the form of an invite or task link, which belongs to one person."""
    return invites.is_link(token) or tasks.is_link(token)


async def open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, str]:
    """Return the caller as an actor, and the id of the form."""
    actor, form_id, _ = await open_fill_link(tx, token, now)
    return actor, form_id
