"""From a password that was right to a session: which account, then the second factor where it is on.

What is known so far travels sealed in a cookie that lives ten minutes.
"""

import secrets
from typing import Any

import msgspec
from cryptography.fernet import InvalidToken
from litestar import Request
from litestar.datastructures import Cookie
from litestar.response import Redirect

from formwright.core.auth import actor as actors
from formwright.core.auth import request_context
from formwright.core.crypto import fingerprint
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions, two_factor
from formwright.domain.users.auth.models import ClientInfo
from formwright.domain.users.models import Credentials
from formwright.web.session import get_app_context, origin_of, own_cookie, safe_next, session_cookie

_COOKIE, _DEVICE = "formwright_entering", "formwright_device"
_WITHIN_S = 600
_YEAR_S = 365 * 24 * 3600


class PendingLogin(msgspec.Struct):
    """Somebody whose password was right: in these accounts, with what her password is kept as there."""

    ends: int
    accounts: dict[str, tuple[str, str]]
    """By customer: the user, and the fingerprint of her password's hash, so that another password ends this."""
    come_back: str


async def go_on(request: Request[Any, Any, Any], who: list[Credentials], come_back: str) -> Redirect:
    """What comes after the right password: a session, or what is still missing for it."""
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        asks = len(who) > 1 or await two_factor.is_enabled(tx, who[0].customer_id, who[0].user_id)
    if not asks:
        return await enter(request, who[0], come_back)
    accounts = {one.customer_id: (one.user_id, fingerprint(one.password_hash)) for one in who}
    left = PendingLogin(ctx.clock.now() + _WITHIN_S * 1000, accounts, come_back)
    return Redirect("/sign-in/second", status_code=303, cookies=[_cookie(request, left)])


def _cookie(request: Request[Any, Any, Any], entering: PendingLogin | None) -> Cookie:
    ctx = get_app_context(request)
    value = ctx.secret_box.close(msgspec.json.encode(entering).decode()) if entering else ""
    return own_cookie(ctx.settings, _COOKIE, value, _WITHIN_S if entering else 0)


async def entering(request: Request[Any, Any, Any]) -> PendingLogin | None:
    """Who is about to come in, with the accounts in which her password is still that one; None when nobody is."""
    ctx = get_app_context(request)
    try:
        found = msgspec.json.decode(ctx.secret_box.open(request.cookies.get(_COOKIE, "")), type=PendingLogin)
    except (InvalidToken, msgspec.DecodeError):
        return None
    if found.ends <= ctx.clock.now():
        return None
    async with ctx.db.reading() as tx:
        hashes = {
            customer_id: await people.get_credentials(tx, customer_id, user_id)
            for customer_id, (user_id, _) in found.accounts.items()
        }
    found.accounts = {
        customer_id: (user_id, print_)
        for customer_id, (user_id, print_) in found.accounts.items()
        if (hash_ := hashes[customer_id]) and fingerprint(hash_.password_hash) == print_
    }
    return found if found.accounts else None


async def choose(request: Request[Any, Any, Any], found: PendingLogin, customer_id: str) -> Redirect:
    """Go on with one of the accounts."""
    user_id, _ = found.accounts[customer_id]
    async with get_app_context(request).db.reading() as tx:
        who = await people.get_credentials(tx, customer_id, user_id)
    if who is None:
        return Redirect("/sign-in", status_code=303)
    return await go_on(request, [who], found.come_back)


async def enter(request: Request[Any, Any, Any], who: Credentials, come_back: str) -> Redirect:
    """Begin a session; from now on this browser is one that the person knows."""
    ctx = get_app_context(request)
    current = request_context.current()
    visit = ClientInfo(current.address if current else "", request.headers.get("user-agent", ""), origin_of(request))
    async with ctx.db.writing() as tx:
        token = await sessions.create(tx, who, visit)
        user = await people.get(tx, actors.system(who.customer_id), user_id=who.user_id)
    device = ctx.secret_box.close(f"{secrets.token_hex(8)} {user.email}")
    cookies = [
        session_cookie(ctx.settings, token),
        own_cookie(ctx.settings, _DEVICE, device, _YEAR_S),
        _cookie(request, None),
    ]
    return Redirect(safe_next(come_back), status_code=303, cookies=cookies)


def device_of(request: Request[Any, Any, Any], email: str) -> str:
    """The name of this browser, if the person with this address has signed in with it before."""
    try:
        device, _, known = get_app_context(request).secret_box.open(request.cookies.get(_DEVICE, "")).partition(" ")
    except InvalidToken:
        return ""
    return device if known == email else ""
