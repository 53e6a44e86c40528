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
from formwright.web.session import Visitor, get_app_context, own_cookie, visitor
from formwright.web.templating import HEADERS, moment, page
from formwright.web.views.account.account import HERE as ACCOUNT
from formwright.web.views.account.account import wrong_password
from formwright.web.views.account.sign_in import too_many

HERE = ACCOUNT + "/second-factor"
_CODES = "formwright_codes"
_SHOWN_WITHIN_S = 300
_WRONG = "Wrong code. Enter the code your app shows now, and check that your phone’s clock is correct."


@get(HERE)
async def factor_page(request: Request[Any, Any, Any]) -> Response[str]:
    """How it stands; recovery codes that were just made are shown once."""
    answer = await _page(request, await visitor(request), codes=_new_codes(request))
    if _CODES in request.cookies:
        answer.set_cookie(own_cookie(get_app_context(request).settings, _CODES, "", 0))
    return answer


async def _page(request: Request[Any, Any, Any], who: Visitor, status: int = 200, **context: Any) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        state, secret = (
            await two_factor.get_status(tx, who.actor),
            await two_factor.find_pending_secret(tx, who.actor, ctx.secret_box),
        )
    given: dict[str, Any] = {"error": "", "codes": None, "off": request.query_params.get("off") == "1"} | context
    return page(
        request,
        "account/second_factor.html",
        status,
        place="Settings",
        here=HERE,
        secret=" ".join(secret[i : i + 4] for i in range(0, len(secret), 4)) if secret else "",
        since=moment(state.enabled_at, who.customer.time_zone) if state.enabled_at else None,
        left=state.recovery_codes,
        **given,
        **who.frame,
    )


@get(HERE + "/qr.svg")
async def qr_code(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The secret that waits to be confirmed, for the phone's camera."""
    who, ctx = await visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        secret = await two_factor.find_pending_secret(tx, who.actor, ctx.secret_box) or crypto.new_totp_secret()
    address = crypto.totp_uri(secret, issuer=f"Formwright {who.customer.name}"[:60], account=who.user.email)
    drawn = io.BytesIO()
    segno.make_qr(address, error="m").save(
        drawn, kind="svg", scale=5, border=4, dark="#000", light="#fff", xmldecl=False
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=HEADERS)


@post(HERE, status_code=303)
async def begin(request: Request[Any, Any, Any]) -> Redirect:
    """Make a secret for the phone."""
    who, ctx = await visitor(request), get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.start_setup(tx, who.actor, ctx.secret_box)
    except Conflict:
        pass  # It is on: the page says so.
    return Redirect(HERE, status_code=303)


@post(HERE + "/confirm", status_code=303)
async def confirm(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch it on, by the first code."""
    who, ctx = await visitor(request), get_app_context(request)
    code, buckets = str((await request.form()).get("code", ""))[:100], throttling.code_buckets(who.user.id)
    try:
        async with ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
        async with ctx.db.writing() as tx:
            codes = await two_factor.confirm_setup(tx, who.actor, ctx.secret_box, code)
            if codes:
                await throttling.record_success(tx, buckets)
                await emails.send_change_notice(tx, ctx.secret_box, who.user, "on")
    except TooManyAttempts as error:
        return await _page(request, who, 429, error=too_many(error))
    except Conflict:
        return Redirect(HERE, status_code=303)
    return _show(request, codes) if codes else await _page(request, who, 422, error=_WRONG)


@post(HERE + "/codes", status_code=303)
async def renew(request: Request[Any, Any, Any]) -> Response[Any]:
    """Other recovery codes, for who knows the password."""
    who, ctx = await visitor(request), get_app_context(request)
    if wrong := await wrong_password(request, who, str((await request.form()).get("password", ""))):
        return await _page(request, who, 422, error=wrong)
    try:
        async with ctx.db.writing() as tx:
            return _show(request, await two_factor.renew_recovery_codes(tx, who.actor))
    except Conflict:
        return Redirect(HERE, status_code=303)


def _show(request: Request[Any, Any, Any], codes: list[str]) -> Redirect:
    # They travel sealed to the page that shows them, and are stored nowhere: a reload makes no others.
    ctx = get_app_context(request)
    sealed = ctx.secret_box.close(msgspec.json.encode(codes).decode())
    return Redirect(HERE, status_code=303, cookies=[own_cookie(ctx.settings, _CODES, sealed, _SHOWN_WITHIN_S)])


def _new_codes(request: Request[Any, Any, Any]) -> list[str] | None:
    try:
        return msgspec.json.decode(
            get_app_context(request).secret_box.open(request.cookies.get(_CODES, "")), type=list[str]
        )
    except (InvalidToken, msgspec.DecodeError):
        return None


@post(HERE + "/off", status_code=303)
async def switch_off(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch it off, for who knows the password."""
    who, ctx = await visitor(request), get_app_context(request)
    if wrong := await wrong_password(request, who, str((await request.form()).get("password", ""))):
        return await _page(request, who, 422, error=wrong, off=True)
    try:
        async with ctx.db.writing() as tx:
            await two_factor.disable(tx, who.actor)
            await emails.send_change_notice(tx, ctx.secret_box, who.user, "off")
    except Conflict:
        pass
    return Redirect(HERE, status_code=303)


HANDLERS = [factor_page, qr_code, begin, confirm, renew, switch_off]
