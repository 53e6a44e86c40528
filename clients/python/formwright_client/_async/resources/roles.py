"""The methods of `client.roles`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class AsyncRoles(AsyncResource):
    """Manage roles and their permissions."""

    def list(
        self,
        *,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> AsyncPaginator[schemas.Role]:
        """List roles.

        Returns by default the built-in roles first, then those of the account.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            limit: The maximum number of items per page.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            updated_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            order: `created` orders by the time of creation, `updated` by the last change; a leading `-` reverses
                the order. With `updated`, a reader that continues from its last cursor misses no change.
                Deletions are reported by the event log only.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/roles",
            query={
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    async def create(
        self,
        *,
        name: str,
        permissions: Sequence[schemas.Permission],
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Role:
        """Create a role.

        The role has no effect until it is granted to a user or a group.

        Records the event `role.created`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            name: The name of the role, which must be unique in the account.
            permissions: The permissions that the role includes.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A named set of permissions, which can be granted to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `role.name_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.Role = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/roles",
            query={"dryRun": dry_run or None},
            body={"name": name, "permissions": permissions},
            idempotency_key=idempotency_key,
        )
        return response

    async def get(self, role_id: str) -> schemas.Role:
        """Get a role.

        Returns the permissions of the role.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            role_id: The id of a role.

        Returns:
            A named set of permissions, which can be granted to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `role.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Role = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/roles/{encode_segment(role_id)}"
        )
        return response

    async def update(
        self,
        role_id: str,
        *,
        name: str | Unset = UNSET,
        permissions: Sequence[schemas.Permission] | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Role:
        """Update a role.

        Properties you omit stay unchanged. The change applies at once to everybody who has the role. A
        built-in role cannot be updated: the response is 409 `role.built_in`.

        Records the event `role.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            role_id: The id of a role.
            name: The name of the role, which must be unique in the account.
            permissions: The permissions that the role includes.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A named set of permissions, which can be granted to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `role.not_found`, 409 `role.built_in`, 409
                `role.name_taken`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Role = await self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/roles/{encode_segment(role_id)}",
            query={"dryRun": dry_run or None},
            body={"name": name, "permissions": permissions},
            if_match=if_match,
        )
        return response

    async def delete(
        self, role_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a role.

        Moves a custom role to the trash. If the role is granted to a user or group, the response is 409
        `role.in_use`: remove these grants first.

        Records the event `role.deleted`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            role_id: The id of a role.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `role.not_found`, 409 `role.built_in`, 409
                `role.in_use`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = await self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/roles/{encode_segment(role_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    async def restore(self, role_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Role:
        """Restore a role.

        Takes the role out of the trash. A role that is not deleted is returned unchanged.

        Records the event `role.restored`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            role_id: The id of a role.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A named set of permissions, which can be granted to users and groups.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `role.not_found`, 409 `role.name_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Role = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/roles/{encode_segment(role_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
