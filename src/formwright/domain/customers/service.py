"""The verbs of accounts."""

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.errors import NotFound
from formwright.core.kernel.note import Note
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.customers import store
from formwright.domain.customers.model import Customer


class CustomerNotFound(NotFound):
    """There is no such account for this actor."""

    code = "customer.not_found"
    detail = "There is no such customer in reach of this key. `GET /customers` names the account of the key."


async def create(tx: Writing, *, name: str, locale: str = "en", time_zone: str = "UTC") -> Customer:
    """A new account with its own order of changes. Only the operator makes one."""
    customer_id = tx.new_id("cus")
    await order.open_account(tx, customer_id)
    now = await order.stamp(tx, customer_id)
    customer = Customer(customer_id, name, locale, time_zone, now, now, 1)
    await store.insert(tx, customer)
    tx.note(Note(customer_id, "customer.created", customer_id, name))
    return customer


async def get(tx: Reading, actor: Actor) -> Customer:
    """The actor's own account."""
    customer = await store.find(tx, allow(actor, Permission.CUSTOMER_READ))
    if customer is None:
        raise CustomerNotFound()
    return customer
