"""The methods of `client.users`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class AsyncUsers(AsyncResource):
    """Manage users, and the access they have."""

    def list(
        self,
        *,
        status: Sequence[schemas.UserStatus] = (),
        group_id: Sequence[str] = (),
        email: str | None = None,
        external_id: str | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> AsyncPaginator[schemas.User]:
        """List users.

        Returns users with their groups and grants, by default in order of creation.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            status: Only users with this status. Several are combined with OR.
            group_id: Only members of this group. Several are combined with OR.
            email: An email address. It is stored in lower case.
            external_id: Your own id for the resource.
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
            f"/customers/{ACCOUNT}/users",
            query={
                "status": status,
                "groupId": group_id,
                "email": email,
                "externalId": external_id,
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
        email: str,
        name: str,
        language: str | Unset = UNSET,
        status: schemas.UserStatus | Unset = UNSET,
        groups: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.User:
        """Create a user.

        Sends the user an email with a link to set a password. Their status is `INVITED` until they do. With
        `status` `DISABLED`, no email is sent until you change it.

        Records the event `user.created`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            email: An email address. It is stored in lower case.
            name: The name of the user.
            language: A language tag (BCP 47).
            status: `INVITED`, or `DISABLED` for a user who is not to be invited yet.
            groups: The ids of the user's groups, at most 100.
            grants: Roles and the resources for which they are granted, at most 100.
            external_id: Your own id. Must be unique among the users of the account.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `user.email_taken`, 409
                `user.external_id_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.User = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/users",
            query={"dryRun": dry_run or None},
            body={
                "email": email,
                "name": name,
                "language": language,
                "status": status,
                "groups": groups,
                "grants": grants,
                "externalId": external_id,
            },
            idempotency_key=idempotency_key,
        )
        return response

    async def get(self, user_id: str) -> schemas.User:
        """Get a user.

        Returns the groups of the user and their own grants. Permissions that come through groups are
        explained by `client.users.get_access`.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            user_id: The id of a user.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `user.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.User = await self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}"
        )
        return response

    async def update(
        self,
        user_id: str,
        *,
        email: str | Unset = UNSET,
        name: str | Unset = UNSET,
        language: str | Unset = UNSET,
        status: schemas.UserStatus | Unset = UNSET,
        groups: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.User:
        """Update a user.

        Properties you omit stay unchanged; `groups` and `grants` are replaced as a whole. `status` `DISABLED`
        ends their sessions and keeps them from signing in. Another email address ends their sessions and
        links, and an email to the old address says so; an invited user is sent a new link. The address of an
        owner who has a password can only be changed in the pages (403 `user.email_protected`). An account
        must always have an owner who can sign in, otherwise the response is 409 `user.last_owner`.

        Records the event `user.updated`, `user.disabled` or `user.enabled`, and `group.updated` for each
        group that they join or leave.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            user_id: The id of a user.
            email: An email address. It is stored in lower case.
            name: The name of the user.
            language: A language tag (BCP 47).
            status: `DISABLED`: the user can no longer sign in, and their sessions end. `ACTIVE` enables them
                again, as `INVITED` if they never set a password.
            groups: The ids of the user's groups, at most 100.
            grants: Roles and the resources for which they are granted, at most 100.
            external_id: Your own id; None removes it.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 403 `user.email_protected`, 404 `user.not_found`,
                409 `user.email_taken`, 409 `user.external_id_taken`, 409 `user.last_owner`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.User = await self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}",
            query={"dryRun": dry_run or None},
            body={
                "email": email,
                "name": name,
                "language": language,
                "status": status,
                "groups": groups,
                "grants": grants,
                "externalId": external_id,
            },
            if_match=if_match,
        )
        return response

    async def delete(
        self, user_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a user.

        Moves the user to the trash and ends their sessions. Their submissions stay and keep their `userId`,
        and tasks keep them as a recipient. The account must keep an owner who can sign in (409
        `user.last_owner`), and you cannot delete yourself (409 `user.own_deletion`). To remove a person's
        data everywhere, erase it instead.

        Records the event `user.deleted`, and `group.updated` for each of their groups.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            user_id: The id of a user.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `user.not_found`, 409 `user.last_owner`, 409
                `user.own_deletion`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = await self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    async def upsert(
        self,
        *,
        external_id: str,
        email: str | Unset = UNSET,
        name: str | Unset = UNSET,
        language: str | Unset = UNSET,
        status: schemas.UserStatus | Unset = UNSET,
        groups: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        dry_run: bool = False,
    ) -> schemas.User:
        """Create or update a user by external id.

        Updates the user with this `external_id` as `client.users.update` does or, if there is none, creates one as
        `client.users.create` does.

        Records the events of that operation.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            external_id: Your own id for the resource.
            email: An email address. It is stored in lower case.
            name: The name of the user.
            language: A language tag (BCP 47).
            status: `DISABLED`: the user can no longer sign in, and their sessions end. `ACTIVE` enables them
                again, as `INVITED` if they never set a password.
            groups: The ids of the user's groups, at most 100.
            grants: Roles and the resources for which they are granted, at most 100.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 403 `user.email_protected`, 409
                `user.email_taken`, 409 `user.last_owner`.
            NoResponseError: No response arrived.
        """
        response: schemas.User = await self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/users/by-external-id",
            query={"dryRun": dry_run or None},
            body={
                "email": email,
                "name": name,
                "language": language,
                "status": status,
                "groups": groups,
                "grants": grants,
                "externalId": external_id,
            },
        )
        return response

    async def get_access(
        self,
        user_id: str,
        *,
        permission: schemas.Permission | None = None,
        form_id: str | None = None,
        folder_id: str | None = None,
    ) -> schemas.UserAccess:
        """Get the access of a user.

        Explains what a user may do with a form, in a folder or in the whole account. Each reason names a
        role, the resource for which it is granted and, if the user has it through a group, that group. With
        `permission`, only the reasons for that permission are returned.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            user_id: The id of a user.
            permission: Only reasons for this permission.
            form_id: The id of a form.
            folder_id: The id of a folder.

        Returns:
            What a user may do with a resource, and why.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `folder.not_found`, 404 `form.not_found`, 404
                `user.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.UserAccess = await self._transport.request_json(
            "GET",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}/access",
            query={"permission": permission, "formId": form_id, "folderId": folder_id},
        )
        return response

    async def add_grant(
        self,
        user_id: str,
        *,
        role_id: str,
        resource: schemas.AnyResource,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.User:
        """Grant a role to a user.

        Adds one grant and leaves the others alone. If the user has the grant, nothing changes.

        Records the event `user.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            user_id: The id of a user.
            role_id: The id of a role.
            resource: The account, the folder or the form where the role applies.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `user.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.User = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}/grants",
            query={"dryRun": dry_run or None},
            body={"roleId": role_id, "resource": resource},
            idempotency_key=idempotency_key,
        )
        return response

    async def remove_grant(
        self,
        user_id: str,
        *,
        role_id: str,
        resource_type: Literal["account", "folder", "form"],
        resource_id: str,
        dry_run: bool = False,
    ) -> schemas.User:
        """Revoke a grant of a user.

        Removes one grant and leaves the others alone. If the user does not have the grant, nothing changes.
        The account must keep an owner who can sign in (409 `user.last_owner`).

        Records the event `user.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            user_id: The id of a user.
            role_id: The id of a role.
            resource_type: The type of the resource for which it was granted.
            resource_id: The id of the account, the folder or the form.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `user.not_found`, 409 `user.last_owner`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.User = await self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}/grants",
            query={
                "roleId": role_id,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "dryRun": dry_run or None,
            },
        )
        return response

    async def restore(self, user_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.User:
        """Restore a user.

        Takes the user out of the trash with their password, second factor, groups and grants. They have to
        sign in again. A user who is not deleted is returned unchanged.

        Records the event `user.restored`, and `group.updated` for each of their groups.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            user_id: The id of a user.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A person who can sign in to the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `user.not_found`, 409 `user.email_taken`, 409
                `user.external_id_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.User = await self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/users/{encode_segment(user_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
