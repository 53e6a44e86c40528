"""The calls of Announcements.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import shapes
from formwright_client.calling import Caller
from formwright_client.paging import Pages


class Announcements(Caller):
    """One a method."""

    def list_announcements(
        self,
        *,
        limit: int | None = None,
        kind: Sequence[shapes.AnnouncementKind] = (),
        operation: Sequence[str] = (),
    ) -> Pages[shapes.Announcement]:
        """List announced changes to the API."""
        return self._listed(
            "/announcements",
            query={
                "limit": limit,
                "kind": kind,
                "operation": operation,
            },
        )
