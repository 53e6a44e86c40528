"""The email domains that an account has claimed. Only the operator can claim one.

A claim lets the account's identity providers vouch for email addresses of the domain.
"""

import re

from formwright.core.auth.actor import Actor, ActorKind, Scope, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, Invalid
from formwright.core.events import AuditNote
from formwright.domain.identity_providers import store

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})+")


async def list_all(tx: ReadTransaction, actor: Actor) -> list[str]:
    """Return the domains of the account."""
    return await store.list_domains(tx, allow_everywhere(actor, Permission.CUSTOMER_EDIT))


async def claim(tx: WriteTransaction, actor: Actor, domain: str) -> bool:
    """Claim a domain for the account. Returns False if it was claimed already. Raises `Invalid` or `Denied`."""
    scope = _require_operator(actor)
    domain = domain.strip().lower().removeprefix("@")
    if not _DOMAIN.fullmatch(domain):
        raise Invalid.at("/domain", "value.format", "Enter a domain such as example.org, in its ASCII form.")
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    claimed = await store.insert_domain(tx, scope, domain, now)
    if claimed:
        tx.audit(AuditNote(scope.customer_id, "domain.claimed", domain, domain))
    return claimed


async def release(tx: WriteTransaction, actor: Actor, domain: str) -> bool:
    """End the claim of a domain; existing links of users stay. Returns False if it was not claimed."""
    scope = _require_operator(actor)
    domain = domain.strip().lower().removeprefix("@")
    await account_lock.next_timestamp(tx, scope.customer_id)
    released = await store.delete_domain(tx, scope, domain)
    if released:
        tx.audit(AuditNote(scope.customer_id, "domain.released", domain, domain))
    return released


def _require_operator(actor: Actor) -> Scope:
    if actor.kind is not ActorKind.SYSTEM:
        raise Denied("Only the operator can claim domains.")
    return Scope(actor.customer_id)
