"""Shapes of Announcements.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict


class Announcement(TypedDict):
    """An announced change to the API."""

    name: str
    kind: AnnouncementKind
    title: str
    description: str
    announced: str
    effective: str
    sunset: str | None
    operations: list[str]
    fields: list[str]
    replacement: str | None
    url: str


AnnouncementKind: TypeAlias = Literal["CHANGE", "DEPRECATION"]
"""The kind of an announced change."""
