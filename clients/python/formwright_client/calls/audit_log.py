"""The calls of Audit log.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from formwright_client import shapes
from formwright_client.calling import Caller, Moment
from formwright_client.paging import Pages


class AuditLog(Caller):
    """One a method."""

    def list_audit_entries(
        self,
        *,
        actor: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        from_: Moment | None = None,
        to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.AuditEntry]:
        """List audit entries."""
        return self._listed(
            f"/customers/{self.customer_id}/audit",
            query={
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
                "limit": limit,
            },
        )
