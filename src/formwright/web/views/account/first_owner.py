"""Setup of an empty installation: the first owner, with the link that `formwright serve` prints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Response

from formwright.domain.users import setup
from formwright.domain.users.auth.models import LinkExpired
from formwright.domain.users.auth.profile import MAX_NAME_LENGTH
from formwright.domain.users.models import is_email, normalise_email
from formwright.domain.users.password_hashing import MIN_LENGTH
from formwright.web.login_flow import continue_sign_in
from formwright.web.session import get_app_context
from formwright.web.templating import render_view
from formwright.web.views.account.ended_link import EndedLinkPage, render_ended_link
from formwright.web.views.account.set_password import password_faults


@dataclass(frozen=True, slots=True)
class FirstOwnerPage:
    """The view model of the page, with the rejected input and its errors."""

    token: str
    account_name: str
    email: str
    faults: Mapping[str, str]
    min_length: int


_ALREADY_SET_UP = EndedLinkPage(
    "Formwright is already set up",
    "This link only works until the first account is created.",
    "To get access, ask an owner to invite you.",
)
_EXPIRED = EndedLinkPage(
    "This link no longer works",
    "Setup links work for 24 hours, and restarting the server replaces them.",
    "Restart “formwright serve” and open the link it prints.",
)


@get("/first-owner/{token:str}")
async def first_owner_page(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[str]:
    """The setup page. Opening it doesn't use up the link."""
    ctx = get_app_context(request)
    try:
        async with ctx.db.reading() as tx:
            await setup.check_link(tx, token, ctx.clock.now())
    except LinkExpired as error:
        return _render_link_ended(request, error)
    return _render_form(request, token, {}, "", "")


@post("/first-owner/{token:str}", status_code=303)
async def create_first_owner(request: Request[Any, Any, Any], token: FromPath[str]) -> Response[Any]:
    """Create the first account, and sign its owner in."""
    ctx, form = get_app_context(request), await request.form()
    account, email, password, again = (
        str(form.get(field, "")).strip() if field in ("account", "email") else str(form.get(field, ""))
        for field in ("account", "email", "password", "again")
    )
    if faults := _find_faults(account, email, password, again):
        return _render_form(request, token, faults, account[:1000], email[:1000])
    try:
        # Check the link before the slow hash, so that nobody can keep the server busy without one.
        async with ctx.db.reading() as tx:
            await setup.check_link(tx, token, ctx.clock.now())
        password_hash = await ctx.passwords.hash(password)
        async with ctx.db.writing() as tx:
            sign_in = await setup.use_link(tx, token, name=account, email=email, password_hash=password_hash)
    except LinkExpired as error:
        return _render_link_ended(request, error)
    return await continue_sign_in(request, [sign_in], "")


def _find_faults(account: str, email: str, password: str, again: str) -> dict[str, str]:
    faults = password_faults(password, again, normalise_email(email))
    if not 1 <= len(account) <= MAX_NAME_LENGTH:
        faults["account"] = f"Enter a name (up to {MAX_NAME_LENGTH} characters)."
    if not is_email(email):
        faults["email"] = "Enter a valid email address."
    return faults


def _render_form(
    request: Request[Any, Any, Any], token: str, faults: dict[str, str], account: str, email: str
) -> Response[str]:
    view_model = FirstOwnerPage(token, account, email, faults, MIN_LENGTH)
    return render_view(request, "account/first_owner.html", view_model, status=422 if faults else 200)


def _render_link_ended(request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    return render_ended_link(request, _ALREADY_SET_UP if isinstance(error, setup.AlreadySetUp) else _EXPIRED)


HANDLERS = [first_owner_page, create_first_owner]
