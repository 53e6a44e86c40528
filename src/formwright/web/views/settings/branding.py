"""Settings, Branding: the logo and accent color of forms, emails and PDF reports, and the sender name of emails."""

from collections.abc import Mapping
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.colors import AccentShades, dark_shades, light_shades
from formwright.core.errors import Invalid
from formwright.domain.customers import branding
from formwright.domain.customers.branding import MAX_LOGO_SIZE, Branding
from formwright.web.http import Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.uploaded_files import FORM_OVERHEAD
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

PATH = "/settings/branding"
DEFAULT_COLOR = "#2355c8"


@dataclass(frozen=True, slots=True)
class BrandingPage:
    """The form with the branding. `shades` are those of the saved color on light and dark pages."""

    typed: Mapping[str, str]
    faults: Mapping[str, str]
    logo_path: str
    shades: tuple[AccentShades, AccentShades]
    is_saved: bool


@get(PATH)
async def branding_page(page: Page) -> Response:
    """The form with the logo, accent color and sender name of the account."""
    allow(page.actor, Permission.CUSTOMER_EDIT)
    return _render(page)


def _render(page: Page, typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None) -> Response:
    customer = page.visitor.customer
    color = customer.accent_color or DEFAULT_COLOR
    saved = {"sender": customer.sender_name, "color": color, "custom": "1" if customer.accent_color else ""}
    view_model = BrandingPage(
        typed=typed or saved,
        faults=fault_texts(faults),
        logo_path=customer.logo_path,
        shades=(light_shades(color), dark_shades(color)),
        is_saved=page.query.get("saved") == "1" and not faults,
    )
    status = 422 if faults else 200
    return page.render("settings/branding.html", view_model, section="Settings", status=status)


@post(PATH, request_max_body_size=MAX_LOGO_SIZE + FORM_OVERHEAD)
async def change_branding(page: Page) -> Response:
    """Save the branding, or show the form again with its errors."""
    form = await page.form()
    allow(page.actor, Permission.CUSTOMER_EDIT)
    typed = {"sender": read_text(form, "sender"), "color": read_text(form, "color", 20).lower()}
    typed["custom"] = read_text(form, "custom", 1)
    file = form.get("logo")
    try:
        content = await file.read() if isinstance(file, UploadFile) and file.filename else b""
        new = Branding(
            accent_color=typed["color"] if typed["custom"] else "",
            sender_name=typed["sender"],
            logo=await branding.scale_logo(content) if content else None,
            remove_logo=bool(form.get("remove")) and not content,
        )
        async with page.writing() as tx:
            await branding.change(tx, page.actor, new)
    except Invalid as error:
        return _render(page, typed, faults_by_field(error))
    return Redirect(f"{PATH}?saved=1")
