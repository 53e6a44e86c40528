"""The methods of `client.trash`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT


class AsyncTrash(AsyncResource):
    """List what has been deleted and can be restored."""

    def list(
        self, *, kind: schemas.TrashKind | None = None, limit: int | None = None
    ) -> AsyncPaginator[schemas.TrashItem]:
        """List the trash.

        Returns what has been deleted and can be restored, the last deleted first. A read-only key sees none,
        because it may not restore anything.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Args:
            kind: Only resources of this type.
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate(f"/customers/{ACCOUNT}/trash", query={"kind": kind, "limit": limit})
