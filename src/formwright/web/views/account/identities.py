"""Settings, Account: linking oneself to an identity provider, and unlinking."""

from dataclasses import dataclass

from formwright.domain.identity_providers import identities
from formwright.domain.identity_providers.models import ProviderNotFound, ProviderUnavailable
from formwright.web.http import Redirect, Response, post
from formwright.web.oidc_flow import begin, find_provider, record_failure
from formwright.web.page import Page
from formwright.web.views.account.account import PATH, check_own_password, render_account

IDENTITIES_PATH = PATH + "/identities/{provider_id:str}"


@dataclass(frozen=True, slots=True)
class ContinuePage:
    """The page that leads to the provider."""

    name: str
    url: str


@post(IDENTITIES_PATH)
async def link_identity(page: Page, provider_id: str) -> Response:
    """Check the password, then let the user sign in at the provider to link themselves.

    The next step is a link on a page, because our content security policy forbids forms that lead to other sites.
    """
    form = await page.form()
    provider = await find_provider(page, provider_id)
    if provider is None or not (provider.is_installation or provider.customer_id == page.visitor.customer.id):
        raise ProviderNotFound()
    field = f"password-{provider.id}"
    # Whoever finds an unlocked browser must not be able to open a second way in for themselves.
    if fault := await check_own_password(page, str(form.get(field, ""))):
        return await render_account(page, {field: fault})
    try:
        url, cookie = await begin(page, provider, PATH, page.visitor)
    except ProviderUnavailable as error:
        await record_failure(page, provider, error)
        return await render_account(page, {field: f"{provider.name} isn’t responding. Try again later."})
    view_model = ContinuePage(provider.name, url)
    response = page.render("account/continue.html", view_model, section="Settings")
    response.set_cookie(cookie)
    return response


@post(IDENTITIES_PATH + "/unlink")
async def unlink_identity(page: Page, provider_id: str) -> Redirect:
    """Remove the user's link to the provider."""
    async with page.writing() as tx:
        await identities.unlink_own(tx, page.actor, provider_id=provider_id)
    return Redirect(f"{PATH}?saved=unlinked")
