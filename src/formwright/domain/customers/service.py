"""Creating, loading and changing accounts."""

import re
from dataclasses import replace
from zoneinfo import available_timezones

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, NotFound, ValidationFault, require
from formwright.core.events import AuditNote, changed_properties
from formwright.domain.customers import store
from formwright.domain.customers.models import Customer

MAX_NAME = 200
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class CustomerNotFound(NotFound):
    """The account does not exist, or the actor cannot access it."""

    code = "customer.not_found"
    detail = "This API key cannot access a customer with this id. `GET /customers` returns the customer of the key."


def is_time_zone(name: str) -> bool:
    """Return whether this is the name of a time zone (IANA)."""
    return name in available_timezones()


async def create(tx: WriteTransaction, *, name: str, locale: str = "en", time_zone: str = "UTC") -> Customer:
    """Create an account with its lock and change sequence. Only the operator can do this, so it takes no actor."""
    customer_id = tx.new_id("cus")
    await account_lock.create(tx, customer_id)
    now = await account_lock.next_timestamp(tx, customer_id)
    customer = Customer(customer_id, name, locale, time_zone, now, now, 1)
    await store.insert(tx, customer)
    tx.audit(AuditNote(customer_id, "customer.created", customer_id, name))
    return customer


async def get(tx: ReadTransaction, actor: Actor) -> Customer:
    """Return the actor's account."""
    return require(await store.find(tx, allow(actor, Permission.CUSTOMER_READ)), CustomerNotFound)


async def find_time_zone(tx: ReadTransaction, actor: Actor) -> str:
    """Return the time zone of the actor's account. Those who may not read the account get it, too."""
    customer = await store.find(tx, Scope(actor.customer_id))
    return "UTC" if customer is None else customer.time_zone


async def update(tx: WriteTransaction, actor: Actor, *, name: str, locale: str, time_zone: str) -> Customer:
    """Change the name of the account, its locale (a tag such as `de` or `de-AT`), and its time zone (an IANA name).

    Raises `Invalid` with all errors.
    """
    _, now = await account_lock.begin_change(tx, actor, Permission.CUSTOMER_EDIT)
    before = await get(tx, actor)
    faults = _validate(name.strip(), locale, time_zone)
    if faults:
        raise Invalid(faults)
    customer = replace(before, name=name.strip(), locale=locale, time_zone=time_zone)
    if customer == before:
        return before
    customer = replace(customer, updated=now, revision=before.revision + 1)
    await store.update(tx, customer)
    tx.audit(
        AuditNote(customer.id, "customer.updated", customer.id, customer.name, changed_properties(before, customer))
    )
    return customer


def _validate(name: str, locale: str, time_zone: str) -> list[ValidationFault]:
    faults = []
    if not name:
        faults.append(ValidationFault("/name", "value.too_short", "Enter a name."))
    if len(name) > MAX_NAME:
        faults.append(ValidationFault("/name", "value.too_long", f"Enter at most {MAX_NAME} characters."))
    if not _LOCALE.fullmatch(locale):
        faults.append(ValidationFault("/locale", "value.format", "Enter a language tag such as de or de-AT."))
    if not is_time_zone(time_zone):
        faults.append(ValidationFault("/timeZone", "value.format", "Choose a time zone from the list."))
    return faults
