"""Signing in with the identity provider of the installation: to the only account of a person, or the one they choose.

The choice is kept in an encrypted cookie, which works once.
"""

import secrets
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.datastructures import Cookie
from litestar.response import Redirect, Response

from formwright.core.errors import DomainError
from formwright.domain.identity_providers import identities, installation
from formwright.domain.identity_providers.claims import select_claims
from formwright.domain.identity_providers.models import EmailState, IdentityProvider, SignInRefused, VerifiedClaims
from formwright.web.login_flow import start_session
from formwright.web.oidc_flow import provider_session, record_failure
from formwright.web.sealed_cookies import host_cookie_name, open_cookie, seal_cookie
from formwright.web.session import get_app_context, make_cookie, safe_next_url
from formwright.web.templating import render_view
from formwright.web.views.account.ended_link import EndedLinkPage
from formwright.web.views.account.sign_in_two_factor import ChooseAccountPage, load_account_names

PATH = "/sign-in/accounts"
_LIFETIME_S = 600
_MAX_NEXT, _MAX_HINT = 300, 1500
"""Longer URLs and ID tokens do not fit into a cookie. Without the token, the provider asks people who sign out."""


class PendingChoice(msgspec.Struct, frozen=True):
    """A person whom the provider has identified, and who has several accounts."""

    ends: int
    state: str
    issuer: str
    subject: str
    email: str
    name: str
    received: dict[str, Any]
    id_token: str
    next_url: str
    email_state: EmailState = EmailState.VERIFIED

    @property
    def claims(self) -> VerifiedClaims:
        """What the provider says about the person."""
        person = self.issuer, self.subject, self.email, self.name
        return VerifiedClaims(*person, self.received, self.id_token, self.email_state)


async def sign_in_to_account(
    request: Request[Any, Any, Any], provider: IdentityProvider, claims: VerifiedClaims, next_url: str
) -> Redirect:
    """Sign a person in to the account of the provider. Raises `SignInRefused`."""
    async with get_app_context(request).db.writing() as tx:
        credentials = await identities.resolve_user(tx, provider, claims)
    at_provider = provider_session(request, provider, claims)
    return await start_session(request, credentials, safe_next_url(next_url), at_provider)


async def sign_in_anywhere(
    request: Request[Any, Any, Any], provider: IdentityProvider, claims: VerifiedClaims, next_url: str
) -> Redirect:
    """Sign a person in to their account, or let them choose if they have several. Raises `SignInRefused`."""
    async with get_app_context(request).db.reading() as tx:
        options = await installation.list_options(tx, provider, claims)
    if len(options.account_ids) == 1:
        chosen = installation.choose_account(provider, options.account_ids[0])
        return await sign_in_to_account(request, chosen, claims, next_url)
    if options.account_ids:
        return Redirect(PATH, status_code=303, cookies=[_make_cookie(request, provider, claims, next_url)])
    for customer_id, reason in options.refusals.items():
        await record_failure(request, installation.choose_account(provider, customer_id), SignInRefused(reason))
    raise SignInRefused("No account lets the person in. Their audit logs have the reasons.")


def _make_cookie(
    request: Request[Any, Any, Any], provider: IdentityProvider, claims: VerifiedClaims, next_url: str
) -> Cookie:
    ctx = get_app_context(request)
    pending = PendingChoice(
        ends=ctx.clock.now() + _LIFETIME_S * 1000,
        state=secrets.token_urlsafe(16),
        issuer=claims.issuer,
        subject=claims.subject,
        email=claims.email,
        name=claims.name,
        received=select_claims(provider, claims),
        id_token=claims.id_token if len(claims.id_token) <= _MAX_HINT else "",
        next_url=next_url if len(next_url) <= _MAX_NEXT else "",
        email_state=claims.email_state,
    )
    return seal_cookie(ctx, _cookie_name(request), msgspec.json.encode(pending).decode(), _LIFETIME_S)


def _cookie_name(request: Request[Any, Any, Any]) -> str:
    return host_cookie_name(get_app_context(request).settings, "formwright_accounts")


async def _load(request: Request[Any, Any, Any]) -> tuple[IdentityProvider, PendingChoice] | None:
    ctx = get_app_context(request)
    try:
        pending = msgspec.json.decode(open_cookie(request, _cookie_name(request)), type=PendingChoice)
    except msgspec.DecodeError:
        return None
    provider = ctx.installation_provider
    is_valid = provider and provider.issuer == pending.issuer and pending.ends > ctx.clock.now()
    return (provider, pending) if provider and is_valid else None


@get(PATH)
async def accounts_page(request: Request[Any, Any, Any]) -> Response[Any]:
    """Ask to which account somebody wants to sign in."""
    found = await _load(request)
    return await _render(request, *found) if found else Redirect("/sign-in", status_code=303)


async def _render(
    request: Request[Any, Any, Any], provider: IdentityProvider, pending: PendingChoice, status: int = 200
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        options = await installation.list_options(tx, provider, pending.claims)
        names = await load_account_names(tx, options.account_ids)
    page = ChooseAccountPage(names, PATH, "You have a user in several accounts.")
    return render_view(request, "account/sign_in_account.html", page, status=status)


@post(PATH, status_code=303)
async def choose_account(request: Request[Any, Any, Any]) -> Response[Any]:
    """Sign in to the chosen account, if the provider still lets the person in there."""
    found, customer_id = await _load(request), str((await request.form()).get("account", ""))
    if found is None:
        return Redirect("/sign-in", status_code=303)
    provider, pending = found
    ctx = get_app_context(request)
    try:
        async with ctx.db.reading() as tx:
            options = await installation.list_options(tx, provider, pending.claims)
        if customer_id not in options.account_ids:
            return await _render(request, provider, pending, 422)
        async with ctx.db.writing() as tx:
            await identities.consume_state(tx, provider, pending.state, pending.ends)
        chosen = installation.choose_account(provider, customer_id)
        response: Response[Any] = await sign_in_to_account(request, chosen, pending.claims, pending.next_url)
    except (SignInRefused, DomainError) as error:
        await record_failure(request, provider, error)
        text = "You couldn’t be signed in. Try again, or ask your administrator."
        page = EndedLinkPage("Sign-in failed", text, action=("/sign-in", "Try again"))
        response = render_view(request, "account/link_ended.html", page, status=403)
    response.set_cookie(make_cookie(ctx.settings, _cookie_name(request), "", 0))
    return response


HANDLERS = [accounts_page, choose_account]
