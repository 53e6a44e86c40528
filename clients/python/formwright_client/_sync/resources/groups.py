"""The methods of `client.groups`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class Groups(Resource):
    """Manage groups of users."""

    def list(
        self,
        *,
        user_id: str | None = None,
        external_id: str | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> Paginator[schemas.Group]:
        """List groups.

        Returns groups with their members and grants, by default in order of creation.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            user_id: The id of a user.
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
            f"/customers/{ACCOUNT}/groups",
            query={
                "userId": user_id,
                "externalId": external_id,
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    def create(
        self,
        *,
        name: str,
        members: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Group:
        """Create a group.

        Members of the group have its grants in addition to their own.

        Records the event `group.created`, and `user.updated` for each member.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            name: The name of the group, which must be unique in the account.
            members: The ids of the members.
            grants: Roles and the resources for which they are granted, at most 100.
            external_id: Your own id. Must be unique among the groups of the account.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `group.external_id_taken`, 409
                `group.name_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.Group = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/groups",
            query={"dryRun": dry_run or None},
            body={"name": name, "members": members, "grants": grants, "externalId": external_id},
            idempotency_key=idempotency_key,
        )
        return response

    def get(self, group_id: str) -> schemas.Group:
        """Get a group.

        Returns the members and grants of the group.

        A read-only API key is sufficient. A limited key needs the permission `people:read`.

        Args:
            group_id: The id of a group.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}"
        )
        return response

    def update(
        self,
        group_id: str,
        *,
        name: str | Unset = UNSET,
        members: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Group:
        """Update a group.

        Properties you omit stay unchanged; `members` and `grants` are replaced as a whole. Groups cannot be
        deleted; a group without members has no effect. An account must always have an owner who can sign in,
        otherwise the response is 409 `user.last_owner`.

        Records the event `group.updated`, and `user.updated` for each user who joins or leaves.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            name: The name of the group, which must be unique in the account.
            members: The ids of the members.
            grants: Roles and the resources for which they are granted, at most 100.
            external_id: Your own id; None removes it.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`, 409
                `group.external_id_taken`, 409 `group.name_taken`, 409 `user.last_owner`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}",
            query={"dryRun": dry_run or None},
            body={"name": name, "members": members, "grants": grants, "externalId": external_id},
            if_match=if_match,
        )
        return response

    def delete(
        self, group_id: str, *, permanent: bool | None = None, dry_run: bool = False, if_match: str | None = None
    ) -> schemas.TrashItem:
        """Delete a group.

        Moves the group to the trash. Its members lose its grants. Tasks that were assigned to the group keep
        their recipients.

        Records the event `group.deleted`, and `user.updated` for each member.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            permanent: Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what
                is in the trash already.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A deleted resource.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`, 409 `user.last_owner`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.TrashItem = self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}",
            query={"permanent": permanent, "dryRun": dry_run or None},
            if_match=if_match,
        )
        return response

    def upsert(
        self,
        *,
        external_id: str,
        name: str | Unset = UNSET,
        members: Sequence[str] | Unset = UNSET,
        grants: Sequence[schemas.Grant] | Unset = UNSET,
        dry_run: bool = False,
    ) -> schemas.Group:
        """Create or update a group by external id.

        Updates the group with this `external_id` as `client.groups.update` does or, if there is none, creates one as
        `client.groups.create` does.

        Records the events of that operation.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            external_id: Your own id for the resource.
            name: The name of the group, which must be unique in the account.
            members: The ids of the members.
            grants: Roles and the resources for which they are granted, at most 100.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `group.name_taken`, 409 `user.last_owner`.
            NoResponseError: No response arrived.
        """
        response: schemas.Group = self._transport.request_json(
            "PUT",
            f"/customers/{ACCOUNT}/groups/by-external-id",
            query={"dryRun": dry_run or None},
            body={"name": name, "members": members, "grants": grants, "externalId": external_id},
        )
        return response

    def add_grant(
        self,
        group_id: str,
        *,
        role_id: str,
        resource: schemas.AnyResource,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Group:
        """Grant a role to a group.

        Adds one grant, which applies to all members, and leaves the others alone. If the group has it,
        nothing changes.

        Records the event `group.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            role_id: The id of a role.
            resource: The account, the folder or the form where the role applies.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}/grants",
            query={"dryRun": dry_run or None},
            body={"roleId": role_id, "resource": resource},
            idempotency_key=idempotency_key,
        )
        return response

    def remove_grant(
        self,
        group_id: str,
        *,
        role_id: str,
        resource_type: Literal["account", "folder", "form"],
        resource_id: str,
        dry_run: bool = False,
    ) -> schemas.Group:
        """Revoke a grant of a group.

        Removes one grant from all members, and leaves the others alone. If the group does not have it,
        nothing changes.

        Records the event `group.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            role_id: The id of a role.
            resource_type: The type of the resource for which it was granted.
            resource_id: The id of the account, the folder or the form.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`, 409 `user.last_owner`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}/grants",
            query={
                "roleId": role_id,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "dryRun": dry_run or None,
            },
        )
        return response

    def add_member(
        self, group_id: str, *, user_id: str, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Group:
        """Add a member to a group.

        Adds one user and leaves the other members alone. If the user is a member, nothing changes.

        Records the events `group.updated` and `user.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            user_id: The id of a user.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}/members",
            query={"dryRun": dry_run or None},
            body={"userId": user_id},
            idempotency_key=idempotency_key,
        )
        return response

    def remove_member(self, group_id: str, user_id: str, *, dry_run: bool = False) -> schemas.Group:
        """Remove a member from a group.

        Removes one user and leaves the other members alone. If the user is not a member, nothing changes.

        Records the events `group.updated` and `user.updated`.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            user_id: The id of a user.
            dry_run: Validate the request and return the usual result, without changing anything.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`, 404 `user.not_found`, 409
                `user.last_owner`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "DELETE",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}/members/{encode_segment(user_id)}",
            query={"dryRun": dry_run or None},
        )
        return response

    def restore(self, group_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Group:
        """Restore a group.

        Takes the group out of the trash with its members and grants. Members that are in the trash themselves
        join it when they are restored. A group that is not deleted is returned unchanged.

        Records the event `group.restored`, and `user.updated` for each member.

        Requires an API key with write access. A limited key needs the permission `people:manage`.

        Args:
            group_id: The id of a group.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A group of users who share its grants.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `group.not_found`, 409
                `group.external_id_taken`, 409 `group.name_taken`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Group = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/groups/{encode_segment(group_id)}/restore",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
