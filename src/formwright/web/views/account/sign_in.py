"""Signing in with a password, and signing out."""

from dataclasses import dataclass, replace

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions, throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.domain.users.auth.throttling import Bucket
from formwright.domain.users.models import PasswordCredentials, normalise_email
from formwright.domain.users.password_hashing import MAX_LENGTH, extract_salt
from formwright.web.http import BackgroundTask, Redirect, Response, get, post
from formwright.web.login_flow import continue_sign_in, known_device
from formwright.web.oidc_flow import sign_out_url, start_path
from formwright.web.page import PublicPage
from formwright.web.session import HOME, cookie_name, session_cookie

_WRONG_CREDENTIALS = "Wrong email address or password. Try again."
_MAX_EMAIL = 254


@dataclass(frozen=True, slots=True)
class SignInPage:
    """The view model of the page. `is_unsaved` and `is_expired` say why the session ended."""

    next_url: str
    email: str = ""
    error: str = ""
    is_unsaved: bool = False
    is_expired: bool = False
    provider_name: str = ""
    """The identity provider of the installation."""
    provider_url: str = ""


@get("/")
async def redirect_home(page: PublicPage) -> Redirect:
    """Redirect to the start page."""
    return Redirect(HOME)


@get("/sign-in")
async def sign_in_page(page: PublicPage) -> Response:
    """The sign-in page."""
    query = page.query
    view_model = SignInPage(
        query.get("next", ""), is_unsaved=query.get("unsaved") == "1", is_expired=query.get("expired") == "1"
    )
    return _render(page, view_model)


def _render(page: PublicPage, view_model: SignInPage, status: int = 200) -> Response:
    if provider := page.ctx.installation_provider:
        url = start_path(provider.id, view_model.next_url)
        view_model = replace(view_model, provider_name=provider.name, provider_url=url)
    return page.render("account/sign_in.html", view_model, status=status)


@post("/sign-in")
async def sign_in(page: PublicPage) -> Response:
    """Sign in with a password. The choice of an account and the code of the second factor may come next."""
    form = await page.form()
    email, password = (str(form.get(name, ""))[:1000] for name in ("email", "password"))
    next_url = str(form.get("next", ""))
    try:
        matching, refused = await _match_password(page, email, password)
    except TooManyAttempts as error:
        return _render_again(page, 429, describe_wait(error), email, next_url, {"retry-after": str(error.wait_s)})
    if not matching:
        response = _render_again(page, 422, _WRONG_CREDENTIALS, email, next_url, {})
        # After the response, so that its time doesn't tell whether an account exists.
        response.background = BackgroundTask(record_refused_sign_ins, page.ctx, refused)
        return response
    return await continue_sign_in(page, matching, next_url)


def _render_again(
    page: PublicPage, status: int, error: str, email: str, next_url: str, headers: dict[str, str]
) -> Response:
    view_model = SignInPage(next_url, email[:_MAX_EMAIL], error)
    response = _render(page, view_model, status)
    response.headers.update(headers)
    return response


def describe_wait(error: TooManyAttempts) -> str:
    """Return how long to wait, for people."""
    minutes = -(-error.wait_s // 60)
    span = f"{error.wait_s} seconds" if error.wait_s < 90 else f"{minutes} minutes"
    return f"Too many attempts. Try again in {span}."


async def record_refused_sign_ins(ctx: AppContext, refused: list[PasswordCredentials]) -> None:
    """Write failed sign-ins to the audit logs of their accounts."""
    if refused:
        async with ctx.db.writing() as tx:
            await sessions.audit_failed_sign_in(tx, refused)


async def _match_password(
    page: PublicPage, email: str, password: str
) -> tuple[list[PasswordCredentials], list[PasswordCredentials]]:
    """Return the credentials that match the password, and those that only match the email address.

    A person may have several accounts with the same email address.
    """
    if len(password) > MAX_LENGTH:
        return [], []
    buckets = _throttling_buckets(page, normalise_email(email))
    async with page.writing() as tx:
        # Committed before the slow hash: parallel attempts are counted, and no transaction waits for the hash.
        await throttling.count_attempt(tx, buckets)
    candidates = await people.find_credentials(page.tx, email)
    # The work doesn't depend on the number of accounts, so that its time doesn't tell whether one exists.
    matches = await page.ctx.passwords.verify_each(password, [sign_in.password_hash for sign_in in candidates])
    matching = [sign_in for sign_in, matched in zip(candidates, matches, strict=True) if matched]
    refused = [sign_in for sign_in in candidates if sign_in not in matching]
    if matching:
        async with page.writing() as tx:
            await throttling.record_success(tx, buckets)
        matching = [await _rehash_with_salt_of(page.ctx, candidates[0], sign_in, password) for sign_in in matching]
    return matching, refused


async def _rehash_with_salt_of(
    ctx: AppContext, first: PasswordCredentials, sign_in: PasswordCredentials, password: str
) -> PasswordCredentials:
    """Hash the password again if its salt differs from that of `first`. Equal salts need only one computation.

    Salts differ if a password is older than this rule, or after the email address of an account was changed.
    """
    if extract_salt(sign_in.password_hash) == extract_salt(first.password_hash):
        return sign_in
    shared = await ctx.passwords.hash(password, [first.password_hash])
    async with ctx.db.writing() as tx:
        await people.rehash(tx, sign_in, shared)
    # Later steps, such as the second factor, compare this hash with the stored one.
    return replace(sign_in, password_hash=shared)


def _throttling_buckets(page: PublicPage, email: str) -> list[Bucket]:
    return throttling.sign_in_buckets(email, client_address(), known_device(page, email))


def client_address() -> str:
    """Return the IP address of the client."""
    current = request_context.current_caller.get()
    return current.address if current else ""


@dataclass(frozen=True, slots=True)
class SignedOutPage:
    """Where people go on to sign out at their identity provider."""

    url: str


@post("/sign-out")
async def sign_out(page: PublicPage) -> Response:
    """End the session, and lead on to the identity provider if people are to sign out there, too."""
    async with page.writing() as tx:
        ended = await sessions.sign_out(tx, page.cookies.get(cookie_name(page.ctx.settings), ""))
    if url := await sign_out_url(page, ended):
        # A page and not a redirect, because a form may only lead to our own pages (form-action).
        response = page.render("account/signed_out.html", SignedOutPage(url))
        response.set_cookie(session_cookie(page.ctx.settings, ""))
        return response
    return Redirect("/sign-in", cookies=[session_cookie(page.ctx.settings, "")])
