"""Signing in, what comes after the password: which account, and the code of the second factor."""

from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.auth import actor as actors
from formwright.domain.customers import service as customers
from formwright.domain.users import service as people
from formwright.domain.users.auth import throttling, two_factor
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.login_flow import PendingLogin, choose, enter, entering
from formwright.web.session import get_app_context
from formwright.web.templating import page
from formwright.web.views.account.sign_in import tell_refused, too_many

HERE = "/sign-in/second"
_WRONG = "This code is wrong or was already used. Enter the code your app shows now."


@get(HERE)
async def second_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """Which account or, where there is only one, its code."""
    found = await entering(request)
    return await _page(request, found) if found else Redirect("/sign-in", status_code=303)


async def _page(
    request: Request[Any, Any, Any], found: PendingLogin, status: int = 200, error: str = ""
) -> Response[str]:
    if len(found.accounts) == 1:
        return page(request, "account/sign_in_code.html", status, error=error)
    async with get_app_context(request).db.reading() as tx:
        names = {one: (await customers.get(tx, actors.system(one))).name for one in found.accounts}
    return page(request, "account/sign_in_account.html", status, names=names)


@post(HERE + "/account", status_code=303)
async def choose_account(request: Request[Any, Any, Any]) -> Response[Any]:
    """Go on with one of several accounts."""
    found = await entering(request)
    chosen = str((await request.form()).get("account", ""))
    if found is None:
        return Redirect("/sign-in", status_code=303)
    if chosen not in found.accounts:
        return await _page(request, found, 422)
    return await choose(request, found, chosen)


@post(HERE, status_code=303)
async def check_code(request: Request[Any, Any, Any]) -> Response[Any]:
    """Take the code, and begin the session."""
    found = await entering(request)
    if found is None or len(found.accounts) != 1:
        return Redirect(HERE if found else "/sign-in", status_code=303)
    [(customer_id, (user_id, _))] = found.accounts.items()
    try:
        fits = await _fits(request, customer_id, user_id)
    except TooManyAttempts as error:
        answer = await _page(request, found, 429, too_many(error))
        answer.headers["retry-after"] = str(error.wait_s)
        return answer
    async with get_app_context(request).db.reading() as tx:
        who = await people.get_credentials(tx, customer_id, user_id)
    if fits and who:
        return await enter(request, who, found.come_back)
    await tell_refused(get_app_context(request), [who] if who else [])
    return await _page(request, found, 422, _WRONG)


async def _fits(request: Request[Any, Any, Any], customer_id: str, user_id: str) -> bool:
    ctx, buckets = get_app_context(request), throttling.code_buckets(user_id)
    code = str((await request.form()).get("code", ""))[:100]
    async with ctx.db.writing() as tx:
        await throttling.count_attempt(tx, buckets)
    async with ctx.db.writing() as tx:
        # Switched off meanwhile, the password was enough.
        fits = not await two_factor.is_enabled(tx, customer_id, user_id)
        fits = fits or await two_factor.verify_code(tx, customer_id, user_id, ctx.secret_box, code)
        if fits:
            await throttling.record_success(tx, buckets)
    return fits


HANDLERS = [second_page, choose_account, check_code]
