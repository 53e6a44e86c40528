"""Service functions for identity providers: add, change, list and remove them. Only owners may."""

import re
from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.core.events import AuditNote, changed_properties
from formwright.domain.identity_providers import store
from formwright.domain.identity_providers.issuers import SHARED_ISSUER, is_shared
from formwright.domain.identity_providers.models import (
    DEFAULT_SCOPES,
    MAX_PROVIDERS,
    IdentityProvider,
    IssuerTaken,
    ProviderEdit,
    ProviderNotFound,
    TooManyProviders,
)
from formwright.domain.users import groups, management
from formwright.domain.users import service as people
from formwright.domain.users.auth.sessions import audit_own_action
from formwright.domain.users.models import Credentials
from formwright.domain.users.service import is_owner, require_owner

MAX_NAME = 100
_MAX_CLIENT_ID, _MAX_SECRET, _MAX_SCOPES = 255, 1000, 300
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*")
_CLIENT = re.compile(r"[\x20-\x7e]*")


async def list_all(tx: ReadTransaction, actor: Actor) -> list[IdentityProvider]:
    """Return the account's providers, oldest first."""
    return await store.list_all(tx, require_owner(actor))


async def get(tx: ReadTransaction, actor: Actor, *, provider_id: str) -> IdentityProvider:
    """Return a provider; raises `ProviderNotFound`."""
    return require(await store.find(tx, require_owner(actor), provider_id), ProviderNotFound)


async def create(tx: WriteTransaction, actor: Actor, new: ProviderEdit, secret_box: SecretBox) -> IdentityProvider:
    """Add a provider, whose issuer the caller has checked. Raises `Invalid`, `IssuerTaken` or `TooManyProviders`."""
    scope = require_owner(actor)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    if len(await store.list_all(tx, scope)) >= MAX_PROVIDERS:
        raise TooManyProviders()
    empty = IdentityProvider(
        tx.new_id("idp"), scope.customer_id, "", "", "", "", "", False, False, False, (), now, now, 1
    )
    provider = _apply(empty, new, secret_box)
    await _check(tx, actor, provider)
    await store.insert(tx, provider)
    tx.audit(AuditNote(scope.customer_id, "identity_provider.created", provider.id, provider.name))
    return provider


async def update(
    tx: WriteTransaction, actor: Actor, changes: ProviderEdit, secret_box: SecretBox, *, provider_id: str
) -> IdentityProvider:
    """Change a provider. A new issuer removes the links of all users, because they belong to the old one.

    Raises `ProviderNotFound`, `Invalid` or `IssuerTaken`.
    """
    scope = require_owner(actor)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    current = await get(tx, actor, provider_id=provider_id)
    provider = _apply(current, changes, secret_box)
    await _check(tx, actor, provider)
    if provider == current:
        return current
    provider = replace(provider, updated=now, revision=current.revision + 1)
    await store.update(tx, provider)
    if provider.issuer != current.issuer:
        await store.delete_identities(tx, scope, provider.id)
    changed = changed_properties(current, provider)
    tx.audit(AuditNote(scope.customer_id, "identity_provider.updated", provider.id, provider.name, changed))
    return provider


async def delete(tx: WriteTransaction, actor: Actor, *, provider_id: str) -> None:
    """Remove a provider and the links of all users to it. Sessions continue. Raises `ProviderNotFound`."""
    scope = require_owner(actor)
    await account_lock.next_timestamp(tx, scope.customer_id)
    provider = await get(tx, actor, provider_id=provider_id)
    await store.delete_identities(tx, scope, provider_id)
    await store.delete(tx, scope, provider_id)
    tx.audit(AuditNote(scope.customer_id, "identity_provider.deleted", provider.id, provider.name))


async def find_enabled(tx: ReadTransaction, provider_id: str) -> IdentityProvider | None:
    """Return the enabled provider with this id, of any account, for somebody who signs in."""
    return await store.find_enabled(tx, provider_id)


async def find_required(
    tx: ReadTransaction, credentials: Credentials, installation: IdentityProvider | None
) -> tuple[IdentityProvider | None, bool]:
    """Return the provider that the user's account or the installation requires, and whether the user needs it.

    Owners never do, so that they can sign in when the provider fails.
    """
    scope = Scope(credentials.customer_id)
    providers = await store.list_all(tx, scope)
    candidates = [one for one in providers if one.is_enabled] + ([installation] if installation else [])
    required = next((one for one in candidates if one.is_required), None)
    if required is None:
        return None, False
    details = await management.find(tx, scope, credentials.user_id)
    return required, details is None or not is_owner(await people.load_actor(tx, details.user))


