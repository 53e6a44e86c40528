"""Settings, Sign-in, Provisioning: the token with which an identity provider manages users and groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.errors import Invalid
from formwright.domain.provisioning import tokens
from formwright.domain.provisioning.models import ProvisioningToken
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.session import Visitor, get_app_context, public_origin, require_visitor
from formwright.web.templating import DisplayTime, format_time, render_view
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

PATH = "/settings/sign-in/provisioning"
_COOKIE = "formwright_new_scim_token"
_SHOWN_S = 60


@dataclass(frozen=True, slots=True)
class TokenState:
    """The current token, without its secret."""

    name: str
    hint: str
    created: DisplayTime
    last_used: DisplayTime | None


@dataclass(frozen=True, slots=True)
class ProvisioningPage:
    """Whether provisioning is on, its address, and the new token if there is one."""

    token: TokenState | None
    base_url: str
    secret: str
    name: str
    faults: Mapping[str, str]
    here: str = PATH
    ask: str = ""
    """The dialog that is open."""


@get(PATH)
async def provisioning_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The state of provisioning, and a new token once."""
    response = await _render(request, await require_visitor(request), open_cookie(request, _COOKIE))
    return forget_cookie(request, response, _COOKIE)


@post(PATH, status_code=303)
async def enable_provisioning(request: Request[Any, Any, Any]) -> Response[Any]:
    """Switch provisioning on, and redirect to the page, which shows the token once."""
    visitor, name = await require_visitor(request), read_text(await request.form(), "name")
    try:
        async with get_app_context(request).db.writing() as tx:
            _, secret = await tokens.enable(tx, visitor.actor, name=name)
    except Invalid as error:
        return await _render(request, visitor, "", name, faults_by_field(error))
    return _redirect_with_secret(request, secret)


@post(PATH + "/rotate", status_code=303)
async def rotate_token(request: Request[Any, Any, Any]) -> Redirect:
    """Replace the token, and redirect to the page, which shows the new one once."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        _, secret = await tokens.rotate(tx, visitor.actor)
    return _redirect_with_secret(request, secret)


@post(PATH + "/disable", status_code=303)
async def disable_provisioning(request: Request[Any, Any, Any]) -> Redirect:
    """Revoke the token."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await tokens.disable(tx, visitor.actor)
    return Redirect(PATH, status_code=303)


def _redirect_with_secret(request: Request[Any, Any, Any], secret: str) -> Redirect:
    cookie = seal_cookie(get_app_context(request), _COOKIE, secret, _SHOWN_S)
    return Redirect(PATH, status_code=303, cookies=[cookie])


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    secret: str,
    name: str = "",
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    async with get_app_context(request).db.reading() as tx:
        token = await tokens.find(tx, visitor.actor)
    state = _to_state(token, visitor.customer.time_zone) if token else None
    base_url = f"{public_origin(request)}/scim/v2"
    ask = request.query_params.get("ask", "")
    view_model = ProvisioningPage(state, base_url, secret if token else "", name, fault_texts(faults), ask=ask)
    return render_view(
        request,
        "settings/provisioning.html",
        view_model,
        visitor=visitor,
        section="Settings",
        status=422 if faults else 200,
    )


def _to_state(token: ProvisioningToken, zone: str) -> TokenState:
    last_used = format_time(token.last_used, zone) if token.last_used else None
    return TokenState(token.name, token.hint, format_time(token.created, zone), last_used)


HANDLERS = [provisioning_page, enable_provisioning, rotate_token, disable_provisioning]
