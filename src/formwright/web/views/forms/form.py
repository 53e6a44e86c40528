"""Actions on a form in the list: archiving and restoring it, and saving it as a template."""

from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect

from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates, versions
from formwright.domain.forms.models import FormChange, FormStatus
from formwright.domain.forms.templates import NewTemplate
from formwright.web.session import get_app_context, require_visitor
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.folders import redirect_to_list


@post("/forms/{form_id:str}/archive", status_code=303)
async def archive_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Archive a form: it accepts no responses until it is restored."""
    return await _set_status(request, form_id, FormStatus.ARCHIVED, done="archived")


@post("/forms/{form_id:str}/restore", status_code=303)
async def restore_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Restore an archived form."""
    return await _set_status(request, form_id, FormStatus.ACTIVE, done="restored")


async def _set_status(request: Request[Any, Any, Any], form_id: str, status: FormStatus, *, done: str) -> Redirect:
    """Change the status, and return to the form's settings or to the list, whichever the request came from."""
    visitor, sent = await require_visitor(request), await request.form()
    async with get_app_context(request).db.writing() as tx:
        form = await forms.change(tx, visitor.actor, FormChange(status=status), form_id=form_id)
    if sent.get("back") == "settings":
        return Redirect(f"/forms/{form.id}/settings?done={done}", status_code=303)
    return redirect_to_list(_read_text(sent.get("here")), done=done, form=form.id)


@post("/forms/{form_id:str}/template", status_code=303)
async def save_as_template(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Save the newest version of a form as a template of the account."""
    visitor, sent = await require_visitor(request), await request.form()
    current_folder, name, description = (_read_text(sent.get(part)) for part in ("here", "name", "description"))
    entered = {"name": name[:MAX_NAME], "description": description[:MAX_TEXT]}
    if not 1 <= len(name) <= MAX_NAME:
        return redirect_to_list(current_folder, template=form_id, fault=NAME_ERROR, **entered)
    try:
        async with get_app_context(request).db.writing() as tx:
            form = await forms.get(tx, visitor.actor, form_id=form_id)
            definition = (await versions.get_newest(tx, visitor.actor, form_id=form.id)).definition
            new = NewTemplate(name, entered["description"], definition.settings.language, form.tags, definition)
            created = await templates.create(tx, visitor.actor, new)
    except Invalid:
        fault = "The form has errors. Open it and fix them first."
        return redirect_to_list(current_folder, template=form_id, fault=fault, **entered)
    return Redirect(f"/forms/templates?created={created.id}", status_code=303)


def _read_text(value: object) -> str:
    return str(value or "").strip()


HANDLERS = [archive_form, restore_form, save_as_template]
