"""Settings, Account: what a person changes of herself, and where she is signed in."""

import re
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Invalid, NotFound
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, profile, sessions, throttling, two_factor
from formwright.domain.users.auth.models import Session, TooManyAttempts
from formwright.web.languages import LANGUAGES
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.account.set_password import password_faults
from formwright.web.views.account.sign_in import describe_wait

PATH = "/settings/account"
_SAVED_NOTICES = {"profile", "password", "sessions"}
_MISMATCH = "Wrong password. Try again."
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux")
# In this order, since most also call themselves by the names behind.
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEM_NAMES = {"Mac OS X": "macOS", "CrOS": "ChromeOS"}


@get(PATH)
async def account_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Name, language, password, second factor, sessions."""
    return await _render(request, await require_visitor(request))


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, faults: dict[str, str] | None = None, **typed: str
) -> Response[str]:
    ctx, saved = get_app_context(request), request.query_params.get("saved", "")
    async with ctx.db.reading() as tx:
        found = await sessions.list_own(tx, visitor.actor, ctx.clock.now())
        factor = await two_factor.get_status(tx, visitor.actor)
    return render_page(
        request,
        "account/own.html",
        422 if faults else 200,
        place="Settings",
        languages=LANGUAGES,
        faults=faults or {},
        typed={"name": visitor.user.name, "language": visitor.user.language} | typed,
        sessions=[_session_row(visitor, one) for one in found],
        since=format_time(factor.enabled_at, visitor.customer.time_zone) if factor.enabled_at else None,
        codes=factor.recovery_codes,
        saved=saved if saved in _SAVED_NOTICES and not faults else "",
        **visitor.template_frame,
    )


def _session_row(visitor: Visitor, session: Session) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    return {
        "id": session.id,
        "device": describe_device(session.agent),
        "address": session.address,
        "created": format_time(session.created, zone),
        "seen": format_time(session.seen, zone),
        "here": session.id == visitor.session.id,
    }


def describe_device(user_agent: str) -> str:
    """What a browser calls itself, in words: `Firefox on Windows`."""
    system = next((one for one in _SYSTEMS if one in user_agent), "")
    browser = next((name for sign, name in _BROWSERS.items() if re.search(rf"\b{sign}/", user_agent)), "")
    if not browser:
        return f"App on {_SYSTEM_NAMES.get(system, system)}" if system else "A program"
    return f"{browser} on {_SYSTEM_NAMES.get(system, system)}" if system else browser


@post(PATH, status_code=303)
async def change_profile(request: Request[Any, Any, Any]) -> Response[Any]:
    """Name and language."""
    visitor, form = await require_visitor(request), await request.form()
    name, language = (str(form.get(field, ""))[:1000] for field in ("name", "language"))
    if language not in LANGUAGES:
        language = visitor.user.language
    try:
        async with get_app_context(request).db.writing() as tx:
            await profile.update(tx, visitor.actor, name=name, language=language)
    except Invalid as error:
        return await _render(request, visitor, {"name": error.faults[0].detail}, name=name, language=language)
    return Redirect(f"{PATH}?saved=profile", status_code=303)


@post(PATH + "/password", status_code=303)
async def change_password(request: Request[Any, Any, Any]) -> Response[Any]:
    """Another password; all other sessions end."""
    visitor, ctx, form = await require_visitor(request), get_app_context(request), await request.form()
    password, again = (str(form.get(field, "")) for field in ("password", "again"))
    faults = password_faults(password, again, visitor.user.email)
    if not faults and (wrong := await check_own_password(request, visitor, str(form.get("current", "")))):
        faults = {"current": wrong}
    if faults:
        return await _render(request, visitor, faults)
    async with ctx.db.reading() as tx:
        beside = await people.list_password_hashes(tx, visitor.user.email, except_user_id=visitor.user.id)
    password_hash = await ctx.passwords.hash(password, beside)
    async with ctx.db.writing() as tx:
        await profile.set_password(tx, visitor.actor, password_hash=password_hash, session_id=visitor.session.id)
        await emails.send_change_notice(tx, ctx.secret_box, visitor.user, "password")
    return Redirect(f"{PATH}?saved=password", status_code=303)


async def check_own_password(request: Request[Any, Any, Any], visitor: Visitor, password: str) -> str:
    """Why the password that is asked for again does not do; empty when it is the visitor's."""
    ctx, buckets = get_app_context(request), throttling.password_check_buckets(visitor.user.id)
    try:
        async with ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
            password_hash = await profile.get_password_hash(tx, visitor.actor)
    except TooManyAttempts as error:
        return describe_wait(error)
    if not await ctx.passwords.verify(password[:1000], password_hash):
        return _MISMATCH
    async with ctx.db.writing() as tx:
        await throttling.record_success(tx, buckets)
    return ""


@post(PATH + "/sessions/{session_id:str}/end", status_code=303)
async def end_session(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Redirect:
    """Sign out somewhere; in this browser too, if it is this one."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await sessions.sign_out_session(tx, visitor.actor, session_id=session_id)
    except NotFound:
        pass  # It ended by itself: that is what was wanted.
    return Redirect(f"{PATH}?saved=sessions", status_code=303)


@post(PATH + "/sessions/end-others", status_code=303)
async def end_others(request: Request[Any, Any, Any]) -> Redirect:
    """Sign out everywhere but here."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await sessions.sign_out_others(tx, visitor.actor, session_id=visitor.session.id)
    return Redirect(f"{PATH}?saved=sessions", status_code=303)


HANDLERS = [account_page, change_profile, change_password, end_session, end_others]
