"""The calls of Webhooks.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import shapes
from formwright_client.calling import Caller, Moment, part
from formwright_client.paging import Pages


class Webhooks(Caller):
    """One a method."""

    def replay_events(
        self,
        subscriber_id: str,
        body: shapes.EventReplayCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.EventReplay:
        """Replay events."""
        found: shapes.EventReplay = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/replay",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def rotate_subscriber_secret(
        self,
        subscriber_id: str,
        body: shapes.SecretRotation,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.SubscriberWithSecret:
        """Rotate the secret of a subscriber."""
        found: shapes.SubscriberWithSecret = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/rotate-secret",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def test_subscriber(
        self,
        subscriber_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invocation:
        """Send a test event."""
        found: shapes.Invocation = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/test",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def retry_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.Invocation:
        """Retry a delivery."""
        found: shapes.Invocation = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}/retry",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return found

    def cancel_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> None:
        """Cancel a delivery."""
        self._done(
            "DELETE",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def get_invocation(
        self,
        subscriber_id: str,
        invocation_id: str,
    ) -> shapes.Invocation:
        """Get a delivery."""
        found: shapes.Invocation = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations/{part(invocation_id)}",
        )
        return found

    def create_subscriber(
        self,
        body: shapes.SubscriberCreate,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.SubscriberWithSecret:
        """Create a subscriber."""
        found: shapes.SubscriberWithSecret = self._answer(
            "POST",
            "/webhooks/subscribers",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_subscribers(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Subscriber]:
        """List subscribers."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/subscribers",
            query={"limit": limit},
        )

    def get_subscriber(
        self,
        subscriber_id: str,
    ) -> shapes.Subscriber:
        """Get a subscriber."""
        found: shapes.Subscriber = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
        )
        return found

    def update_subscriber(
        self,
        subscriber_id: str,
        body: shapes.SubscriberUpdate,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> shapes.Subscriber:
        """Update a subscriber."""
        found: shapes.Subscriber = self._answer(
            "PUT",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
            query={"dryRun": dry_run or None},
            body=body,
            if_match=if_match,
        )
        return found

    def delete_subscriber(
        self,
        subscriber_id: str,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> None:
        """Delete a subscriber."""
        self._done(
            "DELETE",
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def list_invocations(
        self,
        subscriber_id: str,
        *,
        status: shapes.InvocationStatus | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.Invocation]:
        """List the deliveries of a subscriber."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/subscribers/{part(subscriber_id)}/invocations",
            query={
                "status": status,
                "limit": limit,
            },
        )

    def get_event(
        self,
        event_id: str,
    ) -> shapes.Event:
        """Get an event."""
        found: shapes.Event = self._answer(
            "GET",
            f"/webhooks/customer/{self.customer_id}/events/{part(event_id)}",
        )
        return found

    def list_event_types(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.EventType]:
        """List event types."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/event-types",
            query={"limit": limit},
        )

    def reconcile_submissions(
        self,
        body: shapes.ReconciliationRequest,
        *,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> shapes.ReconciliationDifference:
        """Compare submissions with your copy."""
        found: shapes.ReconciliationDifference = self._answer(
            "POST",
            f"/webhooks/customer/{self.customer_id}/reconcile",
            query={"dryRun": dry_run or None},
            body=body,
            idempotency_key=idempotency_key,
        )
        return found

    def list_reconciliation_days(
        self,
        *,
        form_id: Sequence[str] = (),
        submitted_from: Moment | None = None,
        submitted_to: Moment | None = None,
        limit: int | None = None,
    ) -> Pages[shapes.ReconciliationDay]:
        """List submission checksums by day."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/reconcile",
            query={
                "formId": form_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "limit": limit,
            },
        )
