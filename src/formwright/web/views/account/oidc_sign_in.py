"""Signing in with an identity provider of an account."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import DomainError
from formwright.domain.identity_providers import identities, service
from formwright.domain.identity_providers.installation import choose_account
from formwright.domain.identity_providers.models import IdentityProvider, ProviderUnavailable, SignInRefused
from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
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
from formwright.web.session import get_app_context, is_same_site
from formwright.web.templating import render_view
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
async def find_provider_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Ask for the email address, whose domain tells the provider."""
    return render_view(request, "account/sso.html", SsoPage(next_url=request.query_params.get("next", "")))


@post(PATH)
async def find_provider_by_email(request: Request[Any, Any, Any]) -> Response[Any]:
    """Offer the providers for the domain of an email address, whether or not it belongs to a user."""
    form = await request.form()
    email, next_url = str(form.get("email", ""))[:_MAX_EMAIL], str(form.get("next", ""))
    async with get_app_context(request).db.reading() as tx:
        found = await service.list_enabled_for_email(tx, email, get_app_context(request).installation_provider)
    if not found:
        error = "There’s no single sign-on for this address. Use the link from your administrator, or your password."
        return render_view(request, "account/sso.html", SsoPage((), next_url, email, error), status=422)
    return render_view(request, "account/sso.html", SsoPage([_to_choice(one, next_url) for one in found]))


def _to_choice(provider: IdentityProvider, next_url: str) -> ProviderChoice:
    return ProviderChoice(provider.name, start_path(provider.id, next_url))


@get(PATH + "/{provider_id:str}")
async def provider_page(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[str]:
    """The page behind the link of a provider."""
    provider = await find_provider(request, provider_id)
    if provider is None:
        return _render_unknown(request)
    query = request.query_params
    choice = _to_choice(provider, query.get("next", ""))
    return render_view(request, "account/sso.html", SsoPage([choice], is_required=query.get("required") == "1"))


@get(PATH + "/{provider_id:str}/start")
async def start_sign_in(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[Any]:
    """Send the browser to the provider. Other sites can only lead people to the page before."""
    if not is_same_site(request):
        return Redirect(f"{PATH}/{provider_id}", status_code=303)
    provider = await find_provider(request, provider_id)
    if provider is None:
        return _render_unknown(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await throttling.count_attempt(tx, throttling.provider_buckets(client_address()))
        url, cookie = await begin(request, provider, request.query_params.get("next", ""))
    except TooManyAttempts as error:
        return _render_failure(request, provider, describe_wait(error), status=429)
    except ProviderUnavailable as error:
        await record_failure(request, provider, error)
        return _render_failure(request, provider, f"{provider.name} isn’t responding. Try again later.", status=502)
    return Redirect(url, status_code=303, cookies=[cookie])


@get(PATH + "/{provider_id:str}/callback")
async def complete_sign_in(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[Any]:
    """Sign in the person who returned from the provider, or link them to the user who is signed in."""
    provider, pending = await find_provider(request, provider_id), load_pending(request, provider_id)
    if pending and pending.is_test:
        return await complete_test(request, provider_id, pending)
    if provider is None:
        return _render_unknown(request)
    if pending is None:
        return _render_failure(request, provider, "This sign-in has expired or was already completed. Start again.")
    try:
        response = await _complete(request, provider, pending)
    except ProviderUnavailable as error:
        await record_failure(request, provider, error)
        response = _render_failure(request, provider, f"{provider.name} isn’t responding. Try again later.", status=502)
    except (SignInRefused, DomainError) as error:
        await record_failure(request, provider, error)
        text = "You couldn’t be signed in. Try again, or ask an owner of the account, who can see the reason."
        if provider.is_installation:
            text = "You couldn’t be signed in. Try again, or ask your administrator, who can see the reason."
        response = _render_failure(request, provider, text)
    response.set_cookie(clear_cookie(request))
    return response


async def _complete(
    request: Request[Any, Any, Any], provider: IdentityProvider, pending: PendingSignIn
) -> Response[Any]:
    ctx = get_app_context(request)
    claims = await identify(request, provider, pending)
    if pending.session_id:
        visitor = await require_same_session(request, pending)
        if provider.is_installation:
            provider = choose_account(provider, visitor.customer.id)
        async with ctx.db.writing() as tx:
            await identities.link_own(tx, visitor.actor, provider, claims)
        response: Response[Any] = Redirect(f"{ACCOUNT_PATH}?saved=linked", status_code=303)
    else:
        sign_in = sign_in_anywhere if provider.is_installation else sign_in_to_account
        response = await sign_in(request, provider, claims, pending.next_url)
    async with ctx.db.writing() as tx:
        await throttling.record_success(tx, throttling.provider_buckets(client_address()))
    return response


def _render_unknown(request: Request[Any, Any, Any]) -> Response[str]:
    """Render the same page for providers that are unknown, disabled and removed."""
    text = "This sign-in link doesn’t work. Ask an owner of the account for the current one."
    return render_view(request, "account/link_ended.html", EndedLinkPage("Sign-in unavailable", text), status=404)


def _render_failure(
    request: Request[Any, Any, Any], provider: IdentityProvider, text: str, *, status: int = 403
) -> Response[str]:
    action = (f"{PATH}/{provider.id}", "Try again")
    view_model = EndedLinkPage("Sign-in failed", text, action=action)
    return render_view(request, "account/link_ended.html", view_model, status=status)


HANDLERS = [find_provider_page, find_provider_by_email, provider_page, start_sign_in, complete_sign_in]
