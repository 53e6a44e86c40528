"""Folders: creating, renaming and moving them, and moving forms into them."""

from collections.abc import Sequence
from urllib.parse import urlencode

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import Folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormChange
from formwright.web.http import Redirect, post
from formwright.web.page import Page
from formwright.web.session import Visitor

_MAX_NAME = 200
_NAME_ERROR = f"Enter a name (up to {_MAX_NAME} characters)."


async def list_all_folders(tx: ReadTransaction, actor: Actor) -> list[Folder]:
    """Return all folders that the actor can see."""
    listed: list[Folder] = []
    position: Position | None = None
    while True:
        page = await folders.page(tx, actor, Window(MAX_LIMIT, position))
        listed += page.items
        if page.next is None:
            return listed
        position = page.next


def folder_options(folders_: Sequence[Folder]) -> list[tuple[str, str]]:
    """Return the options of a select: the id of each folder with its path, such as “Sites › North”, by path."""
    by_id = {folder.id: folder for folder in folders_}
    paths = [(folder.id, " › ".join(one.name for one in path_to_folder(by_id, folder.id))) for folder in folders_]
    return sorted(paths, key=lambda option: option[1].casefold())


def editable_folder_options(visitor: Visitor, folders_: Sequence[Folder]) -> list[tuple[str, str]]:
    """Return the options for the folders to which the visitor may add forms and folders."""
    if Permission.FORMS_EDIT not in visitor.actor.permissions:
        return []
    scope = allow(visitor.actor, Permission.FORMS_EDIT)
    return [option for option in folder_options(folders_) if scope.has_folder(option[0])]


def move_targets(folders_: Sequence[Folder], moved: Folder) -> list[tuple[str, str]]:
    """Return the options for the folders into which a folder can be moved: not itself and those below it."""
    by_id = {folder.id: folder for folder in folders_}
    return [option for option in folder_options(folders_) if moved not in path_to_folder(by_id, option[0])]


def path_to_folder(by_id: dict[str, Folder], folder_id: str | None) -> list[Folder]:
    """Return the folders from the top-level one down to this one; empty for an unknown id."""
    path: list[Folder] = []
    while folder_id in by_id:
        path.insert(0, by_id[folder_id])
        folder_id = by_id[folder_id].parent_id
    return path


def redirect_to_list(current_folder: str, **more: str) -> Redirect:
    """Redirect to the list of forms in a folder, with further query parameters."""
    query = urlencode({name: value for name, value in ({"folder": current_folder} | more).items() if value})
    return Redirect(f"/forms?{query}" if query else "/forms")


@post("/folders")
async def add_folder(page: Page) -> Redirect:
    """Create a folder in the current one."""
    sent = await page.form()
    name, parent = (str(sent.get(part, "")).strip() for part in ("name", "parent"))
    if not 1 <= len(name) <= _MAX_NAME:
        return redirect_to_list(parent, add="1", name=name[:_MAX_NAME], fault=_NAME_ERROR)
    try:
        async with page.writing() as tx:
            created = await folders.create(tx, page.actor, name=name, parent_id=parent or None)
    except DomainError as error:
        return redirect_to_list(parent, add="1", name=name, fault=_error_text(error))
    return redirect_to_list(created.id)


@post("/folders/{folder_id:str}/rename")
async def rename_folder(page: Page, folder_id: str) -> Redirect:
    """Rename a folder."""
    sent = await page.form()
    name = str(sent.get("name", "")).strip()
    if not 1 <= len(name) <= _MAX_NAME:
        return redirect_to_list(folder_id, rename="1", name=name[:_MAX_NAME], fault=_NAME_ERROR)
    try:
        async with page.changing() as tx:
            folder = await folders.get(tx, page.actor, folder_id=folder_id)
            await folders.update(tx, page.actor, folder_id=folder_id, name=name, parent_id=folder.parent_id)
    except DomainError as error:
        return redirect_to_list(folder_id, rename="1", name=name, fault=_error_text(error))
    return redirect_to_list(folder_id)


@post("/folders/{folder_id:str}/move")
async def move_folder(page: Page, folder_id: str) -> Redirect:
    """Move a folder, with everything in it, into another one or to the top level."""
    sent = await page.form()
    parent_id = str(sent.get("folder", ""))
    try:
        async with page.changing() as tx:
            folder = await folders.get(tx, page.actor, folder_id=folder_id)
            await folders.update(tx, page.actor, folder_id=folder_id, name=folder.name, parent_id=parent_id or None)
    except DomainError as error:
        return redirect_to_list(folder_id, place="1", fault=_error_text(error))
    return redirect_to_list(folder_id)


@post("/forms/{form_id:str}/move")
async def move_form(page: Page, form_id: str) -> Redirect:
    """Move a form into a folder, or out of all folders."""
    sent = await page.form()
    current_folder, folder = (str(sent.get(part, "")) for part in ("here", "folder"))
    change = FormChange(folder_id=folder or None, to_root=not folder)
    try:
        async with page.writing() as tx:
            await forms.change(tx, page.actor, change, form_id=form_id)
    except Invalid as error:
        return redirect_to_list(current_folder, move=form_id, fault=_error_text(error))
    return redirect_to_list(current_folder)


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else error.text
