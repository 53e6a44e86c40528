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
