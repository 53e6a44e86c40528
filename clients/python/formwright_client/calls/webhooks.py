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
        """Send a part of the log once more: what this subscriber wants of it."""
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
        """Give a subscriber another secret, answered here and never again."""
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
        """Send a subscriber a test: an event of the type `test`, once, that stands in no log."""
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
        """Send it now: one that waits is due at once, one that has ended begins its schedule anew."""
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
        """Cancel a delivery that waits. It stays in the list as `CANCELLED`."""
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
        """Read one invocation with its tries."""
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
        """Register a URL to which the events are sent from here on."""
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
        """List the account's subscribers in the order in which they came."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/subscribers",
            query={"limit": limit},
        )

    def get_subscriber(
        self,
        subscriber_id: str,
    ) -> shapes.Subscriber:
        """Read one subscriber; its secret is not shown again."""
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
        """Change a subscriber, disable or enable it; what is not named stays as it is."""
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
        """Remove a subscriber, with what still waits for it."""
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
        """List what was and will be sent to a subscriber, the newest first, with every try."""
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
        """Read one event, byte for byte as it was sent."""
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
        """List the types of events by name, each with what causes it, the JSON Schema of the event, and an example."""
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
        """Say what differs: send the id and the revision of each submission that you hold, at most 10,000."""
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
        """Count the submissions of each form and day, with a checksum over their ids and revisions."""
        return self._listed(
            f"/webhooks/customer/{self.customer_id}/reconcile",
            query={
                "formId": form_id,
                "submittedFrom": submitted_from,
                "submittedTo": submitted_to,
                "limit": limit,
            },
        )
