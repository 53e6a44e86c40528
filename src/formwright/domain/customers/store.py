"""SQL of accounts."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.customers.models import Customer


async def insert(tx: WriteTransaction, customer: Customer) -> None:
    await tx.execute(
        "INSERT INTO customers (customer_id, name, locale, time_zone, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        customer.id,
        customer.name,
        customer.locale,
        customer.time_zone,
        customer.created,
        customer.updated,
        customer.revision,
    )


async def find(tx: ReadTransaction, scope: Scope) -> Customer | None:
    row = await tx.fetch_one(
        "SELECT customer_id, name, locale, time_zone, created, updated, revision FROM customers WHERE customer_id = $1",
        scope.customer_id,
    )
    return Customer(*row) if row else None


async def update(tx: WriteTransaction, customer: Customer) -> None:
    await tx.execute(
        "UPDATE customers SET name = $2, locale = $3, time_zone = $4, updated = $5, revision = $6"
        " WHERE customer_id = $1",
        customer.id,
        customer.name,
        customer.locale,
        customer.time_zone,
        customer.updated,
        customer.revision,
    )
