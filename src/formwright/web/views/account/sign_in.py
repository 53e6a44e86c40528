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
from formwright.domain.users.models import PasswordCredentials, normalise_email
from formwright.domain.users.password_hashing import MAX_LENGTH, extract_salt
from formwright.web.login_flow import continue_sign_in, known_device
from formwright.web.session import cookie_name, get_app_context, session_cookie
from formwright.web.templating import render_page

_WRONG_CREDENTIALS = "Wrong email address or password. Try again."
_MAX_EMAIL = 254


@get("/")
async def redirect_home() -> Redirect:
    """The first place."""
    return Redirect("/forms", status_code=303)


@get("/sign-in")
async def sign_in_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The form to sign in with."""
    asked = request.query_params
    notices = {name: asked.get(name) == "1" for name in ("unsaved", "expired")}
    return render_page(request, "account/sign_in.html", error="", email="", next=asked.get("next", ""), **notices)


@post("/sign-in", status_code=303)
async def sign_in(request: Request[Any, Any, Any]) -> Response[Any]:
    """Take a password, and go on with whoever's it is."""
    form = await request.form()
    email, password = (str(form.get(name, ""))[:1000] for name in ("email", "password"))
    next_url = str(form.get("next", ""))
    try:
        matching, refused = await _match_password(request, email, password)
    except TooManyAttempts as error:
        return _render_again(request, 429, describe_wait(error), email, next_url, {"retry-after": str(error.wait_s)})
    if not matching:
        response = _render_again(request, 422, _WRONG_CREDENTIALS, email, next_url, {})
        # Behind the answer, so that it comes as quickly where nobody has this address.
        response.background = BackgroundTask(record_refused_sign_ins, get_app_context(request), refused)
        return response
    return await continue_sign_in(request, matching, next_url)


def _render_again(
    request: Request[Any, Any, Any], status: int, error: str, email: str, next_url: str, headers: dict[str, str]
) -> Response[str]:
    context = {"error": error, "email": email[:_MAX_EMAIL], "next": next_url, "unsaved": False, "expired": False}
    response = render_page(request, "account/sign_in.html", status, **context)
    response.headers.update(headers)
    return response


def describe_wait(error: TooManyAttempts) -> str:
    """How long to wait, in words."""
    minutes = -(-error.wait_s // 60)
    span = f"{error.wait_s} seconds" if error.wait_s < 90 else f"{minutes} minutes"
    return f"Too many attempts. Try again in {span}."


async def record_refused_sign_ins(ctx: AppContext, refused: list[PasswordCredentials]) -> None:
    """Note for the audit log of each account that somebody could not sign in to it."""
    if refused:
        async with ctx.db.writing() as tx:
            await sessions.audit_failed_sign_in(tx, refused)


async def _match_password(
    request: Request[Any, Any, Any], email: str, password: str
) -> tuple[list[PasswordCredentials], list[PasswordCredentials]]:
    """Whose address and password these are, and whose address only; a person may have them in several accounts."""
    ctx = get_app_context(request)
    if len(password) > MAX_LENGTH:
        return [], []
    buckets = _throttling_buckets(request, normalise_email(email))
    async with ctx.db.writing() as tx:
        await throttling.count_attempt(tx, buckets)
    async with ctx.db.reading() as tx:
        candidates = await people.find_credentials(tx, email)
    # The same work whether the address has no account, one or several, so that nobody learns which.
    matches = await ctx.passwords.verify_each(password, [sign_in.password_hash for sign_in in candidates])
    matching = [sign_in for sign_in, matched in zip(candidates, matches, strict=True) if matched]
    refused = [sign_in for sign_in in candidates if sign_in not in matching]
    if matching:
        async with ctx.db.writing() as tx:
            await throttling.record_success(tx, buckets)
        matching = [await _rehash_with_salt_of(ctx, candidates[0], sign_in, password) for sign_in in matching]
    return matching, refused


async def _rehash_with_salt_of(
    ctx: AppContext, first: PasswordCredentials, sign_in: PasswordCredentials, password: str
) -> PasswordCredentials:
    """The account with its password hashed again if its salt is not that of `first`: the next try is one computation.

    Salts differ if a password is older than this rule, or after the e-mail address of an account was changed.
    """
    if extract_salt(sign_in.password_hash) == extract_salt(first.password_hash):
        return sign_in
    shared = await ctx.passwords.hash(password, [first.password_hash])
    async with ctx.db.writing() as tx:
        await people.rehash(tx, sign_in, shared)
    # A step that is still to come, such as the second factor, compares the hash with the stored one.
    return replace(sign_in, password_hash=shared)


def _throttling_buckets(request: Request[Any, Any, Any], email: str) -> list[Bucket]:
    return throttling.sign_in_buckets(email, client_address(), known_device(request, email))


def client_address() -> str:
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


HANDLERS = [redirect_home, sign_in_page, sign_in, sign_out]
