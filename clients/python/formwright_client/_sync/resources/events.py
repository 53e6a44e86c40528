"""The methods of `client.events`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._sync.paginator import Paginator
from formwright_client._sync.resource import Resource
from formwright_client.encoding import ACCOUNT, encode_segment


class Events(Resource):
    """Read events."""

    def get(self, event_id: str) -> schemas.Event:
        """Get an event.

        Returns the event byte for byte as it is delivered. Events older than the operator's retention period,
        by default 30 days, return 404 `event.not_found`.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            event_id: The id of an event.

        Returns:
            A change in the account.

        Raises:
            ApiError: The server rejected the request, e.g. with 404 `event.not_found`.
            NoResponseError: No response arrived.
            ValueError: An id is empty.
        """
        response: schemas.Event = self._transport.request_json(
            "GET", f"/webhooks/customer/{ACCOUNT}/events/{encode_segment(event_id)}"
        )
        return response

    def list_types(self, *, limit: int | None = None) -> Paginator[schemas.EventType]:
        """List event types.

        Returns all types in alphabetical order, each with what causes it, the JSON Schema (2020-12) of the
        event, and an example.

        A read-only API key is sufficient. A limited key needs the permission `webhooks:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/webhooks/customer/{ACCOUNT}/event-types", query={"limit": limit})
