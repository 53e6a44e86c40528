"""The calls of Invites.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, part
from formwright_client.paging import Pages


class Invites(Caller):
    """One a method."""

    @overload
    def create_invite(
        self,
        body: list[shapes.InviteCreate],
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Invite]: ...

    @overload
    def create_invite(
        self,
        body: shapes.InviteCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite: ...

    def create_invite(
        self,
        body: list[shapes.InviteCreate] | shapes.InviteCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> list[shapes.Invite] | shapes.Invite:
        """Create an invite."""
        found: list[shapes.Invite] | shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_invites(
        self,
        *,
        form_id: Sequence[str] = (),
        status: Sequence[shapes.InviteStatus] = (),
        email: str | None = None,
        user_id: str | None = None,
        external_id: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Invite]:
        """List invites."""
        return self._listed(
            f"/customers/{self.customer_id}/invites",
            query={
                "formId": form_id,
                "status": status,
                "email": email,
                "userId": user_id,
                "externalId": external_id,
                "from": from_,
                "to": to,
                "limit": limit,
            },
        )

    def get_invite(
        self,
        invite_id: str,
    ) -> shapes.Invite:
        """Get an invite."""
        found: shapes.Invite = self._answer(
            "GET",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}",
        )
        return found

    def resend_invite(
        self,
        invite_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite:
        """Resend an invite."""
        found: shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}/resend",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def revoke_invite(
        self,
        invite_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invite:
        """Revoke an invite."""
        found: shapes.Invite = self._answer(
            "POST",
            f"/customers/{self.customer_id}/invites/{part(invite_id)}/revoke",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found
