"""The methods of `client.announcements`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from collections.abc import Sequence

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource


class AsyncAnnouncements(AsyncResource):
    """List upcoming changes to the API, such as deprecations."""

    def list(
        self, *, limit: int | None = None, kind: Sequence[schemas.AnnouncementKind] = (), operation: Sequence[str] = ()
    ) -> AsyncPaginator[schemas.Announcement]:
        """List announced changes to the API.

        Returns upcoming changes, such as deprecations, with the most recent announcement first. The list is
        empty as long as no change is planned. Check it once a day; the responses of deprecated operations
        also carry the headers `Deprecation` and `Sunset`.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Args:
            limit: The maximum number of items per page.
            kind: Only announcements of this kind. Several are combined with OR.
            operation: Only announcements about this operation, by operationId. Several are combined with OR.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate("/announcements", query={"limit": limit, "kind": kind, "operation": operation})
