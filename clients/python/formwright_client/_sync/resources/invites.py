"""The methods of `client.invites`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class Invites(Resource):
    """Invite people by email to fill in a form."""

    def create_many(
        self, invites: Sequence[schemas.InviteCreate], *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> builtins.list[schemas.Invite]:
        """Create several invites: all of them, or none.

        Sends a person an email with a personal link to a form; they need no user account. The link ends when
        they submit the form or decline, when you revoke the invite, and at `expiresAt`.

        If the account already has an invite with this `externalId` for the same form and person, the response
        is that invite, and no second email is sent. With the same `externalId` for another form or person, it
        is 409 `invite.external_id_taken`.

        Error pointers begin with the index of the invite.

        Records the event `invite.created`. Each later state of the invite has its own event.

        Requires an API key with write access. A limited key needs the permission `invites:manage`.

        Args:
            invites: The invites, at most 1,000.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The invites, in the same order.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `invite.external_id_taken`.
            NoResponseError: No response arrived.
        """
        response: builtins.list[schemas.Invite] = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/invites",
            query={"dryRun": dry_run or None},
            body=invites,
            idempotency_key=idempotency_key,
        )
        return response

    def create(
        self,
        *,
        form_id: str,
        email: str | Unset | None = UNSET,
        user_id: str | Unset | None = UNSET,
        name: str | Unset = UNSET,
        message: str | Unset = UNSET,
        data: Mapping[str, Any] | Unset = UNSET,
        expires_at: Timestamp | Unset | None = UNSET,
        remind_at: Timestamp | Unset | None = UNSET,
        external_id: str | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.Invite:
        """Create an invite.

        Sends a person an email with a personal link to a form; they need no user account. The link ends when
        they submit the form or decline, when you revoke the invite, and at `expires_at`.

        If the account already has an invite with this `external_id` for the same form and person, the response
        is that invite, and no second email is sent. With the same `external_id` for another form or person, it
        is 409 `invite.external_id_taken`.

        Records the event `invite.created`. Each later state of the invite has its own event.

        Requires an API key with write access. A limited key needs the permission `invites:manage`.

        Args:
            form_id: The form to fill in. It must have a published version.
            email: The email address of the person.
            user_id: The user to invite, instead of an email address.
            name: How the email greets the person. Default: the name of the user.
            message: A message for the email and the page, shown as plain text.
            data: Pre-filled answers, by field name. The answer of a lookup is the key of a row; the fields in its
                `mapping` are filled in from the row, unless they are included here.
            expires_at: When the link expires. Default: in 30 days.
            remind_at: When to remind a person who has not begun. Default: two days before the invite expires, if
                it lasts four days or longer. None: no reminder.
            external_id: Your own id. Repeating a request with the same id, form and person has no further effect.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An invitation of one person to fill in a form, and its progress.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `invite.external_id_taken`.
            NoResponseError: No response arrived.
        """
        response: schemas.Invite = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/invites",
            query={"dryRun": dry_run or None},
            body={
                "formId": form_id,
                "email": email,
                "userId": user_id,
                "name": name,
                "message": message,
                "data": data,
                "expiresAt": expires_at,
                "remindAt": remind_at,
                "externalId": external_id,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def list(
        self,
        *,
        form_id: Sequence[str] = (),
        status: Sequence[schemas.InviteStatus] = (),
        email: str | None = None,
        user_id: str | None = None,
        external_id: str | None = None,
        from_: Timestamp | None = None,
        to: Timestamp | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
        updated_from: Timestamp | None = None,
        updated_to: Timestamp | None = None,
        order: Literal["-created", "-updated", "created", "updated"] | None = None,
    ) -> Paginator[schemas.Invite]:
        """List invites.

        Returns invites, by default in order of creation. An invite is listed if it matches all filters.

        A read-only API key is sufficient. A limited key needs the permission `invites:read`.

        Args:
            form_id: Only invites for this form. Several are combined with OR.
            status: Only invites with this status. Several are combined with OR.
            email: An email address. It is stored in lower case.
            user_id: The id of a user.
            external_id: Your own id for the resource.
            from_: The same as `created_from`.
            to: The same as `created_to`.
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
            f"/customers/{ACCOUNT}/invites",
            query={
                "formId": form_id,
                "status": status,
                "email": email,
                "userId": user_id,
                "externalId": external_id,
                "from": from_,
                "to": to,
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
                "updatedFrom": updated_from,
                "updatedTo": updated_to,
                "order": order,
            },
        )

    def get(self, invite_id: str) -> schemas.Invite:
        """Get an invite.

        Returns its state and when it reached each state. `submissionId` is set from the first saved answer
        on.

        A read-only API key is sufficient. A limited key needs the permission `invites:read`.

        Args:
            invite_id: The id of an invite.

        Returns:
            An invitation of one person to fill in a form, and its progress.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invite.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invite = self._transport.request_json(
            "GET", f"/customers/{ACCOUNT}/invites/{encode_segment(invite_id)}"
        )
        return response

    def resend(self, invite_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Invite:
        """Resend an invite.

        Sends an email with a new link and ends all earlier links. The invite is `PENDING` again, for as long
        as it was originally valid. Answers saved so far are kept. This also works for invites that are
        `EXPIRED` or `FAILED`; for those that are `COMPLETED`, `DECLINED` or `REVOKED`, the response is 409
        `invite.ended`.

        Records the event `invite.resent`.

        Requires an API key with write access. A limited key needs the permission `invites:manage`.

        Args:
            invite_id: The id of an invite.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An invitation of one person to fill in a form, and its progress.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invite.not_found`, 409 `form.archived`, 409
                `form.not_published`, 409 `invite.ended`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invite = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/invites/{encode_segment(invite_id)}/resend",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    def revoke(self, invite_id: str, *, dry_run: bool = False, idempotency_key: str | None = None) -> schemas.Invite:
        """Revoke an invite.

        Ends the link immediately; an email that is still queued is not sent. If the invite has already ended,
        the response is 409 `invite.ended`.

        Records the event `invite.revoked`.

        Requires an API key with write access. A limited key needs the permission `invites:manage`.

        Args:
            invite_id: The id of an invite.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            An invitation of one person to fill in a form, and its progress.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invite.not_found`, 409 `invite.ended`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invite = self._transport.request_json(
            "POST",
            f"/customers/{ACCOUNT}/invites/{encode_segment(invite_id)}/revoke",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response
