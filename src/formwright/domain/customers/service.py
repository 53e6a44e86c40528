"""The verbs of accounts."""

import re
from dataclasses import replace
from zoneinfo import available_timezones

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, NotFound, ValidationFault
from formwright.core.events import AuditNote, changed_properties
from formwright.domain.customers import store
from formwright.domain.customers.models import Customer

MAX_NAME = 200
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


class CustomerNotFound(NotFound):
    """There is no such account for this actor."""

    code = "customer.not_found"
    detail = "There is no such customer in reach of this key. `GET /customers` names the account of the key."


async def create(tx: WriteTransaction, *, name: str, locale: str = "en", time_zone: str = "UTC") -> Customer:
    """A new account with its own order of changes. Only the operator makes one."""
    customer_id = tx.new_id("cus")
    await account_lock.create(tx, customer_id)
    now = await account_lock.next_timestamp(tx, customer_id)
    customer = Customer(customer_id, name, locale, time_zone, now, now, 1)
    await store.insert(tx, customer)
    tx.audit(AuditNote(customer_id, "customer.created", customer_id, name))
    return customer


async def get(tx: ReadTransaction, actor: Actor) -> Customer:
    """The actor's own account."""
    customer = await store.find(tx, allow(actor, Permission.CUSTOMER_READ))
    if customer is None:
        raise CustomerNotFound()
    return customer


async def update(tx: WriteTransaction, actor: Actor, *, name: str, locale: str, time_zone: str) -> Customer:
    """Change what the account is called, its language (a tag such as `de` or `de-AT`), and its time zone (IANA)."""
    scope = allow(actor, Permission.CUSTOMER_EDIT)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    before = await get(tx, actor)
    found = _validate(name.strip(), locale, time_zone)
    if found:
        raise Invalid(found)
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
    found = []
    if not name:
        found.append(ValidationFault("/name", "value.too_short", "Enter a name."))
    if len(name) > MAX_NAME:
        found.append(ValidationFault("/name", "value.too_long", f"A name has at most {MAX_NAME} characters."))
    if not _LOCALE.fullmatch(locale):
        found.append(ValidationFault("/locale", "value.format", "This is no language."))
    if time_zone not in available_timezones():
        found.append(ValidationFault("/timeZone", "value.format", "This is no time zone. Choose one of the list."))
    return found
