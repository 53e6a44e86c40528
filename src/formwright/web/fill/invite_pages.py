"""What the page of an invite says beyond that of a form: that it is open, that it will not be filled, that it is over.

A mail scanner that fetches the link, or a browser that does so early, is not the person: nothing here happens by GET.
"""

from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth import actor as actors
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.invites import respond as invites
from formwright.domain.invites.models import LONGEST_REASON, Invite, InviteLinkEnded
from formwright.domain.tasks import respond as tasks
from formwright.domain.tasks.models import TaskAnswered, TaskEnded, TaskNotFound
from formwright.web.fill.closed_messages import ended_invite_message
from formwright.web.fill.link_access import open_fill_link
from formwright.web.fill.messages import parse_accept_language
from formwright.web.session import get_app_context
from formwright.web.templating import render_page

_MAX_BODY = 64 * 1024


@post("/fill/{token:str}/opened", status_code=204)
async def record_opened(request: Request[Any, Any, Any], token: FromPath[str]) -> None:
    """Somebody does something on the page: the person has it before her."""
    if tasks.is_link(token):
        return
    async with get_app_context(request).db.writing() as tx:
        await invites.note_opened(tx, token)


@post("/fill/{token:str}/decline", status_code=303, request_max_body_size=_MAX_BODY)
async def decline_to_fill(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """The person says that she will not fill the form."""
    async with get_app_context(request).db.reading() as tx:
        try:
            await open_fill_link(tx, token, get_app_context(request).clock.now())
        except (InviteLinkEnded, FormNotFound):
            return Redirect(f"/fill/{token}", status_code=303)
    reason = str((await request.form()).get("reason", "")).replace("\r\n", "\n")
    try:
        async with get_app_context(request).db.writing() as tx:
            if tasks.is_link(token):
                _, assigned = await tasks.open_link(tx, token)
                await tasks.decline(tx, *assigned.whose, reason[:LONGEST_REASON])
            else:
                await invites.decline(tx, token, reason[:LONGEST_REASON])
    except (InviteLinkEnded, FormNotFound, TaskEnded, TaskAnswered, TaskNotFound):
        pass  # The page says what became of it.
    return Redirect(f"/fill/{token}", status_code=303)


async def render_ended_invite(
    request: Request[Any, Any, Any], tx: ReadTransaction, over: InviteLinkEnded
) -> Response[str]:
    """Why the link opens nothing any more, and what to do, in the language of the form."""
    invite = over.invite
    words = ended_invite_message(
        invite, get_app_context(request).clock.now(), *await _preferred_languages(request, tx, invite)
    )
    return render_page(request, "fill/invite_ended.html", 410, said=words, language=words["language"])


async def _preferred_languages(request: Request[Any, Any, Any], tx: ReadTransaction, invite: Invite) -> list[str]:
    spoken = parse_accept_language(request.headers.get("accept-language", ""))
    try:
        guest = actors.link(invite.form_id, invite.customer_id)
        _, version = await forms.get_for_answering(tx, guest, form_id=invite.form_id)
    except (FormNotPublished, FormArchived, FormNotFound):
        return spoken
    return [version.definition.settings.language, *spoken]


HANDLERS = [record_opened, decline_to_fill]
