"""Actions on a person: resending the invitation, and turning off two-factor authentication."""

from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect

from formwright.core.errors import Conflict
from formwright.domain.users.auth import emails, two_factor
from formwright.web.session import account_mailer, get_app_context, require_visitor

_PATH = "/people/{user_id:str}"


@post(_PATH + "/invitation", status_code=303)
async def resend_invitation(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Redirect:
    """Send a new invitation link, unless the person has signed in since."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await emails.resend_invitation(tx, account_mailer(request), visitor.actor, user_id=user_id)
    except Conflict:
        return Redirect(f"/people/{user_id}", status_code=303)
    return Redirect(f"/people/{user_id}?done=sent", status_code=303)


@post(_PATH + "/second-factor", status_code=303)
async def disable_two_factor(request: Request[Any, Any, Any], user_id: FromPath[str]) -> Redirect:
    """Turn off two-factor authentication, for example after a phone was lost, and notify the person."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            user = await two_factor.disable_for_user(tx, visitor.actor, user_id=user_id)
            await emails.send_change_notice(tx, get_app_context(request).secret_box, user, "off")
    except Conflict:
        return Redirect(f"/people/{user_id}", status_code=303)
    return Redirect(f"/people/{user_id}?done=factor", status_code=303)


HANDLERS = [resend_invitation, disable_two_factor]
