"""Settings, Sign-in: the identity providers of the account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from formwright.core.errors import Conflict, Invalid
from formwright.domain.identity_providers import domains, service
from formwright.domain.identity_providers.issuers import SHARED_ISSUER, is_shared
from formwright.domain.identity_providers.models import (
    DEFAULT_SCOPES,
    IdentityProvider,
    ProviderEdit,
    ProviderUnavailable,
)
from formwright.domain.provisioning import tokens
from formwright.domain.users.service import require_owner
from formwright.web.http import Redirect, Response, get, post
from formwright.web.oidc_flow import LOGOUT_PATH, callback_url, signed_out_url
from formwright.web.oidc_flow import PATH as SIGN_IN_PATH
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.autocomplete import list_all_groups
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

PATH = "/settings/sign-in"
NEW_PATH = PATH + "/new"
_EMPTY = ProviderEdit("", "", "", None, DEFAULT_SCOPES, True, False, False)
_NOTICES = {
    "saved": "Identity provider saved.",
    "removed": "Identity provider removed.",
    "works": "The provider responds, and its keys can be used.",
}


@dataclass(frozen=True, slots=True)
class InstallationProvider:
    """The provider of the installation, which only the operator can change."""

    name: str
    issuer: str
    domains: Sequence[str]
    is_required: bool
    creates_users: bool


@dataclass(frozen=True, slots=True)
class SignInPage:
    """The providers and the claimed domains of the account."""

    providers: Sequence[IdentityProvider]
    installation: InstallationProvider | None
    domains: Sequence[str]
    provisions: bool
    notice: str


@dataclass(frozen=True, slots=True)
class ProviderPage:
    """The form of a provider; `provider` is None for a new one, which has no addresses yet."""

    provider: IdentityProvider | None
    here: str
    typed: ProviderEdit
    faults: Mapping[str, str]
    groups: Sequence[tuple[str, str]]
    domains: Sequence[str]
    is_provisioned: bool
    """Whether provisioning is on for the account."""
    shared_issuer: str
    """Why the addresses of this issuer can't be trusted; "" if they can."""
    sign_in_url: str
    callback_url: str
    logout_url: str
    signed_out_url: str
    notice: str
    ask: str
    """The dialog that is open."""


@get(PATH)
async def sign_in_settings(page: Page) -> Response:
    """The identity providers of the account."""
    found = await service.list_all(page.tx, page.actor)
    claimed = await domains.list_all(page.tx, page.actor)
    provisions = await tokens.find(page.tx, page.actor) is not None
    installation = _describe_installation(page.visitor, page.ctx.installation_provider)
    notice = _NOTICES.get(page.query.get("done", ""), "")
    view_model = SignInPage(found, installation, claimed, provisions, notice)
    return page.render("settings/sign_in.html", view_model, section="Settings")


def _describe_installation(visitor: Visitor, provider: IdentityProvider | None) -> InstallationProvider | None:
    if provider is None:
        return None
    is_home = provider.new_user_account == visitor.customer.id
    return InstallationProvider(provider.name, provider.issuer, provider.domains or (), provider.is_required, is_home)


@get(NEW_PATH)
async def new_provider_page(page: Page) -> Response:
    """The form for a new provider."""
    return await _render(page, None, _EMPTY)


@get(PATH + "/{provider_id:str}")
async def provider_settings(page: Page, provider_id: str) -> Response:
    """The form of a provider."""
    provider = await _get(page, provider_id)
    return await _render(page, provider, _to_edit(provider))


@post(NEW_PATH)
async def add_provider(page: Page) -> Response:
    """Check and add a provider."""
    return await _save(page, None)


@post(PATH + "/{provider_id:str}")
async def change_provider(page: Page, provider_id: str) -> Response:
    """Check and change a provider."""
    return await _save(page, await _get(page, provider_id))


@post(PATH + "/{provider_id:str}/test")
async def check_provider(page: Page, provider_id: str) -> Response:
    """Check that the provider responds and publishes usable keys."""
    provider = await _get(page, provider_id)
    try:
        await page.ctx.oidc.discover(provider.issuer)
    except ProviderUnavailable as error:
        return await _render(page, provider, _to_edit(provider), {"issuer": str(error)})
    return Redirect(f"{PATH}/{provider.id}?done=works")


