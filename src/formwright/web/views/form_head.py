"""The head of a form's pages: the path to its folder, its name, the downloads of its submissions, and its tabs."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.folders.models import Folder
from formwright.domain.forms.models import Form, FormStatus
from formwright.web.session import Visitor
from formwright.web.views.download_kinds import DOWNLOADS, download_url, may_download
from formwright.web.views.folders import list_all_folders, path_to_folder


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of a form, and the URL that it opens."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class DownloadLink:
    """A file of submissions in the menu *Download*."""

    name: str
    description: str
    url: str


@dataclass(frozen=True, slots=True)
class FormHead:
    """The head of a form's pages. `folders` lead from the top-level one to that of the form.

    `assign_url` opens the page that assigns the form as a task, and `import_url` the imports of submissions; empty if
    the visitor can't.
    """

    form: Form
    folders: Sequence[Folder]
    tabs: Sequence[Tab]
    downloads: Sequence[DownloadLink] = ()
    assign_url: str = ""
    import_url: str = ""


async def load_form_head(
    tx: ReadTransaction, visitor: Visitor, form: Form, filters: Sequence[tuple[str, str]] = ()
) -> FormHead:
    """Load the head of a form's pages, with the tabs that the visitor may open; see `build_form_head`."""
    return build_form_head(visitor, form, await list_all_folders(tx, visitor.actor), filters)


def build_form_head(
    visitor: Visitor, form: Form, folders: Sequence[Folder], filters: Sequence[tuple[str, str]] = ()
) -> FormHead:
    """Return the head of a form's pages, with its path in these folders and the tabs that the visitor may open.

    `filters` are the query parameters of the list of submissions, which the downloads and the tabs that show
    submissions keep.
    """
    path = path_to_folder({folder.id: folder for folder in folders}, form.folder_id)
    kept = [(name, value) for name, value in filters if name not in ("form", "folder")]
    downloads = _list_downloads([("form", form.id), *kept]) if may_download(visitor, form) else []
    can_be_assigned = form.published_version_id and form.status is not FormStatus.ARCHIVED
    assign_url = f"/tasks/new?form={form.id}" if can_be_assigned and visitor.may(Permission.TASKS_MANAGE, form) else ""
    may_import = form.published_version_id and visitor.may(Permission.SUBMISSIONS_CREATE, form)
    import_url = f"/forms/{form.id}/imports" if may_import and visitor.may(Permission.SUBMISSIONS_READ, form) else ""
    return FormHead(form, path, _list_tabs(visitor, form, kept), downloads, assign_url, import_url)


def _list_downloads(filters: Sequence[tuple[str, str]]) -> list[DownloadLink]:
    """Return the files of the submissions that match the query parameters."""

    def link(extension: str, name: str, description: str, *more: tuple[str, str]) -> DownloadLink:
        return DownloadLink(name, description, download_url(extension, [*filters, *more]))

    return [
        *(link(extension, one.name, one.description) for extension, one in DOWNLOADS.items()),
        link("csv", "CSV for import", "Into another form, without loss", ("for", "import")),
        link("xlsx", "Excel for import", "Into another form, without loss", ("for", "import")),
    ]


def _list_tabs(visitor: Visitor, form: Form, kept: Sequence[tuple[str, str]]) -> list[Tab]:
    """Return the tabs in their order. To add one, add its name, URL and permission here, and use the template."""
    home = f"/forms/{form.id}"
    tabs = [
        (Tab("Summary", f"{home}/summary{'?' + urlencode(kept) if kept else ''}"), Permission.SUBMISSIONS_READ),
        (Tab("Submissions", f"/submissions?{urlencode([('form', form.id), *kept])}"), Permission.SUBMISSIONS_READ),
        (Tab("Map", f"{home}/map{'?' + urlencode(kept) if kept else ''}"), Permission.SUBMISSIONS_READ),
        (Tab("Design", f"{home}/design"), Permission.FORMS_READ),
        (Tab("Share", f"{home}/share"), Permission.FORMS_READ),
        (Tab("Settings", f"{home}/settings"), Permission.FORMS_EDIT),
    ]
    return [tab for tab, permission in tabs if visitor.may(permission, form)]
