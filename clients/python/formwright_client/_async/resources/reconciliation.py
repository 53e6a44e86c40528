"""The methods of `client.reconciliation`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset


class AsyncReconciliation(AsyncResource):
    """Compare your copy of the submissions with the server."""

    async def compare(
        self,
        *,
        submissions: Sequence[schemas.ClientSubmissionState],
        form_ids: Sequence[str] | Unset = UNSET,
        submitted_from: Timestamp | Unset | None = UNSET,
        submitted_to: Timestamp | Unset | None = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.ReconciliationDifference:
        """Compare submissions with your copy.

        Send the id and revision of each submission in your copy, up to 10,000 at a time. Of the selected
        forms and period, the response lists the submissions that are `missing` from your copy, and those that
        are `stale` because the server has another revision. `deleted` lists those that no longer exist on the
        server. Nothing is changed.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            submissions: The submissions in your copy.
            form_ids: Compare only submissions of these forms. Empty: of all forms.
            submitted_from: Only submissions submitted at or after this time (or started, if they are not
                submitted).
            submitted_to: Only submissions submitted before this time (or started, if they are not submitted).
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The differences between the server and your copy.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.ReconciliationDifference = await self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/reconcile",
            query={"dryRun": dry_run or None},
            body={
                "submissions": submissions,
                "formIds": form_ids,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
            },
            idempotency_key=idempotency_key,
        )
        return response

    def list_days(
        self,
        *,
        form_id: Sequence[str] = (),
        submitted_from: Timestamp | None = None,
        submitted_to: Timestamp | None = None,
        limit: int | None = None,
    ) -> AsyncPaginator[schemas.ReconciliationDay]:
        """List submission checksums by day.

        Returns, for each form and UTC day, the number of submissions and a checksum over their ids and
        revisions. If a checksum differs from that of your copy, send the ids and revisions of that day to
        `client.reconciliation.compare`. A page contains whole days, so it may have more items than `limit`.

        A read-only API key is sufficient. A limited key needs the permission `submissions:read`.

        Args:
            form_id: Only submissions of this form. Several are combined with OR.
            submitted_from: Only submissions submitted at or after this time (or started, if they are not
                submitted).
            submitted_to: Only submissions submitted before this time (or started, if they are not submitted).
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(
            f"/webhooks/customer/{ACCOUNT}/reconcile",
            query={"formId": form_id, "submittedFrom": submitted_from, "submittedTo": submitted_to, "limit": limit},
        )
