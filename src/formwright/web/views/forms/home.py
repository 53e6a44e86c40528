"""A form's own pages: where it opens, and its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import xform_ids
from formwright.domain.forms.models import Form, FormChange, FormNotFound, FormStatus
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.designer.new import MAX_NAME, MAX_TEXT, NAME_ERROR
from formwright.web.views.folders import editable_folder_options, list_all_folders
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.form_input import faults_by_field, read_text

PATH = "/forms/{form_id:str}"


@get(PATH)
async def form_home(page: Page, form_id: str) -> Redirect:
    """Open the first tab of a form that the visitor may see: its summary, if there is anything to summarize."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    head = await load_form_head(page.tx, page.visitor, form)
    tabs = [tab for tab in head.tabs if tab.name != "Summary" or await _has_submissions(page.tx, page.visitor, form)]
    return Redirect(tabs[0].url)


async def _has_submissions(tx: ReadTransaction, visitor: Visitor, form: Form) -> bool:
    return await submissions.count(tx, visitor.actor, SubmissionFilter(form_ids=[form.id]), limit=1) > 0


@dataclass(frozen=True, slots=True)
class FormSettingsPage:
    """The view model of the tab “Settings”: the values of its fields, and the errors of rejected ones.

    `root` is the label of the option for no folder, empty if the visitor may not choose it. Without `folders` and
    `root`, the visitor can't move the form.
    """

    head: FormHead
    typed: Mapping[str, str]
    faults: Mapping[str, str]
    folders: Sequence[tuple[str, str]]
    root: str
    notice: str
    is_archived: bool
    may_save_template: bool


_XFORM_ID_ERROR = "Use at most 200 characters, without <, > and &."
_NOTICES = {
    "saved": "Saved.",
    "archived": "Archived. The form no longer accepts responses.",
    "restored": "Restored. The form accepts responses again.",
}


@get(PATH + "/settings")
async def form_settings_page(page: Page, form_id: str) -> Response:
    """The name, description and folder of a form, and archiving it."""
    return await _render_settings(page, form_id)


async def _render_settings(
    page: Page,
    form_id: str,
    *,
    faults: Mapping[str, str] | None = None,
    **typed: str,
) -> Response:
    form = await _find_editable(page.tx, page.visitor, form_id)
    folders = editable_folder_options(page.visitor, await list_all_folders(page.tx, page.actor))
    head = await load_form_head(page.tx, page.visitor, form)
    may_edit_everywhere = page.visitor.may_everywhere(Permission.FORMS_EDIT)
    view_model = FormSettingsPage(
        head=head,
        typed={
            "name": form.name,
            "description": form.description,
            "folder": form.folder_id or "",
            "xform": form.xform_id or "",
        }
        | typed,
        faults=faults or {},
        folders=folders,
        root="No folder" if may_edit_everywhere else "",
        notice="" if faults else _NOTICES.get(page.query.get("done", ""), ""),
        is_archived=form.status is FormStatus.ARCHIVED,
        may_save_template=may_edit_everywhere,
    )
    status = 422 if faults else 200
    return page.render("forms/settings.html", view_model, section="Forms", status=status)


async def _find_editable(tx: ReadTransaction, visitor: Visitor, form_id: str) -> Form:
    form = await forms.find(tx, allow(visitor.actor, Permission.FORMS_EDIT), form_id)
    if form is None:
        raise FormNotFound()
    return form


@post(PATH + "/settings")
async def change_form_settings(page: Page, form_id: str) -> Response:
    """Save the name, description and folder of a form."""
    sent = await page.form()
    typed = {"name": read_text(sent, "name", MAX_NAME + 1), "description": read_text(sent, "description", MAX_TEXT)}
    typed["xform"] = read_text(sent, "xform", xform_ids.MAX_LENGTH + 1)
    if "folder" in sent:
        typed["folder"] = read_text(sent, "folder")
    if not 1 <= len(typed["name"]) <= MAX_NAME:
        return await _render_settings(page, form_id, faults={"name": NAME_ERROR}, **typed)
    if typed["xform"] and not xform_ids.is_valid(typed["xform"]):
        return await _render_settings(page, form_id, faults={"xform": _XFORM_ID_ERROR}, **typed)
    try:
        async with page.writing() as tx:
            form = await _find_editable(tx, page.visitor, form_id)
            folder = typed.get("folder", form.folder_id or "")
            is_moved = folder != (form.folder_id or "")
            change = FormChange(
                name=typed["name"],
                description=typed["description"],
                folder_id=folder if is_moved and folder else None,
                to_root=is_moved and not folder,
                xform_id=typed["xform"] or None,
            )
            await forms.change(tx, page.actor, change, form_id=form_id)
    except Invalid as error:
        faults = faults_by_field(error)
        shown = {"folder": faults.pop("folderId", ""), "xform": faults.pop("xformId", "")} | faults
        return await _render_settings(page, form_id, faults=shown, **typed)
    return Redirect(f"/forms/{form_id}/settings?done=saved")
