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
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.account.set_password import password_faults
from formwright.web.views.account.sign_in import too_many

HERE = "/settings/account"
_SAVED = {"profile", "password", "sessions"}
_WRONG = "Wrong password. Try again."
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
_NAMES = {"Mac OS X": "macOS", "CrOS": "ChromeOS"}


@get(HERE)
async def account_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Name, language, password, second factor, sessions."""
    return await _page(request, await visitor(request))


async def _page(
    request: Request[Any, Any, Any], who: Visitor, faults: dict[str, str] | None = None, **typed: str
) -> Response[str]:
    ctx, saved = get_app_context(request), request.query_params.get("saved", "")
    async with ctx.db.reading() as tx:
        found = await sessions.list_own(tx, who.actor, ctx.clock.now())
        factor = await two_factor.get_status(tx, who.actor)
    return page(
        request,
        "account/own.html",
        422 if faults else 200,
        place="Settings",
        languages=LANGUAGES,
        faults=faults or {},
        typed={"name": who.user.name, "language": who.user.language} | typed,
        sessions=[_shown(who, one) for one in found],
        since=moment(factor.enabled_at, who.customer.time_zone) if factor.enabled_at else None,
        codes=factor.recovery_codes,
        saved=saved if saved in _SAVED and not faults else "",
        **who.frame,
    )


def _shown(who: Visitor, session: Session) -> dict[str, Any]:
    zone = who.customer.time_zone
    return {
        "id": session.id,
        "device": device(session.agent),
        "address": session.address,
        "created": moment(session.created, zone),
        "seen": moment(session.seen, zone),
        "here": session.id == who.session.id,
    }


def device(agent: str) -> str:
    """What a browser calls itself, in words: `Firefox on Windows`."""
    system = next((one for one in _SYSTEMS if one in agent), "")
    browser = next((name for sign, name in _BROWSERS.items() if re.search(rf"\b{sign}/", agent)), "")
    if not browser:
        return f"App on {_NAMES.get(system, system)}" if system else "A program"
    return f"{browser} on {_NAMES.get(system, system)}" if system else browser


@post(HERE, status_code=303)
async def change_profile(request: Request[Any, Any, Any]) -> Response[Any]:
    """Name and language."""
    who, form = await visitor(request), await request.form()
    name, language = (str(form.get(field, ""))[:1000] for field in ("name", "language"))
    if language not in LANGUAGES:
        language = who.user.language
    try:
        async with get_app_context(request).db.writing() as tx:
            await profile.update(tx, who.actor, name=name, language=language)
    except Invalid as error:
        return await _page(request, who, {"name": error.faults[0].detail}, name=name, language=language)
    return Redirect(f"{HERE}?saved=profile", status_code=303)


@post(HERE + "/password", status_code=303)
async def change_password(request: Request[Any, Any, Any]) -> Response[Any]:
    """Another password; all other sessions end."""
    who, ctx, form = await visitor(request), get_app_context(request), await request.form()
    password, again = (str(form.get(field, "")) for field in ("password", "again"))
    faults = password_faults(password, again, who.user.email)
    if not faults and (wrong := await wrong_password(request, who, str(form.get("current", "")))):
        faults = {"current": wrong}
    if faults:
        return await _page(request, who, faults)
    async with ctx.db.reading() as tx:
        beside = await people.list_password_hashes(tx, who.user.email, except_user_id=who.user.id)
    password_hash = await ctx.passwords.hash(password, beside)
    async with ctx.db.writing() as tx:
        await profile.set_password(tx, who.actor, password_hash=password_hash, session_id=who.session.id)
        await emails.send_change_notice(tx, ctx.secret_box, who.user, "password")
    return Redirect(f"{HERE}?saved=password", status_code=303)


async def wrong_password(request: Request[Any, Any, Any], who: Visitor, typed: str) -> str:
    """Why the password that is asked for again does not do; empty when it is the visitor's."""
    ctx, buckets = get_app_context(request), throttling.password_check_buckets(who.user.id)
    try:
        async with ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
            kept = await profile.get_password_hash(tx, who.actor)
    except TooManyAttempts as error:
        return too_many(error)
    if not await ctx.passwords.verify(typed[:1000], kept):
        return _WRONG
    async with ctx.db.writing() as tx:
        await throttling.record_success(tx, buckets)
    return ""


@post(HERE + "/sessions/{session_id:str}/end", status_code=303)
async def end_session(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Redirect:
    """Sign out somewhere; in this browser too, if it is this one."""
    who = await visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await sessions.sign_out_session(tx, who.actor, session_id=session_id)
    except NotFound:
        pass  # It ended by itself: that is what was wanted.
    return Redirect(f"{HERE}?saved=sessions", status_code=303)


@post(HERE + "/sessions/end-others", status_code=303)
async def end_others(request: Request[Any, Any, Any]) -> Redirect:
    """Sign out everywhere but here."""
    who = await visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await sessions.sign_out_others(tx, who.actor, session_id=who.session.id)
    return Redirect(f"{HERE}?saved=sessions", status_code=303)


HANDLERS = [account_page, change_profile, change_password, end_session, end_others]
