"""The methods of `client.subscribers`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Mapping, Sequence

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT, UNSET, Timestamp, Unset, encode_segment


class AsyncSubscribers(AsyncResource):
    """Subscribe to events."""

    async def replay_events(
        self,
        subscriber_id: str,
        *,
        after_sequence: int | Unset | None = UNSET,
        since: Timestamp | Unset | None = UNSET,
        types: Sequence[str] | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.EventReplay:
        """Replay events.

        Sends events of the log that match the subscriber once more. Each event is a new delivery with the
        full retry schedule. One request creates at most 10,000 deliveries: while `more` is true, repeat it
        with `throughSequence` as `after_sequence`.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            after_sequence: Send events with a greater sequence.
            since: Send events recorded at or after this time.
            types: Of the subscriber's types, only these. Empty: all.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The deliveries that a replay created.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.EventReplay = await self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/replay",
            query={"dryRun": dry_run or None},
            body={"afterSequence": after_sequence, "since": since, "types": types},
            idempotency_key=idempotency_key,
        )
        return response

    async def rotate_secret(
        self,
        subscriber_id: str,
        *,
        overlap_hours: int | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.SubscriberWithSecret:
        """Rotate the secret of a subscriber.

        Returns a new secret, which is not shown again. For `overlap_hours`, deliveries are signed with the old
        secret too, so they carry two signatures, and either secret verifies them.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            overlap_hours: How many hours the old secret signs deliveries too. 0: it stops immediately.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A subscriber with its new secret.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.SubscriberWithSecret = await self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/rotate-secret",
            query={"dryRun": dry_run or None},
            body={"overlapHours": overlap_hours},
            idempotency_key=idempotency_key,
        )
        return response

    async def test(
        self, subscriber_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Invocation:
        """Send a test event.

        Sends an event of the type `test` once, without retries. The test event is not in the event log, and
        its `sequence` is 0. The response is the pending delivery: read it again for the result. If the
        subscriber is disabled, the response is 409 `subscriber.is_disabled`.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The delivery of one event to one subscriber, with its attempts.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`, 409
                `subscriber.is_disabled`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invocation = await self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/test",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    async def retry_failed(
        self, subscriber_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.FailedInvocationRetry:
        """Retry all failed deliveries.

        Starts the schedule of failed deliveries again, the oldest first, if their events are still stored,
        and sends pending deliveries now whose last attempt failed. One request restarts at most 10,000 failed
        deliveries: while `more` is true, repeat it. With `dry_run=True`, nothing is sent, and `count` is how
        many would be.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The deliveries that are sent again.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`, 409
                `subscriber.is_disabled`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.FailedInvocationRetry = await self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/retry-failed",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    async def create(
        self,
        *,
        url: str,
        name: str | Unset = UNSET,
        types: Sequence[str] | Unset = UNSET,
        form_ids: Sequence[str] | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
        dry_run: bool = False,
        idempotency_key: str | None = None,
    ) -> schemas.SubscriberWithSecret:
        """Create a subscriber.

        Registers a URL that receives events from now on, signed according to Standard Webhooks 1.0.0. The
        response contains the signing `secret`, which is not shown again. Private addresses are rejected
        unless the operator allows them.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            url: The `https` URL that receives the events.
            name: The name of the subscriber.
            types: The event types that the subscriber receives. Empty: all types.
            form_ids: The forms whose events the subscriber receives. Empty: all events, including those without a
                form.
            headers: Headers sent with each delivery. They are stored encrypted; their values are not shown again.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            A subscriber with its new secret.

        Raises:
            ApiError: The server rejected the request, e.g. with 409 `subscriber.limit_reached`.
            NoResponseError: No response arrived.
        """
        response: schemas.SubscriberWithSecret = await self._transport.request_json(
            "POST",
            "/webhooks/subscribers",
            query={"dryRun": dry_run or None},
            body={"url": url, "name": name, "types": types, "formIds": form_ids, "headers": headers},
            idempotency_key=idempotency_key,
        )
        return response

    def list(self, *, limit: int | None = None) -> AsyncPaginator[schemas.Subscriber]:
        """List subscribers.

        Returns subscribers in order of creation, without their secrets.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/webhooks/customer/{ACCOUNT}/subscribers", query={"limit": limit})

    async def get(self, subscriber_id: str) -> schemas.Subscriber:
        """Get a subscriber.

        Returns its settings and its health. The secret and the values of headers are not shown again.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            subscriber_id: The id of a subscriber.

        Returns:
            A webhook.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Subscriber = await self._transport.request_json(
            "GET", f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}"
        )
        return response

    async def update(
        self,
        subscriber_id: str,
        *,
        url: str | Unset = UNSET,
        name: str | Unset = UNSET,
        types: Sequence[str] | Unset = UNSET,
        form_ids: Sequence[str] | Unset = UNSET,
        status: schemas.SubscriberStatus | Unset = UNSET,
        headers: Mapping[str, str | None] | Unset = UNSET,
        dry_run: bool = False,
        if_match: str | None = None,
    ) -> schemas.Subscriber:
        """Update a subscriber.

        Properties you omit stay unchanged. While a subscriber is `DISABLED`, new events wait; they are sent
        once it is `ACTIVE` again. If you change `url` to another server, send the values of `headers` again.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            url: The `https` URL that receives the events.
            name: The name of the subscriber.
            types: The event types that the subscriber receives. Empty: all types.
            form_ids: The forms whose events the subscriber receives. Empty: all events, including those without a
                form.
            status: While it is `DISABLED`, new events wait. They are sent once it is `ACTIVE` again.
            headers: All headers from now on. None keeps the current value of a header, unless you change the URL
                to another server.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Returns:
            A webhook.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Subscriber = await self._transport.request_json(
            "PUT",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}",
            query={"dryRun": dry_run or None},
            body={"url": url, "name": name, "types": types, "formIds": form_ids, "status": status, "headers": headers},
            if_match=if_match,
        )
        return response

    async def delete(self, subscriber_id: str, *, dry_run: bool = False, if_match: str | None = None) -> None:
        """Delete a subscriber.

        Deletes the subscriber and its pending deliveries.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`, 412
                `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        await self._transport.request(
            "DELETE",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )
