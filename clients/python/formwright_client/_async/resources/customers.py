"""The methods of `client.customers`."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from formwright_client import schemas
from formwright_client._async.paginator import AsyncPaginator
from formwright_client._async.resource import AsyncResource
from formwright_client.encoding import ACCOUNT


class AsyncCustomers(AsyncResource):
    """Read the account that the API key belongs to. The API calls an account a customer."""

    def list(self, *, limit: int | None = None) -> AsyncPaginator[schemas.Customer]:
        """List accounts.

        Returns the account of the API key, so the list has exactly one item. Its `key` says what the key may
        do.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Args:
            limit: The maximum number of items per page.

        Returns:
            An iterable over all items. It requests page after page.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        return self._transport.paginate("/customers", query={"limit": limit})

    async def get(self) -> schemas.Customer:
        """Get an account.

        Returns the name, locale and time zone of the account, and what the API key of the request may do.

        A read-only API key is sufficient. A limited key needs the permission `customer:read`.

        Returns:
            An account.

        Raises:
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        response: schemas.Customer = await self._transport.request_json("GET", f"/customers/{ACCOUNT}")
        return response
