"""Schemas of Announcements."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, final


@final
class Announcement(TypedDict):
    """An announced change to the API."""

    name: str
    """A unique name of the announcement, which never changes."""
    kind: AnnouncementKind
    """The kind of an announced change. `DEPRECATION`: something still works and will be removed. `CHANGE`:
    any other change.
    """
    title: str
    """A short title."""
    description: str
    """What changes, and what you have to do."""
    announced: str
    """The day of the announcement."""
    effective: str
    """The day from which the change applies."""
    sunset: str | None
    """The day from which the deprecated part may be removed."""
    operations: list[str]
    """The affected operations, by operationId. Empty together with `fields`: the whole API."""
    fields: list[str]
    """The affected properties, as `Schema.property`."""
    replacement: str | None
    """What to use instead: an operationId or `Schema.property`."""
    url: str
    """A page on this server that describes the change."""


AnnouncementKind: TypeAlias = Literal["CHANGE", "DEPRECATION"]
"""The kind of an announced change. `DEPRECATION`: something still works and will be removed. `CHANGE`:
any other change.
"""
