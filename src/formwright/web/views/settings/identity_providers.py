"""Settings, Sign-in: the identity providers of the account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

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
from formwright.web.oidc_flow import LOGOUT_PATH, callback_url, signed_out_url
from formwright.web.oidc_flow import PATH as SIGN_IN_PATH
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import render_view
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
class ProviderRow:
    """A provider in the list."""

    name: str
    issuer: str
    url: str
    is_enabled: bool


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

    providers: Sequence[ProviderRow]
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
async def sign_in_settings(request: Request[Any, Any, Any]) -> Response[str]:
    """The identity providers of the account."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    async with ctx.db.reading() as tx:
        found = await service.list_all(tx, visitor.actor)
        claimed = await domains.list_all(tx, visitor.actor)
        provisions = await tokens.find(tx, visitor.actor) is not None
    rows = [ProviderRow(one.name, one.issuer, f"{PATH}/{one.id}", one.is_enabled) for one in found]
    installation = _describe_installation(visitor, ctx.installation_provider)
    notice = _NOTICES.get(request.query_params.get("done", ""), "")
    view_model = SignInPage(rows, installation, claimed, provisions, notice)
    return render_view(request, "settings/sign_in.html", view_model, visitor=visitor, section="Settings")


def _describe_installation(visitor: Visitor, provider: IdentityProvider | None) -> InstallationProvider | None:
    if provider is None:
        return None
    is_home = provider.new_user_account == visitor.customer.id
    return InstallationProvider(provider.name, provider.issuer, provider.domains or (), provider.is_required, is_home)


@get(NEW_PATH)
async def new_provider_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The form for a new provider."""
    return await _render(request, await require_visitor(request), None, _EMPTY)


@get(PATH + "/{provider_id:str}")
async def provider_settings(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[str]:
    """The form of a provider."""
    visitor = await require_visitor(request)
    provider = await _get(request, visitor, provider_id)
    return await _render(request, visitor, provider, _to_edit(provider))


@post(NEW_PATH, status_code=303)
async def add_provider(request: Request[Any, Any, Any]) -> Response[Any]:
    """Check and add a provider."""
    return await _save(request, await require_visitor(request), None)


@post(PATH + "/{provider_id:str}", status_code=303)
async def change_provider(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[Any]:
    """Check and change a provider."""
    visitor = await require_visitor(request)
    return await _save(request, visitor, await _get(request, visitor, provider_id))


@post(PATH + "/{provider_id:str}/test", status_code=303)
async def check_provider(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Response[Any]:
    """Check that the provider responds and publishes usable keys."""
    visitor = await require_visitor(request)
    provider = await _get(request, visitor, provider_id)
    try:
        await get_app_context(request).oidc.discover(provider.issuer)
    except ProviderUnavailable as error:
        return await _render(request, visitor, provider, _to_edit(provider), {"issuer": str(error)})
    return Redirect(f"{PATH}/{provider.id}?done=works", status_code=303)


@post(PATH + "/{provider_id:str}/remove", status_code=303)
async def remove_provider(request: Request[Any, Any, Any], provider_id: FromPath[str]) -> Redirect:
    """Remove a provider."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await service.delete(tx, visitor.actor, provider_id=provider_id)
    return Redirect(f"{PATH}?done=removed", status_code=303)


async def _get(request: Request[Any, Any, Any], visitor: Visitor, provider_id: str) -> IdentityProvider:
    async with get_app_context(request).db.reading() as tx:
        return await service.get(tx, visitor.actor, provider_id=provider_id)


async def _save(request: Request[Any, Any, Any], visitor: Visitor, provider: IdentityProvider | None) -> Response[Any]:
    ctx = get_app_context(request)
    require_owner(visitor.actor)  # Before a request to another server.
    typed = await _read(request)
    try:
        # People whose provider is down must still be able to disable it here.
        if typed.is_enabled or provider is None or typed.issuer != provider.issuer:
            typed = replace(typed, issuer=(await ctx.oidc.discover(typed.issuer)).issuer)
        async with ctx.db.writing() as tx:
            if provider is None:
                provider = await service.create(tx, visitor.actor, typed, ctx.secret_box)
            else:
                await service.update(tx, visitor.actor, typed, ctx.secret_box, provider_id=provider.id)
    except ProviderUnavailable as error:
        return await _render(request, visitor, provider, typed, {"issuer": str(error)})
    except (Invalid, Conflict) as error:
        return await _render(request, visitor, provider, typed, faults_by_field(error))
    return Redirect(f"{PATH}/{provider.id}?done=saved", status_code=303)


async def _read(request: Request[Any, Any, Any]) -> ProviderEdit:
    form = await request.form()
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
    request: Request[Any, Any, Any],
    visitor: Visitor,
    provider: IdentityProvider | None,
    typed: ProviderEdit,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    require_owner(visitor.actor)
    async with get_app_context(request).db.reading() as tx:
        groups = [(group.id, group.name) for group in await list_all_groups(tx, visitor)]
        claimed = await domains.list_all(tx, visitor.actor)
        is_provisioned = await tokens.find(tx, visitor.actor) is not None
    view_model = ProviderPage(
        provider=provider,
        here=f"{PATH}/{provider.id}" if provider else NEW_PATH,
        typed=typed,
        faults=fault_texts(faults),
        groups=groups,
        domains=claimed,
        is_provisioned=is_provisioned,
        shared_issuer=SHARED_ISSUER if is_shared(typed.issuer) else "",
        sign_in_url=f"{public_origin(request)}{SIGN_IN_PATH}/{provider.id}" if provider else "",
        callback_url=callback_url(request, provider.id) if provider else "",
        logout_url=f"{public_origin(request)}{SIGN_IN_PATH}/{provider.id}{LOGOUT_PATH}" if provider else "",
        signed_out_url=signed_out_url(request),
        notice="" if faults else _NOTICES.get(request.query_params.get("done", ""), ""),
        ask=request.query_params.get("ask", ""),
    )
    status = 422 if faults else 200
    return render_view(
        request, "settings/identity_provider.html", view_model, visitor=visitor, section="Settings", status=status
    )


HANDLERS = [
    sign_in_settings,
    new_provider_page,
    provider_settings,
    add_provider,
    change_provider,
    check_provider,
    remove_provider,
]