async def audit_password_sign_in(tx: WriteTransaction, credentials: Credentials) -> None:
    """Record that an owner has signed in with a password although the account requires a provider."""
    if details := await management.find(tx, Scope(credentials.customer_id), credentials.user_id):
        audit_own_action(tx, "user.signed_in_with_password", details.user)


async def list_enabled_for_email(
    tx: ReadTransaction, email: str, installation: IdentityProvider | None
) -> list[IdentityProvider]:
    """Return the enabled providers for the domain of an email address: of the accounts that have claimed it, and the
    installation's if the operator has listed it.

    The result depends on the domain only, so it does not tell whether the address belongs to a user.
    """
    domain = email_domain(email)
    listed = [installation] if installation and domain in (installation.domains or ()) else []
    return [*listed, *await store.list_enabled_for_domain(tx, domain)]


def email_domain(email: str) -> str:
    """Return the domain of an email address in lower case."""
    return email.strip().lower().rpartition("@")[2]


def _apply(current: IdentityProvider, changes: ProviderEdit, secret_box: SecretBox) -> IdentityProvider:
    scopes = changes.scopes.split() or DEFAULT_SCOPES.split()
    secret = current.client_secret
    if changes.client_secret is not None:
        if len(changes.client_secret) > _MAX_SECRET:
            raise Invalid.at("/clientSecret", "value.too_long", f"Use at most {_MAX_SECRET} characters.")
        secret = secret_box.close(changes.client_secret) if changes.client_secret else ""
    return replace(
        current,
        name=changes.name.strip(),
        issuer=changes.issuer.strip(),
        client_id=changes.client_id.strip(),
        client_secret=secret,
        scopes=" ".join(scopes if "openid" in scopes else ["openid", *scopes]),
        is_enabled=changes.is_enabled,
        links_by_email=changes.links_by_email,
        creates_users=changes.creates_users,
        group_ids=tuple(sorted(set(changes.group_ids))),
        is_required=changes.is_required,
        signs_out=changes.signs_out,
        group_claim=changes.group_claim.strip(),
        claim_group_ids=tuple(sorted(set(changes.claim_group_ids))),
        trusts_addresses=changes.trusts_addresses,
        links_provisioned=changes.links_provisioned,
    )


async def _check(tx: ReadTransaction, actor: Actor, provider: IdentityProvider) -> None:
    faults = [
        *_text_faults("/name", provider.name, MAX_NAME),
        *_text_faults("/clientId", provider.client_id, _MAX_CLIENT_ID),
    ]
    if not _CLIENT.fullmatch(provider.client_id):
        faults.append(ValidationFault("/clientId", "value.format", "Use only ASCII letters, digits and signs."))
    if len(provider.scopes) > _MAX_SCOPES or not _SCOPE.fullmatch(provider.scopes):
        faults.append(ValidationFault("/scopes", "value.format", "Enter scopes separated by spaces."))
    if provider.group_claim:
        faults += _text_faults("/groupClaim", provider.group_claim, MAX_NAME)
    for pointer, ids in (("/groups", provider.group_ids), ("/claimGroups", provider.claim_group_ids)):
        if set(ids) - set(await groups.find_many(tx, actor, ids)):
            faults.append(ValidationFault(pointer, "value.format", "Select groups of this account."))
    others = [one for one in await store.list_all(tx, Scope(provider.customer_id)) if one.id != provider.id]
    faults += _trust_faults(provider, others)
    if faults:
        raise Invalid(faults)
    if any(other.issuer == provider.issuer for other in others):
        raise IssuerTaken()


def _trust_faults(provider: IdentityProvider, others: Sequence[IdentityProvider]) -> list[ValidationFault]:
    faults = []
    if provider.trusts_addresses and is_shared(provider.issuer):
        faults.append(ValidationFault("/trust", "identity_provider.shared_issuer", SHARED_ISSUER))
    if provider.links_provisioned and (taken := next((one for one in others if one.links_provisioned), None)):
        detail = f"Only one provider can provision the account, and {taken.name} does. Switch it off there first."
        faults.append(ValidationFault("/provisioned", "identity_provider.provisioning_taken", detail))
    return faults


def _text_faults(pointer: str, text: str, limit: int) -> list[ValidationFault]:
    if not text:
        return [ValidationFault(pointer, "value.required", "This is required.")]
    if len(text) > limit or not text.isprintable():
        return [ValidationFault(pointer, "value.too_long", f"Use at most {limit} characters on one line.")]
    return []
