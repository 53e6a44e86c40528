"""Settings, Account: two-factor authentication with an authenticator app, and its recovery codes."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import segno
from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core import crypto
from formwright.core.errors import Conflict
from formwright.domain.users.auth import emails, throttling, two_factor
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import PAGE_HEADERS, DisplayTime, format_optional_time, render_view
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
async def two_factor_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The status and setup of two-factor authentication. New recovery codes are shown once."""
    response = await _render(request, await require_visitor(request), new_codes=_read_new_codes(request))
    return forget_cookie(request, response, _CODES_COOKIE)


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    status: int = 200,
    *,
    error: str = "",
    new_codes: Sequence[str] = (),
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        state = await two_factor.get_status(tx, visitor.actor)
        secret = await two_factor.find_pending_secret(tx, visitor.actor, ctx.secret_box) or ""
    view_model = TwoFactorPage(
        since=format_optional_time(state.enabled_at, visitor.customer.time_zone),
        secret=" ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
        recovery_codes=state.recovery_codes,
        new_codes=new_codes,
        error=error,
    )
    return render_view(
        request, "account/two_factor.html", view_model, visitor=visitor, section="Settings", status=status
    )


@get(PATH + "/qr.svg")
async def qr_code(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The secret during the setup as a QR code."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        secret = await two_factor.find_pending_secret(tx, visitor.actor, ctx.secret_box) or crypto.new_totp_secret()
    uri = crypto.totp_uri(secret, issuer=f"Formwright {visitor.customer.name}"[:60], account=visitor.user.email)
    svg = io.BytesIO()
    segno.make_qr(uri, error="m").save(svg, kind="svg", scale=5, border=4, dark="#000", light="#fff", xmldecl=False)
    return Response(svg.getvalue(), media_type="image/svg+xml", headers=PAGE_HEADERS)


@post(PATH, status_code=303)
async def begin_two_factor(request: Request[Any, Any, Any]) -> Redirect:
    """Start the setup with a new secret."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.start_setup(tx, visitor.actor, ctx.secret_box)
    except Conflict:
        pass  # It is on already, as the page shows.
    return Redirect(PATH, status_code=303)


@post(PATH + "/confirm", status_code=303)
async def confirm_two_factor(request: Request[Any, Any, Any]) -> Response[Any]:
    """Turn two-factor authentication on, with the first code of the app."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    code, buckets = str((await request.form()).get("code", ""))[:100], throttling.code_buckets(visitor.user.id)
    try:
        async with ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
        async with ctx.db.writing() as tx:
            codes = await two_factor.confirm_setup(tx, visitor.actor, ctx.secret_box, code)
            if codes:
                await throttling.record_success(tx, buckets)
                await emails.send_change_notice(tx, ctx.secret_box, visitor.user, "on")
    except TooManyAttempts as error:
        return await _render(request, visitor, 429, error=describe_wait(error))
    except Conflict:
        return Redirect(PATH, status_code=303)
    return _redirect_with_codes(request, codes) if codes else await _render(request, visitor, 422, error=_WRONG_CODE)


@post(PATH + "/codes", status_code=303)
async def renew_codes(request: Request[Any, Any, Any]) -> Response[Any]:
    """Replace the recovery codes. Requires the password."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    if fault := await check_own_password(request, visitor, str((await request.form()).get("password", ""))):
        return await _render(request, visitor, 422, error=fault)
    try:
        async with ctx.db.writing() as tx:
            return _redirect_with_codes(request, await two_factor.renew_recovery_codes(tx, visitor.actor))
    except Conflict:
        return Redirect(PATH, status_code=303)


def _redirect_with_codes(request: Request[Any, Any, Any], codes: list[str]) -> Redirect:
    # An encrypted cookie takes them to the page. They are not stored, and reloading the page doesn't create new ones.
    text = msgspec.json.encode(codes).decode()
    cookie = seal_cookie(get_app_context(request), _CODES_COOKIE, text, _CODES_SHOWN_S)
    return Redirect(PATH, status_code=303, cookies=[cookie])


def _read_new_codes(request: Request[Any, Any, Any]) -> list[str]:
    try:
        return msgspec.json.decode(open_cookie(request, _CODES_COOKIE), type=list[str])
    except msgspec.DecodeError:
        return []


@post(PATH + "/off", status_code=303)
async def switch_off_two_factor(request: Request[Any, Any, Any]) -> Response[Any]:
    """Turn two-factor authentication off. Requires the password."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    if fault := await check_own_password(request, visitor, str((await request.form()).get("password", ""))):
        return await _render(request, visitor, 422, error=fault)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.disable(tx, visitor.actor)
            await emails.send_change_notice(tx, ctx.secret_box, visitor.user, "off")
    except Conflict:
        pass
    return Redirect(PATH, status_code=303)


HANDLERS = [two_factor_page, qr_code, begin_two_factor, confirm_two_factor, renew_codes, switch_off_two_factor]
