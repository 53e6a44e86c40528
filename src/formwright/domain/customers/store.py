"""SQL of accounts."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.customers.models import Customer

_COLUMNS = "customer_id, name, locale, time_zone, created, updated, revision, accent_color, sender_name, logo"


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
    row = await tx.fetch_one(f"SELECT {_COLUMNS} FROM customers WHERE customer_id = $1", scope.customer_id)
    return Customer(*row) if row else None


async def update(tx: WriteTransaction, customer: Customer) -> None:
    await tx.execute(
        "UPDATE customers SET name = $2, locale = $3, time_zone = $4, updated = $5, revision = $6,"
        " accent_color = $7, sender_name = $8, logo = $9 WHERE customer_id = $1",
        customer.id,
        customer.name,
        customer.locale,
        customer.time_zone,
        customer.updated,
        customer.revision,
        customer.accent_color,
        customer.sender_name,
        customer.logo,
    )


async def replace_logo(tx: WriteTransaction, scope: Scope, name: str, content: str) -> None:
    """Store the logo (base64) under this name instead of the current one; with an empty name there is none."""
    await tx.execute("DELETE FROM account_logos WHERE customer_id = $1", scope.customer_id)
    if name:
        await tx.execute(
            "INSERT INTO account_logos (customer_id, name, content) VALUES ($1, $2, $3)",
            scope.customer_id,
            name,
            content,
        )


async def find_logo(tx: ReadTransaction, scope: Scope, name: str) -> str | None:
    """Return the content of the logo with this name (base64)."""
    row = await tx.fetch_one(
        "SELECT content FROM account_logos WHERE customer_id = $1 AND name = $2", scope.customer_id, name
    )
    return str(row[0]) if row else None
