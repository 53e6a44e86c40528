"""Folders: making one, renaming and moving it, and putting forms into one."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from litestar import Request, post
from litestar.params import FromPath
from litestar.response import Redirect

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import Folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormChange
from formwright.web.session import Visitor, get_app_context, require_visitor

_MAX_NAME = 200
_NAME_ERROR = f"Enter a name (up to {_MAX_NAME} characters)."


async def list_all_folders(tx: ReadTransaction, actor: Actor) -> list[Folder]:
    """All folders of the account."""
    found: list[Folder] = []
    place: Position | None = None
    while True:
        page = await folders.page(tx, actor, Window(MAX_LIMIT, place))
        found += page.items
        if page.next is None:
            return found
        place = page.next


def folder_options(folders_: Sequence[Folder], chosen_id: str) -> list[dict[str, Any]]:
    """The tree as lines to choose from, each with its whole way: “Sites › North”."""
    by_id = {folder.id: folder for folder in folders_}
    lines = [(" › ".join(one.name for one in path_to_folder(by_id, folder.id)), folder.id) for folder in folders_]
    return [{"id": id_, "name": name, "selected": id_ == chosen_id} for name, id_ in sorted(lines, key=_sort_key)]


def editable_folder_options(visitor: Visitor, folders_: Sequence[Folder], chosen_id: str) -> list[dict[str, Any]]:
    """Those of the lines into which the visitor may put something."""
    if Permission.FORMS_EDIT not in visitor.actor.permissions:
        return []
    scope = allow(visitor.actor, Permission.FORMS_EDIT)
    return [line for line in folder_options(folders_, chosen_id) if scope.has_folder(line["id"])]


def move_targets(folders_: Sequence[Folder], moved: Folder | None) -> list[dict[str, Any]]:
    """Where a folder can go: anywhere but into itself and what is below it."""
    if moved is None:
        return []
    by_id = {folder.id: folder for folder in folders_}
    others = [one for one in folders_ if moved not in path_to_folder(by_id, one.id)]
    names = {line["id"]: line for line in folder_options(folders_, moved.parent_id or "")}
    return sorted((names[one.id] for one in others), key=lambda line: str(line["name"]).casefold())


def _sort_key(option: tuple[str, str]) -> str:
    return option[0].casefold()


def path_to_folder(by_id: dict[str, Folder], folder_id: str | None) -> list[Folder]:
    """The folders from the root down to this one."""
    found: list[Folder] = []
    while folder_id in by_id:
        found.insert(0, by_id[folder_id])
        folder_id = by_id[folder_id].parent_id
    return found


def redirect_to_list(current_folder: str, **more: str) -> Redirect:
    """To the list of forms, in the folder that was open."""
    query = urlencode({name: value for name, value in ({"folder": current_folder} | more).items() if value})
    return Redirect(f"/forms?{query}" if query else "/forms", status_code=303)


@post("/folders", status_code=303)
async def add_folder(request: Request[Any, Any, Any]) -> Redirect:
    """A new folder, in the one that is open."""
    visitor, sent = await require_visitor(request), await request.form()
    name, parent = (str(sent.get(part, "")).strip() for part in ("name", "parent"))
    if not 1 <= len(name) <= _MAX_NAME:
        return redirect_to_list(parent, add="1", name=name[:_MAX_NAME], fault=_NAME_ERROR)
    try:
        async with get_app_context(request).db.writing() as tx:
            made = await folders.create(tx, visitor.actor, name=name, parent_id=parent or None)
    except DomainError as error:
        return redirect_to_list(parent, add="1", name=name, fault=_error_text(error))
    return redirect_to_list(made.id)


@post("/folders/{folder_id:str}/rename", status_code=303)
async def rename_folder(request: Request[Any, Any, Any], folder_id: FromPath[str]) -> Redirect:
    """Another name for a folder."""
    visitor, sent = await require_visitor(request), await request.form()
    name = str(sent.get("name", "")).strip()
    if not 1 <= len(name) <= _MAX_NAME:
        return redirect_to_list(folder_id, rename="1", name=name[:_MAX_NAME], fault=_NAME_ERROR)
    try:
        async with get_app_context(request).db.writing() as tx:
            folder = await folders.get(tx, visitor.actor, folder_id=folder_id)
            await folders.update(tx, visitor.actor, folder_id=folder_id, name=name, parent_id=folder.parent_id)
    except DomainError as error:
        return redirect_to_list(folder_id, rename="1", name=name, fault=_error_text(error))
    return redirect_to_list(folder_id)


@post("/folders/{folder_id:str}/move", status_code=303)
async def move_folder(request: Request[Any, Any, Any], folder_id: FromPath[str]) -> Redirect:
    """Take a folder elsewhere, with all that is in it."""
    visitor, sent = await require_visitor(request), await request.form()
    into = str(sent.get("folder", ""))
    try:
        async with get_app_context(request).db.writing() as tx:
            folder = await folders.get(tx, visitor.actor, folder_id=folder_id)
            await folders.update(tx, visitor.actor, folder_id=folder_id, name=folder.name, parent_id=into or None)
    except DomainError as error:
        return redirect_to_list(folder_id, place="1", fault=_error_text(error))
    return redirect_to_list(folder_id)


@post("/forms/{form_id:str}/move", status_code=303)
async def move_form(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Redirect:
    """Put a form into a folder, or take it out of all."""
    visitor, sent = await require_visitor(request), await request.form()
    here, folder = (str(sent.get(part, "")) for part in ("here", "folder"))
    what = FormChange(folder_id=folder or None, to_root=not folder)
    try:
        async with get_app_context(request).db.writing() as tx:
            await forms.change(tx, visitor.actor, what, form_id=form_id)
    except Invalid as error:
        return redirect_to_list(here, move=form_id, fault=_error_text(error))
    return redirect_to_list(here)


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


HANDLERS = [add_folder, rename_folder, move_folder, move_form]
