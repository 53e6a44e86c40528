"""Signing in with the identity provider of the installation: to the only account of a person, or the one they choose.

The choice is kept in an encrypted cookie, which works once.
"""

import secrets
from typing import Any

import msgspec

from formwright.core.errors import DomainError
from formwright.domain.identity_providers import identities, installation
from formwright.domain.identity_providers.claims import select_claims
from formwright.domain.identity_providers.models import EmailState, IdentityProvider, SignInRefused, VerifiedClaims
from formwright.web.http import Cookie, Redirect, Response, get, post
from formwright.web.login_flow import start_session
from formwright.web.oidc_flow import provider_session, record_failure
from formwright.web.page import PublicPage
from formwright.web.sealed_cookies import host_cookie_name, open_cookie, seal_cookie
from formwright.web.session import make_cookie, safe_next_url
from formwright.web.views.account.ended_link import EndedLinkPage
from formwright.web.views.account.sign_in_two_factor import ChooseAccountPage, load_account_names

PATH = "/sign-in/accounts"
_LIFETIME_S = 600
# Browsers need not keep cookies above 4,096 bytes (RFC 6265, section 6.1), and encryption makes the text a third
# longer.
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
    page: PublicPage, provider: IdentityProvider, claims: VerifiedClaims, next_url: str
) -> Redirect:
    """Sign a person in to the account of the provider. Raises `SignInRefused`."""
    async with page.writing() as tx:
        credentials = await identities.resolve_user(tx, provider, claims)
    at_provider = provider_session(page, provider, claims)
    return await start_session(page, credentials, safe_next_url(next_url), at_provider)


async def sign_in_anywhere(
    page: PublicPage, provider: IdentityProvider, claims: VerifiedClaims, next_url: str
) -> Redirect:
    """Sign a person in to their account, or let them choose if they have several. Raises `SignInRefused`."""
    options = await installation.list_options(page.tx, provider, claims)
    if len(options.account_ids) == 1:
        chosen = installation.choose_account(provider, options.account_ids[0])
        return await sign_in_to_account(page, chosen, claims, next_url)
    if options.account_ids:
        return Redirect(PATH, cookies=[_make_cookie(page, provider, claims, next_url)])
    for customer_id, reason in options.refusals.items():
        await record_failure(page, installation.choose_account(provider, customer_id), SignInRefused(reason))
    raise SignInRefused("No account lets the person in. Their audit logs have the reasons.")


def _make_cookie(page: PublicPage, provider: IdentityProvider, claims: VerifiedClaims, next_url: str) -> Cookie:
    pending = PendingChoice(
        ends=page.ctx.clock.now() + _LIFETIME_S * 1000,
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
    return seal_cookie(page.ctx, _cookie_name(page), msgspec.json.encode(pending).decode(), _LIFETIME_S)


def _cookie_name(page: PublicPage) -> str:
    return host_cookie_name(page.ctx.settings, "formwright_accounts")


async def _load(page: PublicPage) -> tuple[IdentityProvider, PendingChoice] | None:
    try:
        pending = msgspec.json.decode(open_cookie(page, _cookie_name(page)), type=PendingChoice)
    except msgspec.DecodeError:
        return None
    provider = page.ctx.installation_provider
    is_valid = provider and provider.issuer == pending.issuer and pending.ends > page.ctx.clock.now()
    return (provider, pending) if provider and is_valid else None


@get(PATH)
async def accounts_page(page: PublicPage) -> Response:
    """Ask to which account somebody wants to sign in."""
    found = await _load(page)
    return await _render(page, *found) if found else Redirect("/sign-in")


async def _render(page: PublicPage, provider: IdentityProvider, pending: PendingChoice, status: int = 200) -> Response:
    options = await installation.list_options(page.tx, provider, pending.claims)
    names = await load_account_names(page.tx, options.account_ids)
    view_model = ChooseAccountPage(names, PATH, "You have a user in several accounts.")
    return page.render("account/sign_in_account.html", view_model, status=status)


@post(PATH)
async def choose_account(page: PublicPage) -> Response:
    """Sign in to the chosen account, if the provider still lets the person in there."""
    found, customer_id = await _load(page), str((await page.form()).get("account", ""))
    if found is None:
        return Redirect("/sign-in")
    provider, pending = found
    try:
        options = await installation.list_options(page.tx, provider, pending.claims)
        if customer_id not in options.account_ids:
            return await _render(page, provider, pending, 422)
        async with page.writing() as tx:
            # Only for a valid choice, so that people can choose again after an invalid one.
            await identities.consume_state(tx, provider, pending.state, pending.ends)
        chosen = installation.choose_account(provider, customer_id)
        response: Response = await sign_in_to_account(page, chosen, pending.claims, pending.next_url)
    except (SignInRefused, DomainError) as error:
        await record_failure(page, provider, error)
        text = "You couldn’t be signed in. Try again, or ask your administrator."
        view_model = EndedLinkPage("Sign-in failed", text, action=("/sign-in", "Try again"))
        response = page.render("account/link_ended.html", view_model, status=403)
    response.set_cookie(make_cookie(page.ctx.settings, _cookie_name(page), "", 0))
    return response
