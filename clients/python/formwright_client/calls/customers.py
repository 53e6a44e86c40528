"""The calls of Customers.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from formwright_client import shapes
from formwright_client.calling import Caller
from formwright_client.paging import Pages


class Customers(Caller):
    """One a method."""

    def list_customers(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[shapes.Customer]:
        """List accounts."""
        return self._listed(
            "/customers",
            query={"limit": limit},
        )

    def get_customer(
        self,
    ) -> shapes.Customer:
        """Get an account."""
        found: shapes.Customer = self._answer(
            "GET",
            f"/customers/{self.customer_id}",
        )
        return found
