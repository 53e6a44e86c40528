"""What the fill page of an invite or task adds: opening, declining, and the page for a link that no longer works.

A mail scanner or a prefetching browser may request the link, so a GET request never changes anything.
"""

from formwright.core.auth import actor as actors
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms.models import FormNotFound
from formwright.domain.invites import respond as invites
from formwright.domain.invites.models import MAX_REASON_LENGTH, InviteLinkEnded
from formwright.domain.tasks import respond as tasks
from formwright.domain.tasks.models import TaskAnswered, TaskEnded, TaskNotFound
from formwright.web.fill.closed_page import find_invite_reason, find_languages, render_closed_page
from formwright.web.fill.limits import FillPage
from formwright.web.fill.link_access import open_fill_link
from formwright.web.http import Redirect, Response, post
from formwright.web.page import PublicPage

_MAX_BODY = 64 * 1024


@post("/fill/{token:str}/opened")
async def record_opened(page: FillPage, token: str) -> Response:
    """Record that the person has opened the invite. The page calls this on the first user interaction."""
    if invites.is_link(token):
        async with page.writing() as tx:
            await invites.mark_opened(tx, token)
    return Response(None, status_code=204)


@post("/fill/{token:str}/decline", request_max_body_size=_MAX_BODY)
async def decline_to_fill(page: FillPage, token: str) -> Response:
    """Decline an invite or task, with an optional reason."""
    # Before the body is read, so that strangers without a link cannot send any.
    async with page.ctx.db.reading() as tx:
        try:
            await open_fill_link(tx, token, page.ctx.clock.now())
        except (InviteLinkEnded, FormNotFound):
            return Redirect(f"/fill/{token}")
    reason = str((await page.form()).get("reason", "")).replace("\r\n", "\n")
    try:
        async with page.writing() as tx:
            if tasks.is_link(token):
                _, assigned = await tasks.open_link(tx, token)
                await tasks.decline(tx, *assigned.key, reason[:MAX_REASON_LENGTH])
            else:
                await invites.decline(tx, token, reason[:MAX_REASON_LENGTH])
    except (InviteLinkEnded, FormNotFound, TaskEnded, TaskAnswered, TaskNotFound):
        pass  # The page shows the current state.
    return Redirect(f"/fill/{token}")


async def render_ended_invite(page: PublicPage, tx: ReadTransaction, error: InviteLinkEnded) -> Response:
    """Return the page that says why the invite link no longer works, in the language of the form."""
    reason = find_invite_reason(error.invite, page.ctx.clock.now())
    actor = actors.link(error.invite.form_id, error.invite.customer_id)
    languages = await find_languages(page, tx, actor, form_id=error.invite.form_id)
    return render_closed_page(page, 410, reason, *languages)
