"""Signing in with an identity provider of an account."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.errors import DomainError
from formwright.domain.identity_providers import identities, service
from formwright.domain.identity_providers.installation import choose_account
from formwright.domain.identity_providers.models import IdentityProvider, ProviderUnavailable, SignInRefused
from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.web.http import Redirect, Response, get, post
from formwright.web.oidc_flow import (
    PATH,
    PendingSignIn,
    begin,
    clear_cookie,
    find_provider,
    identify,
    load_pending,
    record_failure,
    require_same_session,
    start_path,
)
from formwright.web.page import Page, PublicPage
from formwright.web.session import is_same_site
from formwright.web.views.account.ended_link import EndedLinkPage
from formwright.web.views.account.oidc_accounts import sign_in_anywhere, sign_in_to_account
from formwright.web.views.account.sign_in import client_address, describe_wait
from formwright.web.views.settings.sign_in_test import complete_test

_MAX_EMAIL = 254
ACCOUNT_PATH = "/settings/account"


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """A provider with which somebody can continue."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class SsoPage:
    """The view model of the page that asks for an email address, or offers the providers for it."""

    choices: Sequence[ProviderChoice] = ()
    next_url: str = ""
    email: str = ""
    error: str = ""
    is_required: bool = False
    """Whether somebody has just tried to sign in with a password, which their account does not allow."""


@get(PATH)
async def find_provider_page(page: PublicPage) -> Response:
    """Ask for the email address, whose domain tells the provider."""
    return page.render("account/sso.html", SsoPage(next_url=page.query.get("next", "")))


@post(PATH)
async def find_provider_by_email(page: PublicPage) -> Response:
    """Offer the providers for the domain of an email address, whether or not it belongs to a user."""
    form = await page.form()
    email, next_url = str(form.get("email", ""))[:_MAX_EMAIL], str(form.get("next", ""))
    found = await service.list_enabled_for_email(page.tx, email, page.ctx.installation_provider)
    if not found:
        error = "There’s no single sign-on for this address. Use the link from your administrator, or your password."
        return page.render("account/sso.html", SsoPage((), next_url, email, error), status=422)
    return page.render("account/sso.html", SsoPage([_to_choice(one, next_url) for one in found]))


def _to_choice(provider: IdentityProvider, next_url: str) -> ProviderChoice:
    return ProviderChoice(provider.name, start_path(provider.id, next_url))


@get(PATH + "/{provider_id:str}")
async def provider_page(page: PublicPage, provider_id: str) -> Response:
    """The page behind the link of a provider."""
    provider = await find_provider(page, provider_id)
    if provider is None:
        return _render_unknown(page)
    query = page.query
    choice = _to_choice(provider, query.get("next", ""))
    return page.render("account/sso.html", SsoPage([choice], is_required=query.get("required") == "1"))


@get(PATH + "/{provider_id:str}/start")
async def start_sign_in(page: PublicPage, provider_id: str) -> Response:
    """Send the browser to the provider. Other sites can only lead people to the page before."""
    if not is_same_site(page):
        return Redirect(f"{PATH}/{provider_id}")
    provider = await find_provider(page, provider_id)
    if provider is None:
        return _render_unknown(page)
    try:
        async with page.writing() as tx:
            await throttling.count_attempt(tx, throttling.provider_buckets(client_address()))
        url, cookie = await begin(page, provider, page.query.get("next", ""))
    except TooManyAttempts as error:
        return _render_failure(page, provider, describe_wait(error), status=429)
    except ProviderUnavailable as error:
        await record_failure(page, provider, error)
        return _render_failure(page, provider, f"{provider.name} isn’t responding. Try again later.", status=502)
    return Redirect(url, cookies=[cookie])


@get(PATH + "/{provider_id:str}/callback")
async def complete_sign_in(page: PublicPage, provider_id: str) -> Response:
    """Sign in the person who returned from the provider, or link them to the user who is signed in."""
    provider, pending = await find_provider(page, provider_id), load_pending(page, provider_id)
    if pending and pending.is_test:
        async with Page.open(page) as visited:
            return await complete_test(visited, provider_id, pending)
    if provider is None:
        return _render_unknown(page)
    if pending is None:
        return _render_failure(page, provider, "This sign-in has expired or was already completed. Start again.")
    try:
        response = await _complete(page, provider, pending)
    except ProviderUnavailable as error:
        await record_failure(page, provider, error)
        response = _render_failure(page, provider, f"{provider.name} isn’t responding. Try again later.", status=502)
    except (SignInRefused, DomainError) as error:
        await record_failure(page, provider, error)
        text = "You couldn’t be signed in. Try again, or ask an owner of the account, who can see the reason."
        if provider.is_installation:
            text = "You couldn’t be signed in. Try again, or ask your administrator, who can see the reason."
        response = _render_failure(page, provider, text)
    # After a failure, too, because the state of this sign-in may have been used.
    response.set_cookie(clear_cookie(page))
    return response


async def _complete(page: PublicPage, provider: IdentityProvider, pending: PendingSignIn) -> Response:
    claims = await identify(page, provider, pending)
    if pending.session_id:
        visitor = await require_same_session(page, pending)
        if provider.is_installation:
            provider = choose_account(provider, visitor.customer.id)
        async with page.writing() as tx:
            await identities.link_own(tx, visitor.actor, provider, claims)
        response: Response = Redirect(f"{ACCOUNT_PATH}?saved=linked")
    else:
        sign_in = sign_in_anywhere if provider.is_installation else sign_in_to_account
        response = await sign_in(page, provider, claims, pending.next_url)
    async with page.writing() as tx:
        await throttling.record_success(tx, throttling.provider_buckets(client_address()))
    return response


def _render_unknown(page: PublicPage) -> Response:
    """Render the same page for providers that are unknown, disabled and removed."""
    text = "This sign-in link doesn’t work. Ask an owner of the account for the current one."
    return page.render("account/link_ended.html", EndedLinkPage("Sign-in unavailable", text), status=404)


def _render_failure(page: PublicPage, provider: IdentityProvider, text: str, *, status: int = 403) -> Response:
    action = (f"{PATH}/{provider.id}", "Try again")
    view_model = EndedLinkPage("Sign-in failed", text, action=action)
    return page.render("account/link_ended.html", view_model, status=status)
