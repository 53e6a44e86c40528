"""Shapes of Folders.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Folder(TypedDict):
    """A folder of forms and other folders."""

    id: str
    customerId: str
    name: str
    parentId: str | None
    created: str
    updated: str
    revision: int


class FolderMove(TypedDict):
    """The forms to move into a folder."""

    formIds: list[str]


class FolderWrite(TypedDict):
    """A folder."""

    name: str
    parentId: NotRequired[str | None]
