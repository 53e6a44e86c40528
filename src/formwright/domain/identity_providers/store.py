"""SQL of identity providers, claimed domains, identities and used sign-in states."""

from collections.abc import Mapping, Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.domain.identity_providers.models import Identity, IdentityProvider

_PROVIDER = (
    "SELECT id, customer_id, name, issuer, client_id, client_secret, scopes, is_enabled, links_by_email,"
    " creates_users, group_ids, created, updated, revision, is_required, signs_out, group_claim,"
    " claim_group_ids, trusts_addresses, links_provisioned FROM identity_providers"
)
_IDENTITY = "SELECT issuer, subject, user_id, provider_id, created, last_used FROM user_identities"


def _to_provider(row: Row) -> IdentityProvider:
    provider_id, customer_id, name, issuer, client_id, secret, scopes, *others = row
    enabled, links, creates, group_ids, created, updated, revision, required, signs_out, *others = others
    group_claim, claimed, trusts, provisioned = others
    flags = bool(enabled), bool(links), bool(creates)
    stamps = created, updated, revision
    options = bool(required), bool(signs_out)
    return IdentityProvider(
        provider_id,
        customer_id,
        name,
        issuer,
        client_id,
        secret,
        scopes,
        *flags,
        _to_ids(group_ids),
        *stamps,
        *options,
        group_claim,
        _to_ids(claimed),
        trusts_addresses=bool(trusts),
        links_provisioned=bool(provisioned),
    )


def _to_ids(text: str) -> tuple[str, ...]:
    return tuple(msgspec.json.decode(text, type=list[str]))


def _to_row(provider: IdentityProvider) -> tuple[object, ...]:
    return (
        provider.customer_id,
        provider.id,
        provider.name,
        provider.issuer,
        provider.client_id,
        provider.client_secret,
        provider.scopes,
        int(provider.is_enabled),
        int(provider.links_by_email),
        int(provider.creates_users),
        msgspec.json.encode(provider.group_ids).decode(),
        provider.created,
        provider.updated,
        provider.revision,
        int(provider.is_required),
        int(provider.signs_out),
        provider.group_claim,
        msgspec.json.encode(provider.claim_group_ids).decode(),
        int(provider.trusts_addresses),
        int(provider.links_provisioned),
    )


async def insert(tx: WriteTransaction, provider: IdentityProvider) -> None:
    await tx.execute(
        "INSERT INTO identity_providers (customer_id, id, name, issuer, client_id, client_secret, scopes, is_enabled,"
        " links_by_email, creates_users, group_ids, created, updated, revision, is_required, signs_out,"
        " group_claim, claim_group_ids, trusts_addresses, links_provisioned)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)",
        *_to_row(provider),
    )


async def update(tx: WriteTransaction, provider: IdentityProvider) -> None:
    await tx.execute(
        "UPDATE identity_providers SET name = $3, issuer = $4, client_id = $5, client_secret = $6, scopes = $7,"
        " is_enabled = $8, links_by_email = $9, creates_users = $10, group_ids = $11, created = $12, updated = $13,"
        " revision = $14, is_required = $15, signs_out = $16, group_claim = $17, claim_group_ids = $18,"
        " trusts_addresses = $19, links_provisioned = $20"
        " WHERE customer_id = $1 AND id = $2",
        *_to_row(provider),
    )


async def delete(tx: WriteTransaction, scope: Scope, provider_id: str) -> None:
    sql = "DELETE FROM identity_providers WHERE customer_id = $1 AND id = $2"
    await tx.execute(sql, scope.customer_id, provider_id)


async def find(tx: ReadTransaction, scope: Scope, provider_id: str) -> IdentityProvider | None:
    row = await tx.fetch_one(f"{_PROVIDER} WHERE customer_id = $1 AND id = $2", scope.customer_id, provider_id)
    return _to_provider(row) if row else None


async def find_enabled(tx: ReadTransaction, provider_id: str) -> IdentityProvider | None:
    """Return the enabled provider with this id, of any account."""
    row = await tx.fetch_one(f"{_PROVIDER} WHERE id = $1 AND is_enabled = 1", provider_id)
    return _to_provider(row) if row else None


async def list_enabled_for_domain(tx: ReadTransaction, domain: str) -> list[IdentityProvider]:
    """Return the enabled providers of all accounts that have claimed a domain."""
    rows = await tx.fetch(
        f"{_PROVIDER} WHERE is_enabled = 1 AND customer_id IN"
        " (SELECT customer_id FROM account_domains WHERE domain = $1) ORDER BY id",
        domain,
    )
    return [_to_provider(row) for row in rows]


