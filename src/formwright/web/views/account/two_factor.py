"""Settings, Account: two-factor authentication with an authenticator app, and its recovery codes."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import segno

from formwright.core import crypto
from formwright.core.errors import Conflict
from formwright.domain.users.auth import emails, throttling, two_factor
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.templating import PAGE_HEADERS, DisplayTime, format_optional_time
from formwright.web.views.account.account import PATH as ACCOUNT
from formwright.web.views.account.account import check_own_password
from formwright.web.views.account.sign_in import describe_wait

PATH = ACCOUNT + "/second-factor"
_CODES_COOKIE = "formwright_codes"
_CODES_SHOWN_S = 300
_WRONG_CODE = "Wrong code. Enter the code your app shows now, and check that your phone’s clock is correct."


@dataclass(frozen=True, slots=True)
class TwoFactorPage:
    """The view model of the page.

    `since` is set if two-factor authentication is on, and `secret` during the setup. `new_codes` are shown only once.
    """

    since: DisplayTime | None
    secret: str
    recovery_codes: int
    new_codes: Sequence[str]
    error: str


@get(PATH)
async def two_factor_page(page: Page) -> Response:
    """The status and setup of two-factor authentication. New recovery codes are shown once."""
    response = await _render(page, new_codes=_read_new_codes(page))
    return forget_cookie(page, response, _CODES_COOKIE)


async def _render(
    page: Page,
    status: int = 200,
    *,
    error: str = "",
    new_codes: Sequence[str] = (),
) -> Response:
    state = await two_factor.get_status(page.tx, page.actor)
    secret = await two_factor.find_pending_secret(page.tx, page.actor, page.ctx.secret_box) or ""
    view_model = TwoFactorPage(
        since=format_optional_time(state.enabled_at, page.visitor.customer.time_zone),
        secret=" ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
        recovery_codes=state.recovery_codes,
        new_codes=new_codes,
        error=error,
    )
    return page.render("account/two_factor.html", view_model, section="Settings", status=status)


@get(PATH + "/qr.svg")
async def qr_code(page: Page) -> Response:
    """The secret during the setup as a QR code."""
    secret = await two_factor.find_pending_secret(page.tx, page.actor, page.ctx.secret_box) or crypto.new_totp_secret()
    uri = crypto.totp_uri(
        secret, issuer=f"Formwright {page.visitor.customer.name}"[:60], account=page.visitor.user.email
    )
    svg = io.BytesIO()
    segno.make_qr(uri, error="m").save(svg, kind="svg", scale=5, border=4, dark="#000", light="#fff", xmldecl=False)
    return Response(svg.getvalue(), media_type="image/svg+xml", headers=PAGE_HEADERS)


@post(PATH)
async def begin_two_factor(page: Page) -> Redirect:
    """Start the setup with a new secret."""
    try:
        async with page.writing() as tx:
            await two_factor.start_setup(tx, page.actor, page.ctx.secret_box)
    except Conflict:
        pass  # It is on already, as the page shows.
    return Redirect(PATH)


@post(PATH + "/confirm")
async def confirm_two_factor(page: Page) -> Response:
    """Turn two-factor authentication on, with the first code of the app."""
    code, buckets = str((await page.form()).get("code", ""))[:100], throttling.code_buckets(page.visitor.user.id)
    try:
        async with page.writing() as tx:
            # In a transaction of its own, because a `Conflict` rolls the next one back.
            await throttling.count_attempt(tx, buckets)
        async with page.writing() as tx:
            codes = await two_factor.confirm_setup(tx, page.actor, page.ctx.secret_box, code)
            if codes:
                await throttling.record_success(tx, buckets)
                await emails.send_change_notice(tx, page.ctx.secret_box, page.visitor.user, "on")
    except TooManyAttempts as error:
        return await _render(page, 429, error=describe_wait(error))
    except Conflict:
        return Redirect(PATH)
    return _redirect_with_codes(page, codes) if codes else await _render(page, 422, error=_WRONG_CODE)


@post(PATH + "/codes")
async def renew_codes(page: Page) -> Response:
    """Replace the recovery codes. Requires the password."""
    if fault := await check_own_password(page, str((await page.form()).get("password", ""))):
        return await _render(page, 422, error=fault)
    try:
        async with page.writing() as tx:
            return _redirect_with_codes(page, await two_factor.renew_recovery_codes(tx, page.actor))
    except Conflict:
        return Redirect(PATH)


def _redirect_with_codes(page: PublicPage, codes: list[str]) -> Redirect:
    # An encrypted cookie takes them to the page. They are not stored, and reloading the page doesn't create new ones.
    text = msgspec.json.encode(codes).decode()
    cookie = seal_cookie(page.ctx, _CODES_COOKIE, text, _CODES_SHOWN_S)
    return Redirect(PATH, cookies=[cookie])


def _read_new_codes(page: PublicPage) -> list[str]:
    try:
        return msgspec.json.decode(open_cookie(page, _CODES_COOKIE), type=list[str])
    except msgspec.DecodeError:
        return []


@post(PATH + "/off")
async def switch_off_two_factor(page: Page) -> Response:
    """Turn two-factor authentication off. Requires the password."""
    if fault := await check_own_password(page, str((await page.form()).get("password", ""))):
        return await _render(page, 422, error=fault)
    try:
        async with page.writing() as tx:
            await two_factor.disable(tx, page.actor)
            await emails.send_change_notice(tx, page.ctx.secret_box, page.visitor.user, "off")
    except Conflict:
        pass
    return Redirect(PATH)
