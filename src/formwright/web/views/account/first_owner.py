"""Setup of an empty installation: the first owner, with the link that `formwright serve` prints."""

from collections.abc import Mapping
from dataclasses import dataclass

from formwright.domain.users import setup
from formwright.domain.users.auth.models import LinkExpired
from formwright.domain.users.auth.profile import MAX_NAME_LENGTH
from formwright.domain.users.models import is_email, normalise_email
from formwright.domain.users.password_hashing import MIN_LENGTH
from formwright.web.http import Response, get, post
from formwright.web.login_flow import continue_sign_in
from formwright.web.page import PublicPage
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
async def first_owner_page(page: PublicPage, token: str) -> Response:
    """The setup page. Opening it doesn't use up the link."""
    try:
        await setup.check_link(page.tx, token, page.ctx.clock.now())
    except LinkExpired as error:
        return _render_link_ended(page, error)
    return _render_form(page, token, {}, "", "")


@post("/first-owner/{token:str}")
async def create_first_owner(page: PublicPage, token: str) -> Response:
    """Create the first account, and sign its owner in."""
    form = await page.form()
    account, email, password, again = (
        str(form.get(field, "")).strip() if field in ("account", "email") else str(form.get(field, ""))
        for field in ("account", "email", "password", "again")
    )
    if faults := _find_faults(account, email, password, again):
        return _render_form(page, token, faults, account[:1000], email[:1000])
    try:
        # Check the link before the slow hash, so that nobody can keep the server busy without one.
        await setup.check_link(page.tx, token, page.ctx.clock.now())
        password_hash = await page.ctx.passwords.hash(password)
        async with page.writing() as tx:
            sign_in = await setup.use_link(tx, token, name=account, email=email, password_hash=password_hash)
    except LinkExpired as error:
        return _render_link_ended(page, error)
    return await continue_sign_in(page, [sign_in], "")


def _find_faults(account: str, email: str, password: str, again: str) -> dict[str, str]:
    faults = password_faults(password, again, normalise_email(email))
    if not 1 <= len(account) <= MAX_NAME_LENGTH:
        faults["account"] = f"Enter a name (up to {MAX_NAME_LENGTH} characters)."
    if not is_email(email):
        faults["email"] = "Enter a valid email address."
    return faults


def _render_form(page: PublicPage, token: str, faults: dict[str, str], account: str, email: str) -> Response:
    view_model = FirstOwnerPage(token, account, email, faults, MIN_LENGTH)
    return page.render("account/first_owner.html", view_model, status=422 if faults else 200)


def _render_link_ended(page: PublicPage, error: Exception) -> Response:
    return render_ended_link(page, _ALREADY_SET_UP if isinstance(error, setup.AlreadySetUp) else _EXPIRED)
