"""Settings, Account, the second factor: on with a phone, off with the password, codes for the day it is lost."""

import io
from typing import Any

import msgspec
import segno
from cryptography.fernet import InvalidToken
from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core import crypto
from formwright.core.errors import Conflict
from formwright.domain.users.auth import emails, throttling, two_factor
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.session import Visitor, get_app_context, make_cookie, require_visitor
from formwright.web.templating import PAGE_HEADERS, format_time, render_page
from formwright.web.views.account.account import PATH as ACCOUNT
from formwright.web.views.account.account import check_own_password
from formwright.web.views.account.sign_in import describe_wait

PATH = ACCOUNT + "/second-factor"
_CODES_COOKIE = "formwright_codes"
_CODES_SHOWN_S = 300
_WRONG_CODE = "Wrong code. Enter the code your app shows now, and check that your phone’s clock is correct."


@get(PATH)
async def two_factor_page(request: Request[Any, Any, Any]) -> Response[str]:
    """How it stands; recovery codes that were just made are shown once."""
    response = await _render(request, await require_visitor(request), codes=_read_new_codes(request))
    if _CODES_COOKIE in request.cookies:
        response.set_cookie(make_cookie(get_app_context(request).settings, _CODES_COOKIE, "", 0))
    return response


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, status: int = 200, **context: Any
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        state, secret = (
            await two_factor.get_status(tx, visitor.actor),
            await two_factor.find_pending_secret(tx, visitor.actor, ctx.secret_box),
        )
    given: dict[str, Any] = {"error": "", "codes": None, "off": request.query_params.get("off") == "1"} | context
    return render_page(
        request,
        "account/second_factor.html",
        status,
        place="Settings",
        here=PATH,
        secret=" ".join(secret[i : i + 4] for i in range(0, len(secret), 4)) if secret else "",
        since=format_time(state.enabled_at, visitor.customer.time_zone) if state.enabled_at else None,
        left=state.recovery_codes,
        **given,
        **visitor.template_frame,
    )


@get(PATH + "/qr.svg")
async def qr_code(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The secret that waits to be confirmed, for the phone's camera."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        secret = await two_factor.find_pending_secret(tx, visitor.actor, ctx.secret_box) or crypto.new_totp_secret()
    uri = crypto.totp_uri(secret, issuer=f"Formwright {visitor.customer.name}"[:60], account=visitor.user.email)
    svg = io.BytesIO()
    segno.make_qr(uri, error="m").save(svg, kind="svg", scale=5, border=4, dark="#000", light="#fff", xmldecl=False)
    return Response(svg.getvalue(), media_type="image/svg+xml", headers=PAGE_HEADERS)


@post(PATH, status_code=303)
async def begin_two_factor(request: Request[Any, Any, Any]) -> Redirect:
    """Make a secret for the phone."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.start_setup(tx, visitor.actor, ctx.secret_box)
    except Conflict:
        pass  # It is on: the page says so.
    return Redirect(PATH, status_code=303)


@post(PATH + "/confirm", status_code=303)
async def confirm_two_factor(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch it on, by the first code."""
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
    """Other recovery codes, for who knows the password."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    if wrong := await check_own_password(request, visitor, str((await request.form()).get("password", ""))):
        return await _render(request, visitor, 422, error=wrong)
    try:
        async with ctx.db.writing() as tx:
            return _redirect_with_codes(request, await two_factor.renew_recovery_codes(tx, visitor.actor))
    except Conflict:
        return Redirect(PATH, status_code=303)


def _redirect_with_codes(request: Request[Any, Any, Any], codes: list[str]) -> Redirect:
    # They travel sealed to the page that shows them, and are stored nowhere: a reload makes no others.
    ctx = get_app_context(request)
    sealed = ctx.secret_box.close(msgspec.json.encode(codes).decode())
    return Redirect(PATH, status_code=303, cookies=[make_cookie(ctx.settings, _CODES_COOKIE, sealed, _CODES_SHOWN_S)])


def _read_new_codes(request: Request[Any, Any, Any]) -> list[str] | None:
    try:
        return msgspec.json.decode(
            get_app_context(request).secret_box.open(request.cookies.get(_CODES_COOKIE, "")), type=list[str]
        )
    except (InvalidToken, msgspec.DecodeError):
        return None


@post(PATH + "/off", status_code=303)
async def switch_off_two_factor(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch it off, for who knows the password."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    if wrong := await check_own_password(request, visitor, str((await request.form()).get("password", ""))):
        return await _render(request, visitor, 422, error=wrong, off=True)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.disable(tx, visitor.actor)
            await emails.send_change_notice(tx, ctx.secret_box, visitor.user, "off")
    except Conflict:
        pass
    return Redirect(PATH, status_code=303)


HANDLERS = [two_factor_page, qr_code, begin_two_factor, confirm_two_factor, renew_codes, switch_off_two_factor]
