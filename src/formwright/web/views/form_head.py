"""The head of a form's pages: the path to its folder, its name and its tabs."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.folders.models import Folder
from formwright.domain.forms.models import Form, FormStatus
from formwright.web.session import Visitor
from formwright.web.views.folders import list_all_folders, path_to_folder


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a form, and the URL that it opens."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class FormHead:
    """The head of a form's pages. `folders` lead from the top-level one to that of the form.

    `assign_url` opens the page that assigns the form as a task; empty if the visitor can't.
    """

    form: Form
    folders: Sequence[Folder]
    tabs: Sequence[Tab]
    assign_url: str = ""


async def load_form_head(
    tx: ReadTransaction, visitor: Visitor, form: Form, filters: Sequence[tuple[str, str]] = ()
) -> FormHead:
    """Load the head of a form's pages, with the tabs that the visitor may open.

    `filters` are the query parameters of the list of submissions, which the tabs that show submissions keep.
    """
    folders_by_id = {folder.id: folder for folder in await list_all_folders(tx, visitor.actor)}
    can_be_assigned = form.published_version_id and form.status is not FormStatus.ARCHIVED
    return FormHead(
        form,
        path_to_folder(folders_by_id, form.folder_id),
        _list_tabs(visitor, form, filters),
        f"/tasks/new?form={form.id}" if can_be_assigned and visitor.may(Permission.TASKS_MANAGE, form) else "",
    )


def _list_tabs(visitor: Visitor, form: Form, filters: Sequence[tuple[str, str]]) -> list[Tab]:
    """Return the tabs in their order. To add one, add its name, URL and permission here, and use the template."""
    home = f"/forms/{form.id}"
    kept = [(name, value) for name, value in filters if name not in ("form", "folder")]
    tabs = [
        (Tab("Summary", f"{home}/summary{'?' + urlencode(kept) if kept else ''}"), Permission.SUBMISSIONS_READ),
        (Tab("Submissions", f"/submissions?{urlencode([('form', form.id), *kept])}"), Permission.SUBMISSIONS_READ),
        (Tab("Map", f"{home}/map{'?' + urlencode(kept) if kept else ''}"), Permission.SUBMISSIONS_READ),
        (Tab("Design", f"{home}/design"), Permission.FORMS_READ),
        (Tab("Share", f"{home}/share"), Permission.FORMS_READ),
        (Tab("Settings", f"{home}/settings"), Permission.FORMS_EDIT),
    ]
    return [tab for tab, permission in tabs if visitor.may(permission, form)]
