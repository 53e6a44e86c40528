"""The methods of `client.audit_log`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, Timestamp


class AuditLog(Resource):
    """Read who changed what, when and from where."""

    def list(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        from_: Timestamp | None = None,
        to: Timestamp | None = None,
        limit: int | None = None,
        created_from: Timestamp | None = None,
        created_to: Timestamp | None = None,
    ) -> Paginator[schemas.AuditEntry]:
        """List audit entries.

        Returns who changed what, when and from where, newest first.

        Each entry is written in the same transaction as its change, and never changes afterwards. Entries
        contain neither answers nor secrets. An entry that is added while you page appears before the first
        page, so none is skipped or repeated.

        A read-only API key is sufficient. A limited key needs the permission `audit:read`.

        Args:
            actor: Only changes by this user or key, or through this form's link: its id.
            action: Only this action, such as `form.created`, or all actions of a noun: `form.*`.
            resource_type: Only changes of this type of resource.
            resource_id: Only changes of this resource.
            from_: The same as `created_from`.
            to: The same as `created_to`.
            limit: The maximum number of items per page.
            created_from: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.
            created_to: A `datetime`, or a string in RFC 3339 format, with an offset or `Z`.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/customers/{ACCOUNT}/audit",
            query={
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
                "limit": limit,
                "createdFrom": created_from,
                "createdTo": created_to,
            },
        )
