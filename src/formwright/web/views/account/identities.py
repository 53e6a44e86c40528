"""Settings, Account: linking oneself to an identity provider, and unlinking."""

from dataclasses import dataclass
from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.models import ProviderNotFound, ProviderUnavailable
from formwright.web.oidc_flow import begin, find_provider, record_failure
from formwright.web.session import get_app_context, require_visitor
from formwright.web.templating import render_view
from formwright.web.views.account.account import PATH, check_own_password, render_account

IDENTITIES_PATH = PATH + "/identities/{provider_id:str}"


@dataclass(frozen=True, slots=True)
class ContinuePage:
    """The page that leads to the provider."""

    name: str
    url: str


@post(IDENTITIES_PATH, status_code=200)
async def link_identity(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[Any]:
    """Check the password, then let the user sign in at the provider to link themselves.

    The next step is a link on a page, because our content security policy forbids forms that lead to other sites.
    """
    visitor, form = await require_visitor(request), await request.form()
    provider = await find_provider(request, provider_id)
    if provider is None or not (provider.is_installation or provider.customer_id == visitor.customer.id):
        raise ProviderNotFound()
    field = f"password-{provider.id}"
    # Whoever finds an unlocked browser must not be able to open a second way in for themselves.
    if fault := await check_own_password(request, visitor, str(form.get(field, ""))):
        return await render_account(request, visitor, {field: fault})
    try:
        url, cookie = await begin(request, provider, PATH, visitor)
    except ProviderUnavailable as error:
        await record_failure(request, provider, error)
        return await render_account(request, visitor, {field: f"{provider.name} isn’t responding. Try again later."})
    page = ContinuePage(provider.name, url)
    response = render_view(request, "account/continue.html", page, visitor=visitor, section="Settings")
    response.set_cookie(cookie)
    return response


@post(IDENTITIES_PATH + "/unlink", status_code=303)
async def unlink_identity(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Redirect:
    """Remove the user's link to the provider."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await identities.unlink_own(tx, visitor.actor, provider_id=provider_id)
    return Redirect(f"{PATH}?saved=unlinked", status_code=303)


HANDLERS = [link_identity, unlink_identity]
