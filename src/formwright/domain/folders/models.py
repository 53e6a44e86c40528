"""Folders."""

from dataclasses import dataclass

from formwright.core.errors import Conflict, NotFound

MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder; without a parent it is at the root. Times in milliseconds."""

    id: str
    customer_id: str
    name: str
    parent_id: str | None
    created: int
    updated: int
    revision: int


class FolderNotFound(NotFound):
    """No such folder in this account."""

    code = "folder.not_found"
    detail = "There is no such folder in this account."


class FolderNameTaken(Conflict):
    """A folder of this name is beside it."""

    code = "folder.name_taken"
    detail = "There is a folder with this name in the same place already."


class FolderCycle(Conflict):
    """It would be below itself."""

    code = "folder.circle"
    detail = "A folder cannot be moved into itself or into one below it."


class FolderTooDeep(Conflict):
    """The tree would be too deep."""

    code = "folder.too_deep"
    detail = f"Folders go at most {MAX_DEPTH} levels deep."
