"""Setting a password with a link from an invitation, or from a request to reset it."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import structlog
from litestar import Request, get, post
from litestar.background_tasks import BackgroundTask
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.auth import actor as actors
from formwright.core.errors import DomainError
from formwright.domain.customers import service as customers
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, password_links, throttling
from formwright.domain.users.auth.models import LinkExpired, LinkKind, PasswordLink, TooManyAttempts
from formwright.domain.users.auth.profile import MAX_NAME_LENGTH
from formwright.domain.users.models import normalise_email
from formwright.domain.users.password_hashing import MAX_LENGTH, MIN_LENGTH
from formwright.web.login_flow import continue_sign_in
from formwright.web.session import get_app_context, public_origin
from formwright.web.templating import render_view
from formwright.web.views.account.ended_link import EndedLinkPage, render_ended_link
from formwright.web.views.account.sign_in import client_address, describe_wait

log = structlog.get_logger()

_LINK_EXPIRED = EndedLinkPage(
    "This link has expired",
    "Links to set a password work once and for a limited time. Requesting a new link replaces earlier ones.",
    action=("/forgot-password", "Get a new link"),
)


@dataclass(frozen=True, slots=True)
class ForgotPasswordPage:
    """The view model of the page that requests a link. With `is_requested`, it says that a link was sent."""

    email: str
    error: str = ""
    is_requested: bool = False


@dataclass(frozen=True, slots=True)
class SetPasswordPage:
    """The view model of the page behind a link."""

    token: str
    is_invitation: bool
    account_name: str
    email: str
    name: str
    faults: Mapping[str, str]
    min_length: int


@get("/forgot-password")
async def forgot_password_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The page that requests a link to set a new password."""
    return render_view(
        request, "account/forgot_password.html", ForgotPasswordPage(request.query_params.get("email", ""))
    )


@post("/forgot-password", status_code=200)
async def request_password_link(request: Request[Any, Any, Any]) -> Response[str]:
    """Request a link. The response doesn't tell whether the account exists: the link is sent after it."""
    email = str((await request.form()).get("email", ""))[:254].strip()
    try:
        async with get_app_context(request).db.writing() as tx:
            await throttling.count_attempt(tx, throttling.reset_request_buckets(client_address()))
    except TooManyAttempts as error:
        view_model = ForgotPasswordPage(email, error=describe_wait(error))
        response = render_view(request, "account/forgot_password.html", view_model, status=429)
        response.headers["retry-after"] = str(error.wait_s)
        return response
    response = render_view(request, "account/forgot_password.html", ForgotPasswordPage(email, is_requested=True))
    response.background = BackgroundTask(_send_password_link, request, email)
    return response


async def _send_password_link(request: Request[Any, Any, Any], email: str) -> None:
    ctx = get_app_context(request)
    try:
        async with ctx.db.writing() as tx:
            await throttling.count_attempt(tx, throttling.reset_email_buckets(normalise_email(email)))
        async with ctx.db.writing() as tx:
            await emails.send_reset_links(tx, ctx.secret_box, email, lambda known: _trusted_origin(request, known))
    except TooManyAttempts:
        pass
    except DomainError as error:
        log.warning("a link to set a password is not sent", detail=str(error))


def _trusted_origin(request: Request[Any, Any, Any], known_origin: str) -> str:
    """Return the origin of links in an email, which must not come from the request: strangers can send any host.

    It is the operator's base URL, else the origin of the person's last session, else this machine. Empty if unknown.
    """
    request_origin = public_origin(request)
    if get_app_context(request).settings.base_url or known_origin == request_origin or _is_local(request_origin):
        return request_origin
    if not known_origin:
        log.warning("a link to set a password is not sent: set FORMWRIGHT_BASE_URL")
    return known_origin


def _is_local(origin: str) -> bool:
    host = urlsplit(origin).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@get("/set-password/{token:str}")
async def set_password_page(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[str]:
    """The page behind a link. Opening it, as mail scanners do, doesn't use up the link."""
    try:
        link = await _load_link(request, token)
    except LinkExpired:
        return _render_link_ended(request)
    return await _render_form(request, link, token, {}, name=link.user.name)


async def _load_link(request: Request[Any, Any, Any], token: str) -> PasswordLink:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        return await password_links.find(tx, token, ctx.clock.now())


async def _render_form(
    request: Request[Any, Any, Any], link: PasswordLink, token: str, faults: dict[str, str], name: str
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        account_name = (await customers.get(tx, actors.system(link.user.customer_id))).name
    view_model = SetPasswordPage(
        token=token,
        is_invitation=link.kind is LinkKind.INVITATION,
        account_name=account_name,
        email=link.user.email,
        name=name,
        faults=faults,
        min_length=MIN_LENGTH,
    )
    return render_view(request, "account/set_password.html", view_model, status=422 if faults else 200)


def _render_link_ended(request: Request[Any, Any, Any]) -> Response[str]:
    return render_ended_link(request, _LINK_EXPIRED)


@post("/set-password/{token:str}", status_code=303)
async def set_password(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Set the password, and sign in."""
    ctx, form = get_app_context(request), await request.form()
    name, password, again = (str(form.get(field, "")) for field in ("name", "password", "again"))
    try:
        link = await _load_link(request, token)
        is_invitation = link.kind is LinkKind.INVITATION
        faults = password_faults(password, again, link.user.email)
        if is_invitation and not 1 <= len(name.strip()) <= MAX_NAME_LENGTH:
            faults["name"] = f"Enter your name (up to {MAX_NAME_LENGTH} characters)."
        if faults:
            return await _render_form(request, link, token, faults, name[:1000])
        async with ctx.db.reading() as tx:
            other_hashes = await people.list_password_hashes(tx, link.user.email, except_user_id=link.user.id)
        password_hash = await ctx.passwords.hash(password, other_hashes)
        async with ctx.db.writing() as tx:
            sign_in = await password_links.use(
                tx, token, password_hash=password_hash, name=name.strip() if is_invitation else None
            )
            if not is_invitation:
                user = await people.get(tx, actors.system(sign_in.customer_id), user_id=sign_in.user_id)
                await emails.send_change_notice(tx, ctx.secret_box, user, "password")
    except LinkExpired:
        return _render_link_ended(request)
    return await continue_sign_in(request, [sign_in], "")


def password_faults(password: str, again: str, email: str) -> dict[str, str]:
    """Return the errors of a new password, by field."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        return {"password": f"Enter a password of {MIN_LENGTH} to {MAX_LENGTH} characters."}
    if password.strip().lower() == email:
        return {"password": "Your password can’t be your email address."}
    return {} if password == again else {"again": "The passwords don’t match. Enter the same password again."}


HANDLERS = [forgot_password_page, request_password_link, set_password_page, set_password]
