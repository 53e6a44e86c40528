"""Setting a password with a link from an invitation, or from a request to reset it."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import structlog

from formwright.core.auth import actor as actors
from formwright.core.errors import DomainError
from formwright.domain.customers import service as customers
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, password_links, throttling
from formwright.domain.users.auth.models import LinkExpired, LinkKind, PasswordLink, TooManyAttempts
from formwright.domain.users.auth.profile import MAX_NAME_LENGTH
from formwright.domain.users.models import normalise_email
from formwright.domain.users.password_hashing import MAX_LENGTH, MIN_LENGTH
from formwright.web.http import BackgroundTask, Response, get, post
from formwright.web.login_flow import continue_sign_in
from formwright.web.page import PublicPage
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
async def forgot_password_page(page: PublicPage) -> Response:
    """The page that requests a link to set a new password."""
    return page.render("account/forgot_password.html", ForgotPasswordPage(page.query.get("email", "")))


@post("/forgot-password")
async def request_password_link(page: PublicPage) -> Response:
    """Request a link. The response doesn't tell whether the account exists: the link is sent after it."""
    email = str((await page.form()).get("email", ""))[:254].strip()
    try:
        async with page.writing() as tx:
            await throttling.count_attempt(tx, throttling.reset_request_buckets(client_address()))
    except TooManyAttempts as error:
        view_model = ForgotPasswordPage(email, error=describe_wait(error))
        response = page.render("account/forgot_password.html", view_model, status=429)
        response.headers["retry-after"] = str(error.wait_s)
        return response
    response = page.render("account/forgot_password.html", ForgotPasswordPage(email, is_requested=True))
    response.background = BackgroundTask(_send_password_link, page, email)
    return response


async def _send_password_link(page: PublicPage, email: str) -> None:
    try:
        async with page.writing() as tx:
            # In a transaction of its own: sending may fail, and the attempt still counts.
            await throttling.count_attempt(tx, throttling.reset_email_buckets(normalise_email(email)))
        async with page.writing() as tx:
            await emails.send_reset_links(tx, page.ctx.secret_box, email, lambda known: _trusted_origin(page, known))
    except TooManyAttempts:
        pass
    except DomainError as error:
        log.warning("a link to set a password is not sent", detail=str(error))


def _trusted_origin(page: PublicPage, known_origin: str) -> str:
    """Return the origin of links in an email, which must not come from the request: strangers can send any host.

    It is the operator's base URL, else the origin of the person's last session, else this machine. Empty if unknown.
    """
    request_origin = page.origin
    if page.ctx.settings.base_url or known_origin == request_origin or _is_local(request_origin):
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
async def set_password_page(page: PublicPage, token: str) -> Response:
    """The page behind a link. Opening it, as mail scanners do, doesn't use up the link."""
    try:
        link = await _load_link(page, token)
    except LinkExpired:
        return _render_link_ended(page)
    return await _render_form(page, link, token, {}, name=link.user.name)


async def _load_link(page: PublicPage, token: str) -> PasswordLink:
    return await password_links.find(page.tx, token, page.ctx.clock.now())


async def _render_form(page: PublicPage, link: PasswordLink, token: str, faults: dict[str, str], name: str) -> Response:
    account_name = (await customers.get(page.tx, actors.system(link.user.customer_id))).name
    view_model = SetPasswordPage(
        token=token,
        is_invitation=link.kind is LinkKind.INVITATION,
        account_name=account_name,
        email=link.user.email,
        name=name,
        faults=faults,
        min_length=MIN_LENGTH,
    )
    return page.render("account/set_password.html", view_model, status=422 if faults else 200)


def _render_link_ended(page: PublicPage) -> Response:
    return render_ended_link(page, _LINK_EXPIRED)


@post("/set-password/{token:str}")
async def set_password(page: PublicPage, token: str) -> Response:
    """Set the password, and sign in."""
    form = await page.form()
    name, password, again = (str(form.get(field, "")) for field in ("name", "password", "again"))
    try:
        link = await _load_link(page, token)
        is_invitation = link.kind is LinkKind.INVITATION
        faults = password_faults(password, again, link.user.email)
        if is_invitation and not 1 <= len(name.strip()) <= MAX_NAME_LENGTH:
            faults["name"] = f"Enter your name (up to {MAX_NAME_LENGTH} characters)."
        if faults:
            return await _render_form(page, link, token, faults, name[:1000])
        other_hashes = await people.list_password_hashes(page.tx, link.user.email, except_user_id=link.user.id)
        password_hash = await page.ctx.passwords.hash(password, other_hashes)
        async with page.writing() as tx:
            sign_in = await password_links.use(
                tx, token, password_hash=password_hash, name=name.strip() if is_invitation else None
            )
            if not is_invitation:
                user = await people.get(tx, actors.system(sign_in.customer_id), user_id=sign_in.user_id)
                await emails.send_change_notice(tx, page.ctx.secret_box, user, "password")
    except LinkExpired:
        return _render_link_ended(page)
    return await continue_sign_in(page, [sign_in], "")


def password_faults(password: str, again: str, email: str) -> dict[str, str]:
    """Return the errors of a new password, by field."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        return {"password": f"Enter a password of {MIN_LENGTH} to {MAX_LENGTH} characters."}
    if password.strip().lower() == email:
        return {"password": "Your password can’t be your email address."}
    return {} if password == again else {"again": "The passwords don’t match. Enter the same password again."}
