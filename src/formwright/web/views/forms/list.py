"""The list of forms, by folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.folders.models import Folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormFilter, FormNotFound, FormStatus
from formwright.domain.quotas import service as quotas
from formwright.domain.submissions import service as submissions
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_relative_time
from formwright.web.views.download_kinds import download_url, may_download
from formwright.web.views.folders import editable_folder_options, list_all_folders, move_targets, path_to_folder
from formwright.web.views.list_pages import ListPage, ListRequest, Options, read_list_request, search_field

PATH = "/forms"
_MAX_COUNT = 1000
_DIALOG_PARAMETERS = ("add", "rename", "place", "name", "description", "fault")
_STATUS_CHANGES = {"archived": FormStatus.ARCHIVED, "restored": FormStatus.ACTIVE}


@dataclass(frozen=True, slots=True)
class FormRow:
    """A form in the list. `fill_url` is empty if the form can't be filled in, and `excel_url` if the visitor can't
    download its submissions."""

    id: str
    name: str
    description: str
    status: str
    folder: str
    fill_url: str
    excel_url: str
    is_archived: bool
    may_edit: bool
    submissions: str
    updated: DisplayTime
    is_limit_reached: bool


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """Where the list is: in a `folder`, or outside of folders, with the folders around and in it."""

    folder: Folder | None
    parents: Sequence[Folder]
    subfolders: Sequence[Folder]
    may_edit: bool


@dataclass(frozen=True, slots=True)
class FormListToolbar:
    """What was just done, and what the open dialog asks about.

    `changed_form` was just archived or restored. Dialogs ask about `form_to_move`, `form_to_archive` and
    `form_for_template`; `entered` has the values of a dialog that the server rejected, and which one it was.
    """

    changed_form: Form | None
    form_to_move: Form | None
    form_to_archive: Form | None
    form_for_template: Form | None
    form_folders: Options
    folder_destinations: Options
    entered: Mapping[str, str]
    may_edit_everywhere: bool


@dataclass(frozen=True, slots=True)
class FormListPage:
    """The view model of the list, of all forms or of those in a folder and below it."""

    forms: ListPage[FormRow]
    place: FolderPlace
    toolbar: FormListToolbar
    is_archive: bool
    archived_count: int
    may_read_submissions: bool


@get(PATH)
async def forms_page(page: Page) -> Response:
    """The account's forms, newest first, filtered by `?folder=` and `?q=`; with `?archived=1`, the archived ones."""
    if Permission.FORMS_READ not in page.actor.permissions:
        return await _render_fillable_forms(page)
    request = read_list_request(page, PATH, "q", kept=("folder", "archived"))
    folder_id, is_archive = request.values["folder"], request.values["archived"] == "1"
    folders = await list_all_folders(page.tx, page.actor)
    place = _find_place(page.visitor, folders, folder_id)
    archived = FormFilter(status=FormStatus.ARCHIVED)
    view_model = FormListPage(
        forms=await _load_forms(page, request, folders),
        place=place,
        toolbar=await _load_toolbar(page, place, folders),
        is_archive=is_archive,
        archived_count=await forms.count(page.tx, page.actor, archived, folder_id=folder_id or None),
        may_read_submissions=Permission.SUBMISSIONS_READ in page.actor.permissions,
    )
    return page.render("forms/list.html", view_model, section="Forms")


async def _load_forms(page: Page, request: ListRequest, folders: Sequence[Folder]) -> ListPage[FormRow]:
    values, now = request.values, page.ctx.clock.now()
    status = FormStatus.ARCHIVED if values["archived"] == "1" else FormStatus.ACTIVE
    filter_, folder_id = FormFilter(status=status, text=values["q"]), values["folder"] or None
    found = await forms.page(page.tx, page.actor, request.window, filter_, folder_id=folder_id, newest_first=True)
    counts = await _count_submissions(page.tx, page.visitor, found.items)
    limits = await quotas.find_reached_limits(page.tx, page.actor, now)
    by_id = {folder.id: folder for folder in folders}
    rows = [_form_row(page.visitor, form, by_id, counts.get(form.id, 0), limits, now) for form in found.items]
    return request.build(rows, found.next, search_field("Search by name"))


