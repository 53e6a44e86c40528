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
        """List the people of the account, the first to come at the front."""
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
        """Add a person, who gets a mail with a link to set a password. Until then the status is `INVITED`."""
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
        """Read one person of the account."""
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
        """Change a person: name, address, language, status, groups, and what is given to the person."""
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
        """Read what a person may do with a form, in a folder or in the account, and which grant allows it."""
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
        """List the account's groups in the order in which they were made."""
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
        """Make a group. Its members may do what it is given, beside what they are given themselves."""
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
        """Read one group."""
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
        """Change a group: its name, who is in it, and what it is given."""
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
        """List the account's roles: those that are built in, and its own."""
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
        """Make a role of named permissions. It does nothing until it is given to somebody."""
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
        """Read one role."""
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
        """Change a role of the account's own. Everybody who has it may do so much from then on."""
        found: shapes.Role = self._answer(
            "PUT",
            f"/customers/{self.customer_id}/roles/{part(role_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found
