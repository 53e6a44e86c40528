"""Signing in after the password: the choice of an account, and the code of the second factor."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from formwright.core.auth import actor as actors
from formwright.core.db.interface import ReadTransaction
from formwright.domain.customers import service as customers
from formwright.domain.users import service as people
from formwright.domain.users.auth import throttling, two_factor
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.http import Redirect, Response, get, post
from formwright.web.login_flow import PendingLogin, continue_with_account, load_pending_login, start_session
from formwright.web.page import PublicPage
from formwright.web.views.account.sign_in import describe_wait, record_refused_sign_ins

PATH = "/sign-in/second"
_WRONG_CODE = "This code is wrong or was already used. Enter the code your app shows now."


@dataclass(frozen=True, slots=True)
class CodePage:
    """The view model of the page that asks for a code."""

    error: str


@dataclass(frozen=True, slots=True)
class ChooseAccountPage:
    """The view model of the page with the matching accounts, by id, and where the choice is sent."""

    names: Mapping[str, str]
    action: str = f"{PATH}/account"
    reason: str = "Your email address and password match several accounts."


@get(PATH)
async def second_page(page: PublicPage) -> Response:
    """The choice of an account, or the code if there is only one account."""
    pending = await load_pending_login(page)
    return await _render(page, pending) if pending else Redirect("/sign-in")


async def _render(page: PublicPage, pending: PendingLogin, status: int = 200, error: str = "") -> Response:
    if len(pending.accounts) == 1:
        return page.render("account/sign_in_code.html", CodePage(error), status=status)
    names = await load_account_names(page.tx, pending.accounts)
    return page.render("account/sign_in_account.html", ChooseAccountPage(names), status=status)


async def load_account_names(tx: ReadTransaction, account_ids: Iterable[str]) -> dict[str, str]:
    """Return the names of accounts by id."""
    return {one: (await customers.get(tx, actors.system(one))).name for one in account_ids}


@post(PATH + "/account")
async def choose_account(page: PublicPage) -> Response:
    """Choose one of several accounts."""
    pending = await load_pending_login(page)
    customer_id = str((await page.form()).get("account", ""))
    if pending is None:
        return Redirect("/sign-in")
    if customer_id not in pending.accounts:
        return await _render(page, pending, 422)
    return await continue_with_account(page, pending, customer_id)


@post(PATH)
async def check_code(page: PublicPage) -> Response:
    """Check the code, and start the session."""
    pending = await load_pending_login(page)
    if pending is None or len(pending.accounts) != 1:
        return Redirect(PATH if pending else "/sign-in")
    [(customer_id, (user_id, _))] = pending.accounts.items()
    try:
        is_correct = await _check_code(page, customer_id, user_id)
    except TooManyAttempts as error:
        response = await _render(page, pending, 429, describe_wait(error))
        response.headers["retry-after"] = str(error.wait_s)
        return response
    sign_in = await people.get_credentials(page.tx, customer_id, user_id)
    if is_correct and sign_in:
        return await start_session(page, sign_in, pending.come_back)
    await record_refused_sign_ins(page.ctx, [sign_in] if sign_in else [])
    return await _render(page, pending, 422, _WRONG_CODE)


async def _check_code(page: PublicPage, customer_id: str, user_id: str) -> bool:
    buckets = throttling.code_buckets(user_id)
    code = str((await page.form()).get("code", ""))[:100]
    async with page.writing() as tx:
        await throttling.count_attempt(tx, buckets)
    async with page.writing() as tx:
        # If two-factor authentication was turned off in the meantime, the password is enough.
        is_correct = not await two_factor.is_enabled(tx, customer_id, user_id)
        is_correct = is_correct or await two_factor.verify_code(tx, customer_id, user_id, page.ctx.secret_box, code)
        if is_correct:
            await throttling.record_success(tx, buckets)
    return is_correct
