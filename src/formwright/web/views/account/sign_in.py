"""Signing in with a password, and out."""

from dataclasses import replace
from typing import Any

from litestar import Request, get, post
from litestar.background_tasks import BackgroundTask
from litestar.response import Redirect, Response

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions, throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.domain.users.auth.throttling import Bucket
from formwright.domain.users.models import Credentials, normalise_email
from formwright.domain.users.password_hashing import MAX_LENGTH, extract_salt
from formwright.web.login_flow import device_of, go_on
from formwright.web.session import cookie_name, get_app_context, session_cookie
from formwright.web.templating import page

_WRONG = "Wrong email address or password. Try again."
_LONGEST_ADDRESS = 254


@get("/")
async def start() -> Redirect:
    """The first place."""
    return Redirect("/forms", status_code=303)


@get("/sign-in")
async def sign_in_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The form to sign in with."""
    asked = request.query_params
    notices = {name: asked.get(name) == "1" for name in ("unsaved", "expired")}
    return page(request, "account/sign_in.html", error="", email="", next=asked.get("next", ""), **notices)


@post("/sign-in", status_code=303)
async def sign_in(request: Request[Any, Any, Any]) -> Response[Any]:
    """Take a password, and go on with whoever's it is."""
    form = await request.form()
    email, password = (str(form.get(name, ""))[:1000] for name in ("email", "password"))
    come_back = str(form.get("next", ""))
    try:
        fitting, refused = await _fitting(request, email, password)
    except TooManyAttempts as error:
        return _again(request, 429, too_many(error), email, come_back, {"retry-after": str(error.wait_s)})
    if not fitting:
        answer = _again(request, 422, _WRONG, email, come_back, {})
        # Behind the answer, so that it comes as quickly where nobody has this address.
        answer.background = BackgroundTask(tell_refused, get_app_context(request), refused)
        return answer
    return await go_on(request, fitting, come_back)


def _again(
    request: Request[Any, Any, Any], status: int, error: str, email: str, come_back: str, headers: dict[str, str]
) -> Response[str]:
    given = {"error": error, "email": email[:_LONGEST_ADDRESS], "next": come_back, "unsaved": False, "expired": False}
    answer = page(request, "account/sign_in.html", status, **given)
    answer.headers.update(headers)
    return answer


def too_many(error: TooManyAttempts) -> str:
    """How long to wait, in words."""
    minutes = -(-error.wait_s // 60)
    span = f"{error.wait_s} seconds" if error.wait_s < 90 else f"{minutes} minutes"
    return f"Too many attempts. Try again in {span}."


async def tell_refused(ctx: AppContext, refused: list[Credentials]) -> None:
    """Note for the audit log of each account that somebody could not sign in to it."""
    if refused:
        async with ctx.db.writing() as tx:
            await sessions.audit_failed_sign_in(tx, refused)


async def _fitting(
    request: Request[Any, Any, Any], email: str, password: str
) -> tuple[list[Credentials], list[Credentials]]:
    """Whose address and password these are, and whose address only; a person may have them in several accounts."""
    ctx = get_app_context(request)
    if len(password) > MAX_LENGTH:
        return [], []
    buckets = _buckets(request, normalise_email(email))
    async with ctx.db.writing() as tx:
        await throttling.count_attempt(tx, buckets)
    async with ctx.db.reading() as tx:
        candidates = await people.find_credentials(tx, email)
    # The same work whether the address has no account, one or several, so that nobody learns which.
    fits = await ctx.passwords.verify_each(password, [who.password_hash for who in candidates])
    fitting = [who for who, one in zip(candidates, fits, strict=True) if one]
    refused = [who for who in candidates if who not in fitting]
    if fitting:
        async with ctx.db.writing() as tx:
            await throttling.record_success(tx, buckets)
        fitting = [await _with_salt_of(ctx, candidates[0], who, password) for who in fitting]
    return fitting, refused


async def _with_salt_of(ctx: AppContext, first: Credentials, who: Credentials, password: str) -> Credentials:
    """The account with its password hashed again if its salt is not that of `first`: the next try is one computation.

    Salts differ if a password is older than this rule, or after the e-mail address of an account was changed.
    """
    if extract_salt(who.password_hash) == extract_salt(first.password_hash):
        return who
    shared = await ctx.passwords.hash(password, [first.password_hash])
    async with ctx.db.writing() as tx:
        await people.rehash(tx, who, shared)
    # A step that is still to come, such as the second factor, compares the hash with the stored one.
    return replace(who, password_hash=shared)


def _buckets(request: Request[Any, Any, Any], email: str) -> list[Bucket]:
    return throttling.sign_in_buckets(email, address_of(), device_of(request, email))


def address_of() -> str:
    """The network address from which this request came."""
    current = request_context.current()
    return current.address if current else ""


@post("/sign-out", status_code=303)
async def sign_out(request: Request[Any, Any, Any]) -> Redirect:
    """End the session."""
    ctx = get_app_context(request)
    async with ctx.db.writing() as tx:
        await sessions.sign_out(tx, request.cookies.get(cookie_name(ctx.settings), ""))
    return Redirect("/sign-in", status_code=303, cookies=[session_cookie(ctx.settings, "")])


HANDLERS = [start, sign_in_page, sign_in, sign_out]