async def list_all(tx: ReadTransaction, scope: Scope) -> list[IdentityProvider]:
    rows = await tx.fetch(f"{_PROVIDER} WHERE customer_id = $1 ORDER BY id", scope.customer_id)
    return [_to_provider(row) for row in rows]


async def find_identity(tx: ReadTransaction, scope: Scope, issuer: str, subject: str) -> Identity | None:
    sql = f"{_IDENTITY} WHERE customer_id = $1 AND issuer = $2 AND subject = $3"
    row = await tx.fetch_one(sql, scope.customer_id, issuer, subject)
    return Identity(*row) if row else None


async def list_identities(tx: ReadTransaction, scope: Scope, user_id: str) -> list[Identity]:
    sql = f"{_IDENTITY} WHERE customer_id = $1 AND user_id = $2 ORDER BY created"
    return [Identity(*row) for row in await tx.fetch(sql, scope.customer_id, user_id)]


async def list_accounts_of_identity(tx: ReadTransaction, issuer: str, subject: str) -> list[str]:
    """Return the accounts in which a person of a provider is linked to a user."""
    sql = "SELECT customer_id FROM user_identities WHERE issuer = $1 AND subject = $2"
    return [row[0] for row in await tx.fetch(sql, issuer, subject)]


async def list_provider_names(
    tx: ReadTransaction, scope: Scope, user_ids: Sequence[str], more: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return pairs of a user's id and the name of a provider to which they are linked; `more` are names by id."""
    linked = "SELECT user_id, provider_id FROM user_identities"
    query = Query(linked, scope.customer_id).any_of("user_id", user_ids)
    rows = await tx.fetch(query.sql(), *query.args) if user_ids else ()
    names = {provider.id: provider.name for provider in await list_all(tx, scope)} | dict(more) if rows else {}
    return sorted((user_id, names[provider_id]) for user_id, provider_id in rows if provider_id in names)


async def save_identity(tx: WriteTransaction, scope: Scope, identity: Identity) -> None:
    """Link a person to a user, instead of the user to whom they were linked before."""
    await tx.execute(
        "INSERT INTO user_identities (customer_id, issuer, subject, user_id, provider_id, created, last_used)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (customer_id, issuer, subject) DO UPDATE SET"
        " user_id = excluded.user_id, provider_id = excluded.provider_id, created = excluded.created,"
        " last_used = excluded.last_used",
        scope.customer_id,
        identity.issuer,
        identity.subject,
        identity.user_id,
        identity.provider_id,
        identity.created,
        identity.last_used,
    )


async def update_last_used(tx: WriteTransaction, scope: Scope, issuer: str, subject: str, now: int) -> None:
    sql = "UPDATE user_identities SET last_used = $4 WHERE customer_id = $1 AND issuer = $2 AND subject = $3"
    await tx.execute(sql, scope.customer_id, issuer, subject, now)


async def delete_identity(tx: WriteTransaction, scope: Scope, user_id: str, provider_id: str) -> bool:
    sql = "DELETE FROM user_identities WHERE customer_id = $1 AND user_id = $2 AND provider_id = $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, provider_id))


async def delete_identities(tx: WriteTransaction, scope: Scope, provider_id: str) -> None:
    sql = "DELETE FROM user_identities WHERE customer_id = $1 AND provider_id = $2"
    await tx.execute(sql, scope.customer_id, provider_id)


async def list_domains(tx: ReadTransaction, scope: Scope) -> list[str]:
    sql = "SELECT domain FROM account_domains WHERE customer_id = $1 ORDER BY domain"
    return [row[0] for row in await tx.fetch(sql, scope.customer_id)]


async def insert_domain(tx: WriteTransaction, scope: Scope, domain: str, now: int) -> bool:
    sql = "INSERT INTO account_domains (customer_id, domain, created) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    return bool(await tx.execute(sql, scope.customer_id, domain, now))


async def delete_domain(tx: WriteTransaction, scope: Scope, domain: str) -> bool:
    sql = "DELETE FROM account_domains WHERE customer_id = $1 AND domain = $2"
    return bool(await tx.execute(sql, scope.customer_id, domain))


async def consume_state(tx: WriteTransaction, scope: Scope, state_hash: str, ends: int) -> bool:
    """Remember a state until it expires. Returns False if it was used before."""
    await tx.execute("DELETE FROM used_states WHERE customer_id = $1 AND ends <= $2", scope.customer_id, tx.now())
    sql = "INSERT INTO used_states (customer_id, state_hash, ends) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    return bool(await tx.execute(sql, scope.customer_id, state_hash, ends))
