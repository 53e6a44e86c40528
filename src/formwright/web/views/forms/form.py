"""Actions on a form in the list: archiving and restoring it, and saving it as a template."""

from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates, versions
from formwright.domain.forms.models import FormChange, FormStatus
from formwright.domain.forms.templates import NewTemplate
from formwright.web.http import Redirect, post
from formwright.web.page import Page
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.folders import redirect_to_list


@post("/forms/{form_id:str}/archive")
async def archive_form(page: Page, form_id: str) -> Redirect:
    """Archive a form: it accepts no responses until it is restored."""
    return await _set_status(page, form_id, FormStatus.ARCHIVED, done="archived")


@post("/forms/{form_id:str}/restore")
async def restore_form(page: Page, form_id: str) -> Redirect:
    """Restore an archived form."""
    return await _set_status(page, form_id, FormStatus.ACTIVE, done="restored")


async def _set_status(page: Page, form_id: str, status: FormStatus, *, done: str) -> Redirect:
    """Change the status, and return to the form's settings or to the list, whichever the request came from."""
    sent = await page.form()
    async with page.writing() as tx:
        form = await forms.change(tx, page.actor, FormChange(status=status), form_id=form_id)
    if sent.get("back") == "settings":
        return Redirect(f"/forms/{form.id}/settings?done={done}")
    return redirect_to_list(_read_text(sent.get("here")), done=done, form=form.id)


@post("/forms/{form_id:str}/template")
async def save_as_template(page: Page, form_id: str) -> Redirect:
    """Save the newest version of a form as a template of the account."""
    sent = await page.form()
    current_folder, name, description = (_read_text(sent.get(part)) for part in ("here", "name", "description"))
    entered = {"name": name[:MAX_NAME], "description": description[:MAX_TEXT]}
    if not 1 <= len(name) <= MAX_NAME:
        return redirect_to_list(current_folder, template=form_id, fault=NAME_ERROR, **entered)
    try:
        async with page.writing() as tx:
            form = await forms.get(tx, page.actor, form_id=form_id)
            definition = (await versions.get_newest(tx, page.actor, form_id=form.id)).definition
            new = NewTemplate(name, entered["description"], definition.settings.language, form.tags, definition)
            created = await templates.create(tx, page.actor, new)
    except Invalid:
        fault = "The form has errors. Open it and fix them first."
        return redirect_to_list(current_folder, template=form_id, fault=fault, **entered)
    return Redirect(f"/forms/templates?created={created.id}")


def _read_text(value: object) -> str:
    return str(value or "").strip()