def _find_place(visitor: Visitor, folders: Sequence[Folder], folder_id: str) -> FolderPlace:
    by_id = {folder.id: folder for folder in folders}
    return FolderPlace(
        folder=by_id.get(folder_id),
        parents=path_to_folder(by_id, folder_id)[:-1],
        subfolders=_subfolders(folders, folder_id),
        may_edit=_may_edit_in(visitor, folder_id),
    )


async def _load_toolbar(page: Page, place: FolderPlace, folders: Sequence[Folder]) -> FormListToolbar:
    tx, visitor, query = page.tx, page.visitor, page.query
    changed_form = await _find_editable_form(tx, visitor, query.get("form"))
    if changed_form and changed_form.status is not _STATUS_CHANGES.get(query.get("done", "")):
        changed_form = None
    return FormListToolbar(
        changed_form=changed_form,
        form_to_move=await _find_editable_form(tx, visitor, query.get("move")),
        form_to_archive=await _find_editable_form(tx, visitor, query.get("archive")),
        form_for_template=await _find_editable_form(tx, visitor, query.get("template")),
        form_folders=editable_folder_options(visitor, folders),
        folder_destinations=move_targets(folders, place.folder) if place.folder else [],
        entered={name: query.get(name, "") for name in _DIALOG_PARAMETERS},
        may_edit_everywhere=visitor.may_everywhere(Permission.FORMS_EDIT),
    )


def _may_edit_in(visitor: Visitor, folder_id: str) -> bool:
    """Whether the visitor may create forms and folders in a folder, or outside of folders if the id is empty."""
    may_edit = Permission.FORMS_EDIT in visitor.actor.permissions
    return may_edit and allow(visitor.actor, Permission.FORMS_EDIT).has_folder(folder_id or None)


async def _count_submissions(tx: ReadTransaction, visitor: Visitor, listed: Sequence[Form]) -> dict[str, int]:
    if Permission.SUBMISSIONS_READ not in visitor.actor.permissions:
        return {}
    return await submissions.count_by_form(tx, visitor.actor, [form.id for form in listed], limit=_MAX_COUNT + 1)


async def _find_editable_form(tx: ReadTransaction, visitor: Visitor, form_id: str | None) -> Form | None:
    """Find a form, if the visitor may change it."""
    try:
        form = await forms.get(tx, visitor.actor, form_id=form_id) if form_id else None
    except FormNotFound:
        return None
    return form if form and visitor.may(Permission.FORMS_EDIT, form) else None


def _subfolders(folders: Sequence[Folder], folder_id: str) -> list[Folder]:
    """Return the folders in a folder, by name. Folders whose parent the visitor can't see count as top-level ones."""
    known_ids = {folder.id for folder in folders}
    inside = [folder for folder in folders if (folder.parent_id if folder.parent_id in known_ids else "") == folder_id]
    return sorted(inside, key=lambda folder: folder.name.casefold())


def _form_row(
    visitor: Visitor, form: Form, folders_by_id: dict[str, Folder], count: int, reached_limits: set[str], now: int
) -> FormRow:
    is_archived = form.status is FormStatus.ARCHIVED
    is_published = form.published_version_id is not None
    return FormRow(
        id=form.id,
        name=form.name,
        description=form.description,
        status=form.status if is_published or is_archived else "draft",
        folder=" › ".join(folder.name for folder in path_to_folder(folders_by_id, form.folder_id)),
        fill_url=f"/fill/{form.link}" if is_published and not is_archived else "",
        excel_url=download_url("xlsx", [("form", form.id)]) if may_download(visitor, form) else "",
        is_archived=is_archived,
        may_edit=visitor.may(Permission.FORMS_EDIT, form),
        submissions=f"{count:,}" if count <= _MAX_COUNT else f"{_MAX_COUNT:,}+",
        updated=format_relative_time(form.updated, now, visitor.customer.time_zone),
        is_limit_reached=bool({form.id, quotas.ACCOUNT} & reached_limits),
    )


@dataclass(frozen=True, slots=True)
class FillableFormListPage:
    """The view model of the list for people who may only fill in forms."""

    forms: Sequence[Form]


async def _render_fillable_forms(page: Page) -> Response:
    fillable: Sequence[Form] = []
    if Permission.SUBMISSIONS_CREATE in page.actor.permissions:
        fillable = await forms.list_fillable(page.tx, page.actor)
    view_model = FillableFormListPage(fillable)
    return page.render("forms/fillable.html", view_model, section="Forms")
