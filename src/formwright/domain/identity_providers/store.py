"""SQL of identity providers, claimed domains, identities and used sign-in states."""

from collections.abc import Mapping, Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.domain.identity_providers.models import Identity, IdentityProvider

_PROVIDER_COLUMNS = (
    "id, customer_id, name, issuer, client_id, client_secret, scopes, is_enabled, links_by_email, creates_users,"
    " group_ids, created, updated, revision, is_required, signs_out, group_claim, claim_group_ids, trusts_addresses,"
    " links_provisioned"
)
_PROVIDER = f"SELECT {_PROVIDER_COLUMNS} FROM identity_providers"
_IDENTITY = "SELECT issuer, subject, user_id, provider_id, created, last_used FROM user_identities"


_provider_reader = RecordReader(IdentityProvider)


_PROVIDERS = RecordTable[IdentityProvider]("identity_providers", _PROVIDER_COLUMNS)
insert, update = _PROVIDERS.insert, _PROVIDERS.update


async def delete(tx: WriteTransaction, scope: Scope, provider_id: str) -> None:
    sql = "DELETE FROM identity_providers WHERE customer_id = $1 AND id = $2"
    await tx.execute(sql, scope.customer_id, provider_id)


async def find(tx: ReadTransaction, scope: Scope, provider_id: str) -> IdentityProvider | None:
    row = await tx.fetch_one(f"{_PROVIDER} WHERE customer_id = $1 AND id = $2", scope.customer_id, provider_id)
    return _provider_reader(row) if row else None


async def find_enabled(tx: ReadTransaction, provider_id: str) -> IdentityProvider | None:
    """Return the enabled provider with this id, of any account."""
    row = await tx.fetch_one(f"{_PROVIDER} WHERE id = $1 AND is_enabled = 1", provider_id)
    return _provider_reader(row) if row else None


async def list_enabled_for_domain(tx: ReadTransaction, domain: str) -> list[IdentityProvider]:
    """Return the enabled providers of all accounts that have claimed a domain."""
    rows = await tx.fetch(
        f"{_PROVIDER} WHERE is_enabled = 1 AND customer_id IN"
        " (SELECT customer_id FROM account_domains WHERE domain = $1) ORDER BY id",
        domain,
    )
    return [_provider_reader(row) for row in rows]


async def list_all(tx: ReadTransaction, scope: Scope) -> list[IdentityProvider]:
    rows = await tx.fetch(f"{_PROVIDER} WHERE customer_id = $1 ORDER BY id", scope.customer_id)
    return [_provider_reader(row) for row in rows]


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
