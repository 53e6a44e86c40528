"""Settings, Branding: the logo and accent color of forms, emails and PDF reports, and the sender name of emails."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.colors import AccentShades, dark_shades, light_shades
from formwright.core.errors import Invalid
from formwright.domain.customers import branding
from formwright.domain.customers.branding import MAX_LOGO_SIZE, Branding
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_view
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
async def branding_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The form with the logo, accent color and sender name of the account."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
    return _render(request, visitor)


def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    customer = visitor.customer
    color = customer.accent_color or DEFAULT_COLOR
    saved = {"sender": customer.sender_name, "color": color, "custom": "1" if customer.accent_color else ""}
    view_model = BrandingPage(
        typed=typed or saved,
        faults=fault_texts(faults),
        logo_path=customer.logo_path,
        shades=(light_shades(color), dark_shades(color)),
        is_saved=request.query_params.get("saved") == "1" and not faults,
    )
    status = 422 if faults else 200
    return render_view(
        request, "settings/branding.html", view_model, visitor=visitor, section="Settings", status=status
    )


@post(PATH, status_code=303, request_max_body_size=MAX_LOGO_SIZE + FORM_OVERHEAD)
async def change_branding(request: Request[Any, Any, Any]) -> Response[Any]:
    """Save the branding, or show the form again with its errors."""
    visitor, form = await require_visitor(request), await request.form()
    allow(visitor.actor, Permission.CUSTOMER_EDIT)
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
        async with get_app_context(request).db.writing() as tx:
            await branding.change(tx, visitor.actor, new)
    except Invalid as error:
        return _render(request, visitor, typed, faults_by_field(error))
    return Redirect(f"{PATH}?saved=1", status_code=303)


HANDLERS = [branding_page, change_branding]
