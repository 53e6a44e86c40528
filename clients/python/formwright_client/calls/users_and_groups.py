"""The calls of Users & Groups.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import shapes
from formwright_client.calling import Caller, part
from formwright_client.paging import Pages


class UsersAndGroups(Caller):
    """One a method."""

    def list_users(
        self,
        *,
        status: Sequence[shapes.UserStatus] = (),
        group_id: Sequence[str] = (),
        email: str | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.User]:
        """List users."""
        return self._listed(
            f"/customers/{self.customer_id}/users",
            query={
                "status": status,
                "groupId": group_id,
                "email": email,
                "limit": limit,
            },
        )

    def create_user(
        self,
        body: shapes.UserCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.User:
        """Create a user."""
        found: shapes.User = self._answer(
            "POST",
            f"/customers/{self.customer_id}/users",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_user(
        self,
        user_id: str,
    ) -> shapes.User:
        """Get a user."""
        found: shapes.User = self._answer(
            "GET",
            f"/customers/{self.customer_id}/users/{part(user_id)}",
        )
        return found

    def update_user(
        self,
        user_id: str,
        body: shapes.UserUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.User:
        """Update a user."""
        found: shapes.User = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/users/{part(user_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def get_user_access(
        self,
        user_id: str,
        *,
        permission: shapes.Permission | None = None,
        form_id: str | None = None,
        folder_id: str | None = None,
    ) -> shapes.UserAccess:
        """Get the access of a user."""
        found: shapes.UserAccess = self._answer(
            "GET",
            f"/customers/{self.customer_id}/users/{part(user_id)}/access",
            query={
                "permission": permission,
                "formId": form_id,
                "folderId": folder_id,
            },
        )
        return found

    def list_groups(
        self,
        *,
        user_id: str | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Group]:
        """List groups."""
        return self._listed(
            f"/customers/{self.customer_id}/groups",
            query={
                "userId": user_id,
                "limit": limit,
            },
        )

    def create_group(
        self,
        body: shapes.GroupCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Group:
        """Create a group."""
        found: shapes.Group = self._answer(
            "POST",
            f"/customers/{self.customer_id}/groups",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_group(
        self,
        group_id: str,
    ) -> shapes.Group:
        """Get a group."""
        found: shapes.Group = self._answer(
            "GET",
            f"/customers/{self.customer_id}/groups/{part(group_id)}",
        )
        return found

    def update_group(
        self,
        group_id: str,
        body: shapes.GroupUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Group:
        """Update a group."""
        found: shapes.Group = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/groups/{part(group_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def list_roles(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Role]:
        """List roles."""
        return self._listed(
            f"/customers/{self.customer_id}/roles",
            query={"limit": limit},
        )

    def create_role(
        self,
        body: shapes.RoleCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Role:
        """Create a role."""
        found: shapes.Role = self._answer(
            "POST",
            f"/customers/{self.customer_id}/roles",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def get_role(
        self,
        role_id: str,
    ) -> shapes.Role:
        """Get a role."""
        found: shapes.Role = self._answer(
            "GET",
            f"/customers/{self.customer_id}/roles/{part(role_id)}",
        )
        return found

    def update_role(
        self,
        role_id: str,
        body: shapes.RoleUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Role:
        """Update a role."""
        found: shapes.Role = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/roles/{part(role_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found
