"""Settings, Sign-in, Provisioning: the token with which an identity provider manages users and groups."""

from collections.abc import Mapping
from dataclasses import dataclass

from formwright.core.errors import Invalid
from formwright.domain.provisioning import tokens
from formwright.domain.provisioning.models import ProvisioningToken
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

PATH = "/settings/sign-in/provisioning"
_COOKIE = "formwright_new_scim_token"
_SHOWN_S = 60


@dataclass(frozen=True, slots=True)
class ProvisioningPage:
    """Whether provisioning is on, its address, and the new token if there is one."""

    token: ProvisioningToken | None
    created: DisplayTime | None
    last_used: DisplayTime | None
    base_url: str
    secret: str
    name: str
    faults: Mapping[str, str]
    here: str = PATH
    ask: str = ""
    """The dialog that is open."""


@get(PATH)
async def provisioning_page(page: Page) -> Response:
    """The state of provisioning, and a new token once."""
    response = await _render(page, open_cookie(page, _COOKIE))
    return forget_cookie(page, response, _COOKIE)


@post(PATH)
async def enable_provisioning(page: Page) -> Response:
    """Switch provisioning on, and redirect to the page, which shows the token once."""
    name = read_text(await page.form(), "name")
    try:
        async with page.writing() as tx:
            _, secret = await tokens.enable(tx, page.actor, name=name)
    except Invalid as error:
        return await _render(page, "", name, faults_by_field(error))
    return _redirect_with_secret(page, secret)


@post(PATH + "/rotate")
async def rotate_token(page: Page) -> Redirect:
    """Replace the token, and redirect to the page, which shows the new one once."""
    async with page.writing() as tx:
        _, secret = await tokens.rotate(tx, page.actor)
    return _redirect_with_secret(page, secret)


@post(PATH + "/disable")
async def disable_provisioning(page: Page) -> Redirect:
    """Revoke the token."""
    async with page.writing() as tx:
        await tokens.disable(tx, page.actor)
    return Redirect(PATH)


def _redirect_with_secret(page: PublicPage, secret: str) -> Redirect:
    cookie = seal_cookie(page.ctx, _COOKIE, secret, _SHOWN_S)
    return Redirect(PATH, cookies=[cookie])


async def _render(page: Page, secret: str, name: str = "", faults: Mapping[str, str] | None = None) -> Response:
    token = await tokens.find(page.tx, page.actor)
    zone = page.visitor.customer.time_zone
    view_model = ProvisioningPage(
        token=token,
        created=format_time(token.created, zone) if token else None,
        last_used=format_time(token.last_used, zone) if token and token.last_used else None,
        base_url=f"{page.origin}/scim/v2",
        secret=secret if token else "",
        name=name,
        faults=fault_texts(faults),
        ask=page.query.get("ask", ""),
    )
    return page.render(
        "settings/provisioning.html",
        view_model,
        section="Settings",
        status=422 if faults else 200,
    )
