"""Schemas of Folders."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import NotRequired, TypedDict, final


@final
class Folder(TypedDict):
    """A folder of forms and other folders."""

    id: str
    """The id of a folder."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the folder."""
    parentId: str | None
    """The folder that contains this one, or null at the top level."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class FolderMove(TypedDict):
    """The forms to move into a folder."""

    formIds: list[str]
    """The ids of the forms."""


@final
class FolderWrite(TypedDict):
    """A folder."""

    name: str
    """The name, which must be unique within the parent folder."""
    parentId: NotRequired[str | None]
    """The folder that contains this one, or null at the top level."""
