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
from formwright.web.session import get_app_context, visitor
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.new import LONGEST_NAME, LONGEST_TEXT, NAME_WRONG
from formwright.web.views.folders import back


@post("/forms/{form_id:str}/archive", status_code=303)
async def archive(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Put a form away: it takes no more answers until it is brought back."""
    form, here = await _become(request, form_id, FormStatus.ARCHIVED)
    return back(here, done="archived", form=form.id)


@post("/forms/{form_id:str}/restore", status_code=303)
async def restore(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Bring a form back as it was."""
    form, here = await _become(request, form_id, FormStatus.ACTIVE)
    return back(here, done="restored", form=form.id)


async def _become(request: Request[Any, Any, Any], form_id: str, status: FormStatus) -> tuple[Form, str]:
    who, sent = await visitor(request), await request.form()
    async with get_app_context(request).db.writing() as tx:
        form = await forms.change(tx, who.actor, FormChange(status=status), form_id=form_id)
    return form, _text(sent.get("here"))


@post("/forms/{form_id:str}/template", status_code=303)
async def keep_as_template(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Keep the newest version as a template of the account, under a name."""
    who, sent = await visitor(request), await request.form()
    here, name, description = (_text(sent.get(part)) for part in ("here", "name", "description"))
    typed = {"name": name[:LONGEST_NAME], "description": description[:LONGEST_TEXT]}
    if not 1 <= len(name) <= LONGEST_NAME:
        return back(here, template=form_id, fault=NAME_WRONG, **typed)
    try:
        async with get_app_context(request).db.writing() as tx:
            form = await forms.get(tx, who.actor, form_id=form_id)
            asked = (await drafts.newest(tx, who.actor, form)).definition
            new = NewTemplate(name, typed["description"], asked.settings.language, form.tags, asked)
            made = await templates.create(tx, who.actor, new)
    except Invalid:
        fault = "The form has errors. Open it and fix them first."
        return back(here, template=form_id, fault=fault, **typed)
    return Redirect(f"/forms/templates?made={made.id}", status_code=303)


def _text(given: object) -> str:
    return str(given or "").strip()


HANDLERS = [archive, restore, keep_as_template]
