"""The calls of Folders.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from formwright_client import shapes
from formwright_client.calling import Caller, part
from formwright_client.paging import Pages


class Folders(Caller):
    """One a method."""

    def list_folders(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Folder]:
        """List folders."""
        return self._listed(
            f"/forms/customer/{self.customer_id}/folders",
            query={"limit": limit},
        )

    def create_folder(
        self,
        body: shapes.FolderWrite,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Folder:
        """Create a folder."""
        found: shapes.Folder = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/folders",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_folder(
        self,
        folder_id: str,
    ) -> shapes.Folder:
        """Get a folder."""
        found: shapes.Folder = self._answer(
            "GET",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}",
        )
        return found

    def update_folder(
        self,
        folder_id: str,
        body: shapes.FolderWrite,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Folder:
        """Update a folder."""
        found: shapes.Folder = self._answer(
            "PUT",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def move_forms(
        self,
        folder_id: str,
        body: shapes.FolderMove,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Folder:
        """Move forms into a folder."""
        found: shapes.Folder = self._answer(
            "POST",
            f"/forms/customer/{self.customer_id}/folders/{part(folder_id)}/forms",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found
