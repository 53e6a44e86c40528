"""Settings, Account: the user's own profile, password, two-factor authentication and sessions."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.errors import Invalid, NotFound
from formwright.domain.identity_providers import identities
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, profile, sessions, throttling, two_factor
from formwright.domain.users.auth.models import Session, TooManyAttempts
from formwright.web.http import Redirect, Response, get, post
from formwright.web.languages import LANGUAGES
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_optional_time, format_time
from formwright.web.views.account.set_password import password_faults
from formwright.web.views.account.sign_in import describe_wait

PATH = "/settings/account"
_NOTICES = {
    "profile": "Profile saved.",
    "password": "Password changed. You’ve been signed out on all other devices.",
    "sessions": "Device signed out.",
    "linked": "Single sign-on linked.",
    "unlinked": "Single sign-on unlinked.",
}
_MISMATCH = "Wrong password. Try again."
# The order matters: user agents of iPhones contain "Mac OS X", and those of Android devices "Linux".
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Mac OS X", "CrOS", "Linux")
# The order matters: most user agents also contain the names of later ones.
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


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session; `is_current` is the one of this browser."""

    id: str
    device: str
    address: str
    created: DisplayTime
    seen: DisplayTime
    is_current: bool


@dataclass(frozen=True, slots=True)
class IdentityRow:
    """An identity provider of the account; `since` is None if the visitor is not linked to it."""

    provider_id: str
    name: str
    since: DisplayTime | None


@dataclass(frozen=True, slots=True)
class AccountPage:
    """The view model of the page. `two_factor_since` is None if two-factor authentication is off."""

    name: str
    language: str
    languages: Mapping[str, str]
    faults: Mapping[str, str]
    notice: str
    two_factor_since: DisplayTime | None
    recovery_codes: int
    sessions: Sequence[SessionRow]
    identities: Sequence[IdentityRow]
    has_password: bool


@get(PATH)
async def account_page(page: Page) -> Response:
    """The own profile, password, two-factor authentication and sessions."""
    return await render_account(page)


async def render_account(
    page: Page,
    faults: Mapping[str, str] | None = None,
    *,
    name: str | None = None,
    language: str | None = None,
) -> Response:
    """Render the page; with `faults`, errors of its forms by field."""
    own_sessions = await sessions.list_own(page.tx, page.actor, page.ctx.clock.now())
    two_factor_status = await two_factor.get_status(page.tx, page.actor)
    own_identities = await identities.list_own(page.tx, page.actor, page.ctx.installation_provider)
    has_password = await profile.get_password_hash(page.tx, page.actor) is not None
    zone = page.visitor.customer.time_zone
    view_model = AccountPage(
        name=page.visitor.user.name if name is None else name,
        language=language or page.visitor.user.language,
        languages=LANGUAGES,
        faults=faults or {},
        notice="" if faults else _NOTICES.get(page.query.get("saved", ""), ""),
        two_factor_since=format_optional_time(two_factor_status.enabled_at, zone),
        recovery_codes=two_factor_status.recovery_codes,
        sessions=[_session_row(page.visitor, session) for session in own_sessions],
        identities=[
            IdentityRow(provider.id, provider.name, format_optional_time(link.created if link else None, zone))
            for provider, link in own_identities
        ],
        has_password=has_password,
    )
    status = 422 if faults else 200
    return page.render("account/account.html", view_model, section="Settings", status=status)


def _session_row(visitor: Visitor, session: Session) -> SessionRow:
    zone = visitor.customer.time_zone
    return SessionRow(
        id=session.id,
        device=describe_device(session.agent),
        address=session.address,
        created=format_time(session.created, zone),
        seen=format_time(session.seen, zone),
        is_current=session.id == visitor.session.id,
    )


def describe_device(user_agent: str) -> str:
    """Return the browser and the system of a user agent, such as “Firefox on Windows”."""
    system = next((name for name in _SYSTEMS if name in user_agent), "")
    browser = next((name for token, name in _BROWSERS.items() if re.search(rf"\b{token}/", user_agent)), "")
    if not browser:
        return f"App on {_SYSTEM_NAMES.get(system, system)}" if system else "A program"
    return f"{browser} on {_SYSTEM_NAMES.get(system, system)}" if system else browser


@post(PATH)
async def change_profile(page: Page) -> Response:
    """Change the name and the language."""
    form = await page.form()
    name, language = (str(form.get(field, ""))[:1000] for field in ("name", "language"))
    if language not in LANGUAGES:
        language = page.visitor.user.language
    try:
        async with page.writing() as tx:
            await profile.update(tx, page.actor, name=name, language=language)
    except Invalid as error:
        return await render_account(page, {"name": error.faults[0].detail}, name=name, language=language)
    return Redirect(f"{PATH}?saved=profile")


@post(PATH + "/password")
async def change_password(page: Page) -> Response:
    """Change the password, and sign out all other sessions."""
    form = await page.form()
    password, again = (str(form.get(field, "")) for field in ("password", "again"))
    faults = password_faults(password, again, page.visitor.user.email)
    if not faults and (fault := await check_own_password(page, str(form.get("current", "")))):
        faults = {"current": fault}
    if faults:
        return await render_account(page, faults)
    other_hashes = await people.list_password_hashes(
        page.tx, page.visitor.user.email, except_user_id=page.visitor.user.id
    )
    # With the salt of the person's other accounts, signing in computes one hash for all of them.
    password_hash = await page.ctx.passwords.hash(password, other_hashes)
    async with page.writing() as tx:
        await profile.set_password(tx, page.actor, password_hash=password_hash, session_id=page.visitor.session.id)
        await emails.send_change_notice(tx, page.ctx.secret_box, page.visitor.user, "password")
    return Redirect(f"{PATH}?saved=password")


async def check_own_password(page: Page, password: str) -> str:
    """Check the visitor's password. Returns an error message, or an empty text if the password is right."""
    buckets = throttling.password_check_buckets(page.visitor.user.id)
    try:
        async with page.writing() as tx:
            # Committed before the slow hash: parallel attempts are counted, and no transaction waits for the hash.
            await throttling.count_attempt(tx, buckets)
            password_hash = await profile.get_password_hash(tx, page.actor)
    except TooManyAttempts as error:
        return describe_wait(error)
    if not await page.ctx.passwords.verify(password[:1000], password_hash):
        return _MISMATCH
    async with page.writing() as tx:
        await throttling.record_success(tx, buckets)
    return ""


@post(PATH + "/sessions/{session_id:str}/end")
async def end_session(page: Page, session_id: str) -> Redirect:
    """Sign out a session, which can be the current one."""
    try:
        async with page.writing() as tx:
            await sessions.sign_out_session(tx, page.actor, session_id=session_id)
    except NotFound:
        pass  # It has ended already.
    return Redirect(f"{PATH}?saved=sessions")


@post(PATH + "/sessions/end-others")
async def end_others(page: Page) -> Redirect:
    """Sign out all sessions except the current one."""
    async with page.writing() as tx:
        await sessions.sign_out_others(tx, page.actor, session_id=page.visitor.session.id)
    return Redirect(f"{PATH}?saved=sessions")
