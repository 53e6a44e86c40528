"""The email domains that an account has claimed: by a DNS record, or by the operator of the server.

A claim lets the account's identity providers vouch for email addresses of the domain.
"""

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, ActorKind, Scope, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, Invalid
from formwright.core.events import AuditNote
from formwright.domain.identity_providers import store
from formwright.domain.users.service import require_owner

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})+")
MAX_DOMAINS = 100


@dataclass(frozen=True, slots=True)
class DomainProof:
    """The TXT record with which the owner of a domain gives it to an account."""

    domain: str
    record_name: str
    record_value: str


async def list_all(tx: ReadTransaction, actor: Actor) -> list[str]:
    """Return the domains of the account."""
    return await store.list_domains(tx, allow_everywhere(actor, Permission.CUSTOMER_EDIT))


def describe_proof(actor: Actor, secret_box: SecretBox, domain: str) -> DomainProof:
    """Return the record for a domain, which is another one for each account. Raises `Invalid` or `Denied`."""
    scope, domain = require_owner(actor), _parse(domain)
    proof = secret_box.prove(f"domain {scope.customer_id} {domain}")
    return DomainProof(domain, f"_formwright.{domain}", f"formwright-domain={proof}")


async def claim_by_record(tx: WriteTransaction, actor: Actor, proof: DomainProof, records: Sequence[str]) -> bool:
    """Claim a domain whose TXT records at the name of the proof are these. Returns False if it was claimed already.

    Raises `Invalid` if the record is not among them, or there are too many domains.
    """
    scope = require_owner(actor)
    if not any(hmac.compare_digest(record.strip().encode(), proof.record_value.encode()) for record in records):
        detail = f"There is no such record at {proof.record_name} yet. It can take hours until a new one is visible."
        raise Invalid.at("/domain", "domain.record_missing", detail)
    if len(await store.list_domains(tx, scope)) >= MAX_DOMAINS:
        raise Invalid.at("/domain", "value.too_many", f"An account can claim at most {MAX_DOMAINS} domains.")
    return await _claim(tx, scope, proof.domain)


async def claim(tx: WriteTransaction, actor: Actor, domain: str) -> bool:
    """Claim a domain without a record, as the operator. Returns False if it was claimed already.

    Raises `Invalid` or `Denied`.
    """
    if actor.kind is not ActorKind.SYSTEM:
        raise Denied("Only the operator can claim domains without a record.")
    return await _claim(tx, Scope(actor.customer_id), _parse(domain))


async def release(tx: WriteTransaction, actor: Actor, domain: str) -> bool:
    """End the claim of a domain; existing links of users stay. Returns False if it was not claimed."""
    scope = require_owner(actor)
    domain = domain.strip().lower().removeprefix("@")
    await account_lock.next_timestamp(tx, scope.customer_id)
    released = await store.delete_domain(tx, scope, domain)
    if released:
        tx.audit(AuditNote(scope.customer_id, "domain.released", domain, domain))
    return released


async def _claim(tx: WriteTransaction, scope: Scope, domain: str) -> bool:
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    claimed = await store.insert_domain(tx, scope, domain, now)
    if claimed:
        tx.audit(AuditNote(scope.customer_id, "domain.claimed", domain, domain))
    return claimed


def _parse(domain: str) -> str:
    domain = domain.strip().lower().removeprefix("@")
    if not _DOMAIN.fullmatch(domain):
        raise Invalid.at("/domain", "value.format", "Enter a domain such as example.org, in its ASCII form.")
    return domain
