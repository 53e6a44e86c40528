"""The steps from a correct password to a session: choosing the account, and two-factor authentication if it is on.

The state between these steps is kept in an encrypted cookie that expires after ten minutes.
"""

import secrets
from urllib.parse import urlencode

import msgspec

from formwright.core.auth import actor as actors
from formwright.core.auth import request_context
from formwright.core.crypto import fingerprint
from formwright.domain.identity_providers import service as identity_providers
from formwright.domain.identity_providers.models import INSTALLATION_ID, IdentityProvider
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions, two_factor
from formwright.domain.users.auth.models import ClientInfo, ProviderSession
from formwright.domain.users.models import Credentials, PasswordCredentials
from formwright.web.http import Cookie, Redirect
from formwright.web.page import PublicPage
from formwright.web.sealed_cookies import open_cookie, seal_cookie
from formwright.web.session import make_cookie, safe_next_url, session_cookie

_PENDING_COOKIE, _DEVICE_COOKIE = "formwright_entering", "formwright_device"
_PENDING_LOGIN_S = 600
_YEAR_S = 365 * 24 * 3600


class PendingLogin(msgspec.Struct):
    """A person who has entered a correct password, and the accounts in which it is valid."""

    ends: int
    accounts: dict[str, tuple[str, str]]
    """By customer id: the user id, and a fingerprint of the password hash. If the password changes, the login is void.
    """
    come_back: str


async def continue_sign_in(page: PublicPage, sign_ins: list[PasswordCredentials], next_url: str) -> Redirect:
    """Continue after a correct password: start the session, or redirect to the next step."""
    async with page.ctx.db.reading() as tx:
        needs_more = len(sign_ins) > 1 or await two_factor.is_enabled(tx, sign_ins[0].customer_id, sign_ins[0].user_id)
    if not needs_more:
        return await start_session(page, sign_ins[0], next_url)
    accounts = {sign_in.customer_id: (sign_in.user_id, fingerprint(sign_in.password_hash)) for sign_in in sign_ins}
    pending = PendingLogin(page.ctx.clock.now() + _PENDING_LOGIN_S * 1000, accounts, next_url)
    return Redirect("/sign-in/second", cookies=[_pending_login_cookie(page, pending)])


def _pending_login_cookie(page: PublicPage, pending: PendingLogin | None) -> Cookie:
    if pending is None:
        return make_cookie(page.ctx.settings, _PENDING_COOKIE, "", 0)
    return seal_cookie(page.ctx, _PENDING_COOKIE, msgspec.json.encode(pending).decode(), _PENDING_LOGIN_S)


async def load_pending_login(page: PublicPage) -> PendingLogin | None:
    """Return the pending login of this browser with the accounts whose password is unchanged; None if there is none."""
    try:
        pending = msgspec.json.decode(open_cookie(page, _PENDING_COOKIE), type=PendingLogin)
    except msgspec.DecodeError:
        return None
    if pending.ends <= page.ctx.clock.now():
        return None
    async with page.ctx.db.reading() as tx:
        sign_ins = {
            customer_id: await people.get_credentials(tx, customer_id, user_id)
            for customer_id, (user_id, _) in pending.accounts.items()
        }
    pending.accounts = {
        customer_id: (user_id, expected)
        for customer_id, (user_id, expected) in pending.accounts.items()
        if (sign_in := sign_ins[customer_id]) and fingerprint(sign_in.password_hash) == expected
    }
    return pending if pending.accounts else None


async def continue_with_account(page: PublicPage, pending: PendingLogin, customer_id: str) -> Redirect:
    """Continue with one of several accounts."""
    user_id, _ = pending.accounts[customer_id]
    async with page.ctx.db.reading() as tx:
        sign_in = await people.get_credentials(tx, customer_id, user_id)
    if sign_in is None:
        return Redirect("/sign-in")
    return await continue_sign_in(page, [sign_in], pending.come_back)


async def start_session(
    page: PublicPage, sign_in: Credentials, next_url: str, provider: ProviderSession | None = None
) -> Redirect:
    """Start a session and redirect to `next_url`. From now on, this browser counts as a known device of the person.

    If an identity provider is required, a password leads there instead. So does the provider of the installation if the
    account requires its own.
    """
    required: IdentityProvider | None = None
    if isinstance(sign_in, PasswordCredentials) or (provider and provider.provider_id == INSTALLATION_ID):
        installation = None if provider else page.ctx.installation_provider
        async with page.ctx.db.reading() as tx:
            required, is_needed = await identity_providers.find_required(tx, sign_in, installation)
        if required and is_needed:
            return _redirect_to_provider(page, required, next_url)
    current = request_context.current_caller.get()
    client = ClientInfo(current.address if current else "", page.headers.get("user-agent", ""), page.origin)
    async with page.writing() as tx:
        token = await sessions.create(tx, sign_in, client, provider)
        if required and not provider:
            await identity_providers.audit_password_sign_in(tx, sign_in)
        user = await people.get(tx, actors.system(sign_in.customer_id), user_id=sign_in.user_id)
    cookies = [
        session_cookie(page.ctx.settings, token),
        seal_cookie(page.ctx, _DEVICE_COOKIE, f"{secrets.token_hex(8)} {user.email}", _YEAR_S),
        _pending_login_cookie(page, None),
    ]
    return Redirect(safe_next_url(next_url), cookies=cookies)


def _redirect_to_provider(page: PublicPage, provider: IdentityProvider, next_url: str) -> Redirect:
    query = urlencode({"required": "1", "next": safe_next_url(next_url)})
    cookies = [_pending_login_cookie(page, None)]
    return Redirect(f"/sign-in/oidc/{provider.id}?{query}", cookies=cookies)


def known_device(page: PublicPage, email: str) -> str:
    """Return the id of this browser if it is known from an earlier sign-in with this email address, else ""."""
    device, _, device_email = open_cookie(page, _DEVICE_COOKIE).partition(" ")
    return device if device_email == email else ""
