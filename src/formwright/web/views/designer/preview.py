"""A preview of a form in the designer: it looks and validates like the real page, and can't submit anything."""

from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.web.fill.form_page import FormPage, find_assets
from formwright.web.fill.media import find_media
from formwright.web.fill.messages import find_no_script_message
from formwright.web.fill.page_data import form_data
from formwright.web.fill.position_map import map_data
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.templating import PAGE_HEADERS

# Shown in an iframe of the designer. Without connections to any server, no entered data leaves the browser.
_SECURITY_POLICY = (
    PAGE_HEADERS["content-security-policy"]
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace("form-action 'self'", "form-action 'none'")
    .replace("worker-src 'self'", "worker-src 'none'")
)


@get("/forms/{form_id:str}/preview")
async def preview_page(page: Page, form_id: str) -> Response:
    """The newest version, or the one with the id `?version=`."""
    version_id = page.query.get("version", "")
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    if version_id:
        version = await versions.get(page.tx, page.actor, form_id=form.id, version_id=version_id)
    else:
        version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    media = await find_media(page.ctx, page.tx, form, version)
    language = version.definition.settings.language
    settings = page.ctx.settings
    data = form_data(version, "") | {"preview": True, "keep": []} | map_data(settings, version)
    view_model = FormPage(
        form=form,
        account=page.visitor.customer,
        language=language,
        no_script=find_no_script_message(language),
        form_data=data | media,
        assets=find_assets(data, language),
    )
    response = page.render("fill/form.html", view_model)
    response.headers["content-security-policy"] = _SECURITY_POLICY
    return response