@post(PATH + "/{provider_id:str}/remove")
async def remove_provider(page: Page, provider_id: str) -> Redirect:
    """Remove a provider."""
    async with page.writing() as tx:
        await service.delete(tx, page.actor, provider_id=provider_id)
    return Redirect(f"{PATH}?done=removed")


async def _get(page: Page, provider_id: str) -> IdentityProvider:
    return await service.get(page.tx, page.actor, provider_id=provider_id)


async def _save(page: Page, provider: IdentityProvider | None) -> Response:
    require_owner(page.actor)  # Before a request to another server.
    typed = await _read(page)
    try:
        # People whose provider is down must still be able to disable it here.
        if typed.is_enabled or provider is None or typed.issuer != provider.issuer:
            typed = replace(typed, issuer=(await page.ctx.oidc.discover(typed.issuer)).issuer)
        async with page.writing() as tx:
            if provider is None:
                provider = await service.create(tx, page.actor, typed, page.ctx.secret_box)
            else:
                await service.update(tx, page.actor, typed, page.ctx.secret_box, provider_id=provider.id)
    except ProviderUnavailable as error:
        return await _render(page, provider, typed, {"issuer": str(error)})
    except (Invalid, Conflict) as error:
        return await _render(page, provider, typed, faults_by_field(error))
    return Redirect(f"{PATH}/{provider.id}?done=saved")


async def _read(page: PublicPage) -> ProviderEdit:
    form = await page.form()
    secret = str(form.get("clientSecret") or "").strip()
    return ProviderEdit(
        name=read_text(form, "name"),
        issuer=read_text(form, "issuer", 2000),
        client_id=read_text(form, "clientId", 2000),
        client_secret="" if form.get("public") == "1" else secret or None,
        scopes=read_text(form, "scopes", 2000),
        is_enabled=form.get("enabled") == "1",
        links_by_email=form.get("link") == "1",
        creates_users=form.get("create") == "1",
        group_ids=[str(one) for one in form.getall("groups", [])],
        is_required=form.get("required") == "1",
        signs_out=form.get("signOut") == "1",
        group_claim=read_text(form, "groupClaim", 2000),
        claim_group_ids=[str(one) for one in form.getall("claimGroups", [])],
        trusts_addresses=form.get("trust") == "1",
        links_provisioned=form.get("provisioned") == "1",
    )


def _to_edit(provider: IdentityProvider) -> ProviderEdit:
    return ProviderEdit(
        provider.name,
        provider.issuer,
        provider.client_id,
        None,
        provider.scopes,
        provider.is_enabled,
        provider.links_by_email,
        provider.creates_users,
        provider.group_ids,
        provider.is_required,
        provider.signs_out,
        provider.group_claim,
        provider.claim_group_ids,
        provider.trusts_addresses,
        provider.links_provisioned,
    )


async def _render(
    page: Page, provider: IdentityProvider | None, typed: ProviderEdit, faults: Mapping[str, str] | None = None
) -> Response:
    require_owner(page.actor)
    groups = [(group.id, group.name) for group in await list_all_groups(page.tx, page.visitor)]
    claimed = await domains.list_all(page.tx, page.actor)
    is_provisioned = await tokens.find(page.tx, page.actor) is not None
    view_model = ProviderPage(
        provider=provider,
        here=f"{PATH}/{provider.id}" if provider else NEW_PATH,
        typed=typed,
        faults=fault_texts(faults),
        groups=groups,
        domains=claimed,
        is_provisioned=is_provisioned,
        shared_issuer=SHARED_ISSUER if is_shared(typed.issuer) else "",
        sign_in_url=f"{page.origin}{SIGN_IN_PATH}/{provider.id}" if provider else "",
        callback_url=callback_url(page, provider.id) if provider else "",
        logout_url=f"{page.origin}{SIGN_IN_PATH}/{provider.id}{LOGOUT_PATH}" if provider else "",
        signed_out_url=signed_out_url(page),
        notice="" if faults else _NOTICES.get(page.query.get("done", ""), ""),
        ask=page.query.get("ask", ""),
    )
    status = 422 if faults else 200
    return page.render("settings/identity_provider.html", view_model, section="Settings", status=status)
