"""The methods of `client.invocations`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, encode_segment


class Invocations(Resource):
    """Read, retry and cancel the deliveries to a subscriber."""

    def retry(
        self, subscriber_id: str, invocation_id: str, *, dry_run: bool = False, idempotency_key: str | None = None
    ) -> schemas.Invocation:
        """Retry a delivery.

        Sends a pending delivery now, even if the subscriber is paused. A delivery that has ended starts its
        schedule again; its earlier attempts stay in the list. The response is the pending delivery: read it
        again for the result.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            invocation_id: The id of a delivery.
            dry_run: Validate the request and return the usual result, without changing anything.
            idempotency_key: Repeating a call with the same key within 24 hours returns the original response and
                has no further effect. Default: a new UUID.

        Returns:
            The delivery of one event to one subscriber, with its attempts.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invocation.not_found`, 409
                `invocation.not_kept`, 409 `invocation.under_way`, 409 `subscriber.gone`, 409
                `subscriber.is_disabled`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invocation = self._transport.request_json(
            "POST",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/invocations/{encode_segment(invocation_id)}/retry",
            query={"dryRun": dry_run or None},
            idempotency_key=idempotency_key,
        )
        return response

    def cancel(
        self, subscriber_id: str, invocation_id: str, *, dry_run: bool = False, if_match: str | None = None
    ) -> None:
        """Cancel a delivery.

        Cancels a pending delivery, which stays in the list as `CANCELLED`. The response is 409
        `invocation.ended` if it has already ended, and 409 `invocation.under_way` while an attempt is
        running.

        Requires an API key with write access. A limited key needs the permission `webhooks:manage`.

        Args:
            subscriber_id: The id of a subscriber.
            invocation_id: The id of a delivery.
            dry_run: Validate the request and return the usual result, without changing anything.
            if_match: The ETag of the resource as you have read it, from `etag()`. If the resource has changed
                since, the call fails with 412 `precondition.failed`.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invocation.not_found`, 409
                `invocation.ended`, 409 `invocation.under_way`, 412 `precondition.failed`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        self._transport.request(
            "DELETE",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/invocations/{encode_segment(invocation_id)}",
            query={"dryRun": dry_run or None},
            if_match=if_match,
        )

    def get(self, subscriber_id: str, invocation_id: str) -> schemas.Invocation:
        """Get a delivery.

        Returns the delivery of one event to one subscriber, with all attempts.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            subscriber_id: The id of a subscriber.
            invocation_id: The id of a delivery.

        Returns:
            The delivery of one event to one subscriber, with its attempts.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `invocation.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Invocation = self._transport.request_json(
            "GET",
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/invocations/{encode_segment(invocation_id)}",
        )
        return response

    def list(
        self, subscriber_id: str, *, status: schemas.InvocationStatus | None = None, limit: int | None = None
    ) -> Paginator[schemas.Invocation]:
        """List the deliveries of a subscriber.

        Returns past and pending deliveries, newest first, each with all attempts and the first 2 KiB of each
        response.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            subscriber_id: The id of a subscriber.
            status: Only deliveries with this status.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `subscriber.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        return self._transport.paginate(
            f"/webhooks/customer/{ACCOUNT}/subscribers/{encode_segment(subscriber_id)}/invocations",
            query={"status": status, "limit": limit},
        )
