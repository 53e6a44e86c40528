"""SQL of provisioning tokens and provisioned users."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query, fetch_count
from formwright.core.db.record_reader import RecordReader
from formwright.domain.provisioning.models import (
    ProvisionedAttributes,
    ProvisionedGroupFilter,
    ProvisionedUserFilter,
    ProvisioningToken,
)
from formwright.domain.users.models import normalise_email

_FIND = "SELECT customer_id, name, hint, created, last_used FROM provisioning_tokens WHERE customer_id = $1"
_ATTRIBUTES = (
    "SELECT user_id, user_name, formatted, given_name, family_name, preferred_language, email_type,"
    " email_primary, others, created, updated, revision FROM provisioned_users"
)


async def find_token(tx: ReadTransaction, scope: Scope) -> ProvisioningToken | None:
    row = await tx.fetch_one(_FIND, scope.customer_id)
    return ProvisioningToken(*row) if row else None


async def find_token_by_hash(tx: ReadTransaction, scope: Scope, token_hash: str) -> ProvisioningToken | None:
    row = await tx.fetch_one(f"{_FIND} AND token_hash = $2", scope.customer_id, token_hash)
    return ProvisioningToken(*row) if row else None


async def save_token(tx: WriteTransaction, token: ProvisioningToken, token_hash: str) -> None:
    """Insert the account's token, or replace it."""
    await tx.execute("DELETE FROM provisioning_tokens WHERE customer_id = $1", token.customer_id)
    await tx.execute(
        "INSERT INTO provisioning_tokens (customer_id, name, hint, token_hash, created, last_used)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        token.customer_id,
        token.name,
        token.hint,
        token_hash,
        token.created,
        token.last_used,
    )


async def update_last_used(tx: WriteTransaction, scope: Scope, token_hash: str, now: int) -> None:
    sql = "UPDATE provisioning_tokens SET last_used = $3 WHERE customer_id = $1 AND token_hash = $2"
    await tx.execute(sql, scope.customer_id, token_hash, now)


async def delete_token(tx: WriteTransaction, scope: Scope) -> bool:
    return bool(await tx.execute("DELETE FROM provisioning_tokens WHERE customer_id = $1", scope.customer_id))


_attributes_reader = RecordReader(ProvisionedAttributes)


async def find_attributes(
    tx: ReadTransaction, scope: Scope, user_ids: Sequence[str]
) -> dict[str, ProvisionedAttributes]:
    """Return the attributes of these users by user, without those of users whom no provider manages."""
    query = Query(_ATTRIBUTES, scope.customer_id).any_of("user_id", user_ids)
    rows = await tx.fetch(query.sql(), *query.args) if user_ids else ()
    return {row[0]: _attributes_reader(row[1:]) for row in rows}


async def save_attributes(
    tx: WriteTransaction, scope: Scope, user_id: str, attributes: ProvisionedAttributes, user_name_key: str
) -> None:
    """Insert the attributes of a user, or replace them."""
    await tx.execute(
        "INSERT INTO provisioned_users (customer_id, user_id, user_name, user_name_key, formatted, given_name,"
        " family_name, preferred_language, email_type, email_primary, others, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
        " ON CONFLICT (customer_id, user_id) DO UPDATE SET user_name = excluded.user_name,"
        " user_name_key = excluded.user_name_key, formatted = excluded.formatted, given_name = excluded.given_name,"
        " family_name = excluded.family_name, preferred_language = excluded.preferred_language,"
        " email_type = excluded.email_type, email_primary = excluded.email_primary,"
        " others = excluded.others,"
        " updated = excluded.updated, revision = excluded.revision",
        scope.customer_id,
        user_id,
        attributes.user_name,
        user_name_key,
        attributes.formatted,
        attributes.given_name,
        attributes.family_name,
        attributes.preferred_language,
        attributes.email_type,
        None if attributes.is_email_primary is None else int(attributes.is_email_primary),
        attributes.others,
        attributes.created,
        attributes.updated,
        attributes.revision,
    )


async def is_linked(tx: ReadTransaction, scope: Scope, user_id: str) -> bool:
    """Whether the user has signed in with an identity provider of the account, or linked their sign-in to one."""
    sql = (
        "SELECT 1 FROM user_identities i JOIN identity_providers p ON p.customer_id = $1 AND p.id = i.provider_id"
        " WHERE i.customer_id = $1 AND i.user_id = $2"
    )
    return await tx.fetch_one(sql, scope.customer_id, user_id) is not None


async def list_user_ids(
    tx: ReadTransaction, scope: Scope, criteria: ProvisionedUserFilter, offset: int, limit: int
) -> list[str]:
    """Return the ids of the users that match the filter, the oldest first."""
    query = _filter_users("SELECT id FROM users", scope, criteria)
    rows = await tx.fetch(f"{query.sql()} ORDER BY id LIMIT {limit} OFFSET {offset}", *query.args)
    return [row[0] for row in rows]


async def count_users(tx: ReadTransaction, scope: Scope, criteria: ProvisionedUserFilter) -> int:
    query = _filter_users("SELECT count(*) FROM users", scope, criteria)
    return await fetch_count(tx, query)


def _filter_users(select: str, scope: Scope, criteria: ProvisionedUserFilter) -> Query:
    query = Query(select, scope.customer_id)
    if criteria.user_id is not None:
        query.where("id = ?", criteria.user_id)
    if criteria.external_id is not None:
        query.where("external_id = ?", criteria.external_id)
    if criteria.email is not None:
        query.where("email = ?", normalise_email(criteria.email))
    if criteria.user_name is not None:
        # A user whom no provider manages yet has their email address as the user name. A union and not an OR, for which
        # databases would read all users.
        name = query.bind(criteria.user_name)
        query.where(
            f"id IN (SELECT user_id FROM provisioned_users WHERE customer_id = $1 AND user_name_key = {name}"
            f" UNION SELECT u.id FROM users u WHERE u.customer_id = $1 AND u.email = {name} AND NOT EXISTS"
            " (SELECT 1 FROM provisioned_users p WHERE p.customer_id = $1 AND p.user_id = u.id))"
        )
    return query


async def list_group_ids(
    tx: ReadTransaction, scope: Scope, criteria: ProvisionedGroupFilter, offset: int, limit: int
) -> list[str]:
    """Return the ids of the groups that match the filter, the oldest first."""
    query = _filter_groups("SELECT id FROM groups", scope, criteria)
    rows = await tx.fetch(f"{query.sql()} ORDER BY id LIMIT {limit} OFFSET {offset}", *query.args)
    return [row[0] for row in rows]


async def count_groups(tx: ReadTransaction, scope: Scope, criteria: ProvisionedGroupFilter) -> int:
    query = _filter_groups("SELECT count(*) FROM groups", scope, criteria)
    return await fetch_count(tx, query)


def _filter_groups(select: str, scope: Scope, criteria: ProvisionedGroupFilter) -> Query:
    query = Query(select, scope.customer_id)
    if criteria.group_id is not None:
        query.where("id = ?", criteria.group_id)
    if criteria.external_id is not None:
        query.where("external_id = ?", criteria.external_id)
    if criteria.member_id is not None:
        members = "SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = ?"
        query.where(f"id IN ({members})", criteria.member_id)
    if criteria.name_part is not None:
        postgres, sqlite = query.contains(criteria.name_part, "name", "name")
        query.where(f"(/*postgres {postgres}*//*sqlite {sqlite}*/)")
    return query
