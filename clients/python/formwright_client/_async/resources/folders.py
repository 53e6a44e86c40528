"""The methods of `client.folders`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Unset, encode_segment


class AsyncFolders(AsyncResource):
    """Organise forms in a tree of folders."""

    def list(self, *, limit: int | None = None) -> AsyncPaginator[schemas.Folder]:
        """List folders.

        Returns all folders in order of creation. `parentId` identifies the folder that contains a folder.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/forms/customer/{ACCOUNT}/folders", query={"limit": limit})

    async def create(
        self,
        *,
        name: str,
        parent_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Folder:
        """Create a folder.

        The folder is created in `parent_id`, or at the top level. If its name is already used there, the
        response is 409 `folder.name_taken`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            name: The name, which must be unique within the parent folder.
            parent_id: The folder that contains this one, or None at the top level.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A folder of forms and other folders.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `folder.name_taken`, 409 `folder.too_deep`.
            NoResponseError: No response arrived.
        """
        response: schemas.Folder = await self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/folders",
            query={"dryRun": dry_run or None},
            body={"name": name, "parentId": parent_id},
            idempotency_key=idempotency_key,
        )
        return response

    async def get(self, folder_id: str) -> schemas.Folder:
        """Get a folder.

        For the forms in it, use `client.forms.list` with `folderId`.

        A read-only API key is sufficient. A limited key needs the permission `forms:read`.

        Args:
            folder_id: The id of a folder.

        Returns:
            A folder of forms and other folders.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Folder = await self._transport.request_json(
            "GET", f"/forms/customer/{ACCOUNT}/folders/{encode_segment(folder_id)}"
        )
        return response

    async def update(
        self,
        folder_id: str,
        *,
        name: str,
        parent_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Folder:
        """Update a folder.

        Renames the folder, or moves it with everything in it. Without `parent_id`, the folder moves to the top
        level. A folder cannot be moved into itself or below itself: the response is 409 `folder.circle`.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            folder_id: The id of a folder.
            name: The name, which must be unique within the parent folder.
            parent_id: The folder that contains this one, or None at the top level.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A folder of forms and other folders.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`, 409 `folder.circle`, 409
                `folder.name_taken`, 409 `folder.too_deep`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Folder = await self._transport.request_json(
            "PUT",
            f"/forms/customer/{ACCOUNT}/folders/{encode_segment(folder_id)}",
            query={"dryRun": dry_run or None},
            body={"name": name, "parentId": parent_id},
            if_match=if_match,
        )
        return response

    async def delete(
        self, folder_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a folder.

        Moves the folder to the trash with its subfolders and all forms in them, as `client.forms.delete` does.
        `affected` says how many; use `dry_run=True` to see it before. They are restored together.

        Records the event `folder.deleted`, and `form.deleted` for each form.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            folder_id: The id of a folder.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = await self._transport.request_json(
            "DELETE",
            f"/forms/customer/{ACCOUNT}/folders/{encode_segment(folder_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    async def move_forms(
        self, folder_id: str, *, form_ids: Sequence[str], dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Folder:
        """Move forms into a folder.

        Moves either all of the forms or, if one of them does not exist, none.

        Records the event `form.updated` for each form that moves.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            folder_id: The id of a folder.
            form_ids: The ids of the forms.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A folder of forms and other folders.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Folder = await self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/folders/{encode_segment(folder_id)}/forms",
            query={"dryRun": dry_run or None},
            body={"formIds": form_ids},
            idempotency_key=idempotency_key,
        )
        return response

    async def restore(
        self, folder_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Folder:
        """Restore a folder.

        Takes the folder out of the trash with everything that was deleted with it. If its parent no longer
        exists, the folder is at the top level. A folder that is not deleted is returned unchanged.

        Records the event `folder.restored`, and `form.restored` for each form.

        Requires an API key with write access. A limited key needs the permission `forms:edit`.

        Args:
            folder_id: The id of a folder.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A folder of forms and other folders.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`, 409 `folder.name_taken`,
                409 `folder.too_deep`, 409 `form.external_id_taken`, 409 `trash.folder_gone`, 409
                `trash.part_of_folder`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Folder = await self._transport.request_json(
            "POST",
            f"/forms/customer/{ACCOUNT}/folders/{encode_segment(folder_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
