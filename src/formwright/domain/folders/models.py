"""The folder record, its errors and limits."""

from dataclasses import dataclass

from formwright.core.errors import Conflict, NotFound

MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, at the root if it has no parent. Times are in milliseconds."""

    id: str
    customer_id: str
    name: str
    parent_id: str | None
    created: int
    updated: int
    revision: int


class FolderNotFound(NotFound):
    """The account has no folder with this id, or the actor cannot access it."""

    code = "folder.not_found"
    detail = "There is no such folder in this account."


class FolderNameTaken(Conflict):
    """The parent folder already contains a folder with this name."""

    code = "folder.name_taken"
    detail = "A folder with this name already exists in the same parent folder. Choose another name."


class FolderCycle(Conflict):
    """The folder would become its own descendant."""

    code = "folder.circle"
    detail = "A folder cannot be moved into itself or into one of its subfolders."


class FolderTooDeep(Conflict):
    """The tree would become too deep."""

    code = "folder.too_deep"
    detail = f"Folders can be nested at most {MAX_DEPTH} levels deep."
