"""What is done with a form as a whole: put it away, bring it back, keep it as a template."""

from typing import Any

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect

from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import templates
from formwright.domain.forms.models import Form, FormChange, FormStatus
from formwright.domain.forms.templates import NewTemplate
from formwright.web.session import get_app_context, require_visitor
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.folders import redirect_to_list


@post("/forms/{form_id:str}/archive", status_code=303)
async def archive_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Put a form away: it takes no more answers until it is brought back."""
    form, here = await _set_status(request, form_id, FormStatus.ARCHIVED)
    return redirect_to_list(here, done="archived", form=form.id)


@post("/forms/{form_id:str}/restore", status_code=303)
async def restore_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Bring a form back as it was."""
    form, here = await _set_status(request, form_id, FormStatus.ACTIVE)
    return redirect_to_list(here, done="restored", form=form.id)


async def _set_status(request: Request[Any, Any, Any], form_id: str, status: FormStatus) -> tuple[Form, str]:
    visitor, sent = await require_visitor(request), await request.form()
    async with get_app_context(request).db.writing() as tx:
        form = await forms.change(tx, visitor.actor, FormChange(status=status), form_id=form_id)
    return form, _read_text(sent.get("here"))


@post("/forms/{form_id:str}/template", status_code=303)
async def save_as_template(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Keep the newest version as a template of the account, under a name."""
    visitor, sent = await require_visitor(request), await request.form()
    here, name, description = (_read_text(sent.get(part)) for part in ("here", "name", "description"))
    typed = {"name": name[:MAX_NAME], "description": description[:MAX_TEXT]}
    if not 1 <= len(name) <= MAX_NAME:
        return redirect_to_list(here, template=form_id, fault=NAME_ERROR, **typed)
    try:
        async with get_app_context(request).db.writing() as tx:
            form = await forms.get(tx, visitor.actor, form_id=form_id)
            asked = (await drafts.load_newest_version(tx, visitor.actor, form)).definition
            new = NewTemplate(name, typed["description"], asked.settings.language, form.tags, asked)
            made = await templates.create(tx, visitor.actor, new)
    except Invalid:
        fault = "The form has errors. Open it and fix them first."
        return redirect_to_list(here, template=form_id, fault=fault, **typed)
    return Redirect(f"/forms/templates?made={made.id}", status_code=303)


def _read_text(given: object) -> str:
    return str(given or "").strip()


HANDLERS = [archive_form, restore_form, save_as_template]
