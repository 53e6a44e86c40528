"""Actions on a person: resending the invitation, and turning off two-factor authentication."""

from formwright.core.errors import Conflict
from formwright.domain.users.auth import emails, two_factor
from formwright.web.http import Redirect, post
from formwright.web.page import Page
from formwright.web.session import account_mailer

_PATH = "/people/{user_id:str}"


@post(_PATH + "/invitation")
async def resend_invitation(page: Page, user_id: str) -> Redirect:
    """Send a new invitation link, unless the person has signed in since."""
    try:
        async with page.writing() as tx:
            await emails.resend_invitation(tx, account_mailer(page), page.actor, user_id=user_id)
    except Conflict:
        return Redirect(f"/people/{user_id}")
    return Redirect(f"/people/{user_id}?done=sent")


@post(_PATH + "/second-factor")
async def disable_two_factor(page: Page, user_id: str) -> Redirect:
    """Turn off two-factor authentication, for example after a phone was lost, and notify the person."""
    try:
        async with page.writing() as tx:
            user = await two_factor.disable_for_user(tx, page.actor, user_id=user_id)
            await emails.send_change_notice(tx, page.ctx.secret_box, user, "off")
    except Conflict:
        return Redirect(f"/people/{user_id}")
    return Redirect(f"/people/{user_id}?done=factor")
