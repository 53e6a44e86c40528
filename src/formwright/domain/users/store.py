"""The SQL of users, groups, roles and grants."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import msgspec

from formwright.core.auth.actor import ResourceType, Scope, ScopedPermissions
from formwright.core.auth.permissions import BUILT_IN_ROLES, OWNER, Permission
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, TimeFilter, Window, cut_page
from formwright.domain.customers.models import Customer
from formwright.domain.users.models import (
    Grant,
    Group,
    PasswordCredentials,
    Role,
    User,
    UserFilter,
    UserStatus,
    normalise_email,
)

_ROLE = "SELECT id, customer_id, name, built_in, permissions, created, updated, revision FROM roles"


# UNION without ALL: folders that several grants reach are followed once.
_HELD = (
    "WITH RECURSIVE found (role_id, resource_type, resource_id) AS ("
    " SELECT role_id, resource_type, resource_id FROM grants WHERE customer_id = $1 AND (subject_id = $2"
    " OR subject_id IN (SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = $2))"
    " UNION SELECT o.role_id, o.resource_type, f.id FROM found o JOIN folders f"
    " ON f.customer_id = $1 AND f.parent_id = o.resource_id WHERE o.resource_type = 'folder')"
)


async def list_held_permissions(tx: ReadTransaction, customer_id: str, user_id: str) -> list[ScopedPermissions]:
    """Return the permissions of a user by their own grants and those of their groups.

    Grants for a folder are returned for each of its subfolders, too. Every request of a user needs the permissions, so
    one statement reads them with the tree of folders.
    """
    rows = await tx.fetch(
        f"{_HELD} SELECT o.resource_type, o.resource_id, r.name, r.built_in, r.permissions FROM found o"
        " JOIN roles r ON r.customer_id = $1 AND r.id = o.role_id",
        customer_id,
        user_id,
    )
    return [_to_permissions(row) for row in rows]


def _to_permissions(row: Row) -> ScopedPermissions:
    type_, resource_id, *role = row
    return ScopedPermissions(_parse_permissions(*role), ResourceType(type_), resource_id)


def _parse_permissions(name: str, built_in: int, stored: str) -> frozenset[Permission]:
    """Return the permissions of a role. Those of built-in roles are defined in the code, not in the database."""
    return BUILT_IN_ROLES[name] if built_in else frozenset(msgspec.json.decode(stored, type=list[Permission]))


async def list_owner_ids(tx: ReadTransaction, scope: Scope, limit: int, *, with_password: bool = False) -> list[str]:
    """Return the ids of users who can sign in and are owners of the account, directly or through a group.

    `with_password` leaves out owners who can only sign in with an identity provider.
    """
    rows = await tx.fetch(
        "SELECT DISTINCT u.id FROM roles r"
        " JOIN grants g ON g.customer_id = $1 AND g.role_id = r.id AND g.resource_type = 'account'"
        " LEFT JOIN group_members m ON m.customer_id = $1 AND m.group_id = g.subject_id"
        # The subject of a grant is a user or a group. A group without members matches no user.
        " JOIN users u ON u.customer_id = $1 AND u.id = COALESCE(m.user_id, g.subject_id) AND u.status = $3"
        " WHERE r.customer_id = $1 AND r.built_in = 1 AND r.name = $2"
        f"{' AND u.password_hash IS NOT NULL' if with_password else ''} ORDER BY u.id"
        f" LIMIT {limit}",
        scope.customer_id,
        OWNER,
        UserStatus.ACTIVE,
    )
    return [str(row[0]) for row in rows]


def _to_role(row: Row) -> Role:
    role_id, customer_id, name, built_in, stored, *stamps = row
    return Role(role_id, customer_id, name, _parse_permissions(name, built_in, stored), bool(built_in), *stamps)


_ROLES = RecordTable[Role](
    "roles",
    "customer_id, id, name, permissions, built_in, created, updated, revision",
    "name, permissions, updated, revision",
    permissions=lambda role: sorted(role.permissions),
)
insert_roles, update_role = _ROLES.insert_many, _ROLES.update


async def find_roles(tx: ReadTransaction, scope: Scope, role_ids: Collection[str]) -> dict[str, Role]:
    """Return the roles with these ids by id, without those that do not exist."""
    query = Query(_ROLE, scope.customer_id).any_of("id", role_ids)
    rows = await tx.fetch(query.sql(), *query.args) if role_ids else ()
    return {row[0]: _to_role(row) for row in rows}


async def roles_page(tx: ReadTransaction, scope: Scope, window: Window, times: TimeFilter) -> Page[Role]:
    query = Query(_ROLE, scope.customer_id)
    rows = await tx.fetch(query.timed_window(window, times), *query.args)
    return cut_page([_to_role(row) for row in rows], window.limit, times.position)


async def has_name(tx: ReadTransaction, scope: Scope, table: str, name: str, except_id: str) -> bool:
    """Whether another row of `table`, which is roles or groups, has this name."""
    query = Query(f"SELECT 1 FROM {table}", scope.customer_id).where("name = ?", name).where("id <> ?", except_id)
    return await tx.fetch_one(query.sql(), *query.args) is not None


async def has_external_id(tx: ReadTransaction, scope: Scope, table: str, external_id: str, except_id: str) -> bool:
    """Whether another row of `table`, which is users or groups, has this external id."""
    query = Query(f"SELECT 1 FROM {table}", scope.customer_id).where("external_id = ?", external_id)
    return await tx.fetch_one(query.where("id <> ?", except_id).sql(), *query.args) is not None


async def touch(tx: WriteTransaction, scope: Scope, table: str, ids: Iterable[str], now: int) -> None:
    """Increase the revision of rows of `table`, which is users or groups."""
    sql = f"UPDATE {table} SET updated = $3, revision = revision + 1 WHERE customer_id = $1 AND id = $2"
    await tx.execute_many(sql, [(scope.customer_id, id_, now) for id_ in ids])


async def list_grants(tx: ReadTransaction, scope: Scope, subject_ids: Sequence[str]) -> dict[str, tuple[Grant, ...]]:
    """Return the sorted grants of each of these users or groups, by its id."""
    found: dict[str, list[Grant]] = {subject_id: [] for subject_id in subject_ids}
    query = Query("SELECT subject_id, role_id, resource_type, resource_id FROM grants", scope.customer_id)
    query.any_of("subject_id", subject_ids)
    for subject_id, role_id, type_, resource_id in await tx.fetch(query.sql(), *query.args) if subject_ids else ():
        found[subject_id].append(Grant(role_id, ResourceType(type_), resource_id))
    return {subject_id: tuple(sorted(grants)) for subject_id, grants in found.items()}


async def insert_grants(tx: WriteTransaction, scope: Scope, subject_id: str, grants: Iterable[Grant]) -> None:
    await tx.execute_many(
        "INSERT INTO grants (customer_id, subject_id, role_id, resource_type, resource_id) VALUES ($1, $2, $3, $4, $5)",
        [(scope.customer_id, subject_id, g.role_id, g.resource_type, g.resource_id) for g in grants],
    )


async def delete_grants(tx: WriteTransaction, scope: Scope, subject_id: str, grants: Iterable[Grant]) -> None:
    await tx.execute_many(
        "DELETE FROM grants WHERE customer_id = $1 AND subject_id = $2 AND role_id = $3 AND resource_type = $4"
        " AND resource_id = $5",
        [(scope.customer_id, subject_id, g.role_id, g.resource_type, g.resource_id) for g in grants],
    )


_GROUP = "SELECT id, customer_id, name, created, updated, revision, external_id FROM groups"
_GROUPS = RecordTable[Group](
    "groups",
    "customer_id, id, name, created, updated, revision, external_id",
    "name, updated, revision, external_id",
)
insert_group, update_group = _GROUPS.insert, _GROUPS.update
Pairs = Iterable[tuple[str, str]]


async def find_groups(tx: ReadTransaction, scope: Scope, group_ids: Collection[str]) -> dict[str, Group]:
    """Return the groups with these ids by id, with members and grants, without those that do not exist."""
    query = Query(_GROUP, scope.customer_id).any_of("id", group_ids)
    rows = await tx.fetch(query.sql(), *query.args) if group_ids else ()
    return {group.id: group for group in await _to_groups(tx, scope, rows)}


async def find_named_groups(tx: ReadTransaction, scope: Scope, names: Collection[str]) -> list[Group]:
    """Return the groups with these external ids or, if a group has none, names."""
    query = Query(_GROUP, scope.customer_id).any_of("COALESCE(external_id, name)", names)
    return await _to_groups(tx, scope, await tx.fetch(query.sql(), *query.args))


async def groups_page(
    tx: ReadTransaction, scope: Scope, window: Window, user_id: str | None, external_id: str | None, times: TimeFilter
) -> Page[Group]:
    query = Query(_GROUP, scope.customer_id)
    if external_id is not None:
        query.where("external_id = ?", external_id)
    if user_id is not None:
        query.where("id IN (SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = ?)", user_id)
    rows = await tx.fetch(query.timed_window(window, times), *query.args)
    return cut_page(await _to_groups(tx, scope, rows), window.limit, times.position)


async def _to_groups(tx: ReadTransaction, scope: Scope, rows: Sequence[Row]) -> list[Group]:
    ids = [row[0] for row in rows]
    members, grants = await _list_member_ids(tx, scope, ids), await list_grants(tx, scope, ids)
    return [replace(Group(*row), member_ids=members[row[0]], grants=grants[row[0]]) for row in rows]


async def _list_member_ids(tx: ReadTransaction, scope: Scope, group_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    query = Query("SELECT group_id, user_id FROM group_members", scope.customer_id).any_of("group_id", group_ids)
    return _group_by_first(group_ids, await tx.fetch(query.sql(), *query.args) if group_ids else ())


async def list_group_ids(tx: ReadTransaction, scope: Scope, user_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the groups of each of these users, by the user's id."""
    query = Query("SELECT user_id, group_id FROM group_members", scope.customer_id).any_of("user_id", user_ids)
    return _group_by_first(user_ids, await tx.fetch(query.sql(), *query.args) if user_ids else ())


def _group_by_first(ids: Sequence[str], rows: Iterable[Row]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {id_: [] for id_ in ids}
    for first, second in rows:
        found[first].append(second)
    return {id_: tuple(sorted(others)) for id_, others in found.items()}


async def insert_members(tx: WriteTransaction, scope: Scope, pairs: Pairs) -> None:
    """Add users to groups; each pair is a group id and a user id."""
    sql = "INSERT INTO group_members (customer_id, group_id, user_id) VALUES ($1, $2, $3)"
    await tx.execute_many(sql, [(scope.customer_id, *pair) for pair in pairs])


async def delete_members(tx: WriteTransaction, scope: Scope, pairs: Pairs) -> None:
    """Remove users from groups; each pair is a group id and a user id."""
    sql = "DELETE FROM group_members WHERE customer_id = $1 AND group_id = $2 AND user_id = $3"
    await tx.execute_many(sql, [(scope.customer_id, *pair) for pair in pairs])


_USER_SIZE = _CUSTOMER_SIZE = 10
"""How many columns `_USER` has, and an account."""
_USER = "SELECT id, customer_id, email, name, language, status, created, updated, revision, external_id FROM users"


_user_reader = RecordReader(User)


_USERS = RecordTable[User](
    "users",
    "customer_id, id, email, name, language, status, password_hash, created, updated, revision, external_id",
    "email, name, language, status, updated, revision, external_id",
)


async def insert(tx: WriteTransaction, user: User, password_hash: str | None) -> None:
    await _USERS.insert(tx, user, password_hash=password_hash)
    await tx.execute(
        "INSERT INTO sign_ins (email, customer_id, user_id) VALUES ($1, $2, $3)", user.email, user.customer_id, user.id
    )


async def find(tx: ReadTransaction, scope: Scope, user_id: str) -> User | None:
    row = await tx.fetch_cached(f"{_USER} WHERE customer_id = $1 AND id = $2", scope.customer_id, user_id)
    return _user_reader(row) if row else None


async def find_member(
    tx: ReadTransaction, scope: Scope, user_id: str
) -> tuple[User, Customer, list[ScopedPermissions]] | None:
    """Return a user with their account and the permissions that they hold. Every page needs all three."""
    rows = await tx.fetch(
        f"{_HELD}, held AS (SELECT o.resource_type, o.resource_id, r.name, r.built_in, r.permissions FROM found o"
        " JOIN roles r ON r.customer_id = $1 AND r.id = o.role_id)"
        f" SELECT member.*, account.*, held.* FROM ({_USER} WHERE customer_id = $1 AND id = $2) AS member"
        " JOIN (SELECT customer_id, name, locale, time_zone, created, updated, revision, accent_color, sender_name,"
        " logo FROM customers WHERE customer_id = $1) AS account ON account.customer_id = member.customer_id"
        " LEFT JOIN held ON 1 = 1",
        scope.customer_id,
        user_id,
    )
    if not rows:
        return None
    permissions = [_to_permissions(row[_USER_SIZE + _CUSTOMER_SIZE :]) for row in rows if row[-3] is not None]
    member, account = rows[0][:_USER_SIZE], rows[0][_USER_SIZE : _USER_SIZE + _CUSTOMER_SIZE]
    return _user_reader(member), Customer(*account), permissions


async def find_many(tx: ReadTransaction, scope: Scope, user_ids: Sequence[str]) -> list[User]:
    """Return the users with these ids in any order, without those that do not exist."""
    query = Query(_USER, scope.customer_id).any_of("id", user_ids)
    return await _user_reader.fetch(tx, query) if user_ids else []


async def update(tx: WriteTransaction, user: User, old_email: str) -> None:
    """Update a user; `old_email` is their email address before the change."""
    await _USERS.update(tx, user)
    if user.email != old_email:
        await tx.execute(
            "UPDATE sign_ins SET email = $3 WHERE customer_id = $1 AND email = $2",
            user.customer_id,
            old_email,
            user.email,
        )


async def has_password(tx: ReadTransaction, scope: Scope, user_id: str) -> bool:
    sql = "SELECT 1 FROM users WHERE customer_id = $1 AND id = $2 AND password_hash IS NOT NULL"
    return await tx.fetch_one(sql, scope.customer_id, user_id) is not None


async def list_with_password(tx: ReadTransaction, scope: Scope, user_ids: Sequence[str]) -> set[str]:
    """Return those of the users who have a password."""
    query = Query("SELECT id FROM users", scope.customer_id).any_of("id", user_ids)
    rows = await tx.fetch(query.where("password_hash IS NOT NULL").sql(), *query.args) if user_ids else ()
    return {row[0] for row in rows}


async def has_email(tx: ReadTransaction, scope: Scope, email: str, except_id: str) -> bool:
    """Whether another user of the account has this email address."""
    sql = "SELECT 1 FROM users WHERE customer_id = $1 AND email = $2 AND id <> $3"
    return await tx.fetch_one(sql, scope.customer_id, email, except_id) is not None


async def page(tx: ReadTransaction, scope: Scope, criteria: UserFilter, window: Window) -> Page[User]:
    query = Query(_USER, scope.customer_id).one_of("status", criteria.statuses)
    if criteria.email is not None:
        query.where("email = ?", normalise_email(criteria.email))
    if criteria.external_id is not None:
        query.where("external_id = ?", criteria.external_id)
    if criteria.text is not None:
        conditions = [query.contains(criteria.text, column, column) for column in ("name", "email")]
        postgres, sqlite = (" OR ".join(column) for column in zip(*conditions, strict=True))
        query.where(f"(/*postgres {postgres}*//*sqlite {sqlite}*/)")
    if criteria.group_ids:
        placeholders = ", ".join("?" * len(criteria.group_ids))
        members = f"SELECT user_id FROM group_members WHERE customer_id = $1 AND group_id IN ({placeholders})"
        query.where(f"id IN ({members})", *criteria.group_ids)
    return await _user_reader.timed_page(tx, query, window, criteria.times)


async def count(tx: ReadTransaction, scope: Scope) -> int:
    row = await tx.fetch_one("SELECT count(*) FROM users WHERE customer_id = $1", scope.customer_id)
    return int(row[0]) if row else 0


async def list_accounts_of_email(tx: ReadTransaction, email: str) -> list[str]:
    """Return the accounts that have a user with this email address."""
    return [row[0] for row in await tx.fetch("SELECT customer_id FROM sign_ins WHERE email = $1", email)]


async def find_credentials(tx: ReadTransaction, email: str) -> list[PasswordCredentials]:
    """Return the credentials of the users of all accounts who sign in with this email address, oldest first."""
    rows = await tx.fetch("SELECT customer_id, user_id FROM sign_ins WHERE email = $1 ORDER BY user_id", email)
    # One statement per account instead of a join, which would ask all machines of a distributed database.
    found = [await get_credentials(tx, Scope(customer_id), user_id) for customer_id, user_id in rows]
    return [credentials for credentials in found if credentials]


async def get_credentials(tx: ReadTransaction, scope: Scope, user_id: str) -> PasswordCredentials | None:
    row = await tx.fetch_one(
        "SELECT customer_id, id, password_hash FROM users"
        " WHERE customer_id = $1 AND id = $2 AND status = $3 AND password_hash IS NOT NULL",
        scope.customer_id,
        user_id,
        UserStatus.ACTIVE,
    )
    return PasswordCredentials(*row) if row else None


async def delete_sessions(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await tx.execute("DELETE FROM sessions WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)


async def delete_password_links(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await tx.execute("DELETE FROM password_links WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)


async def replace_hash(tx: WriteTransaction, scope: Scope, user_id: str, old: str, new: str) -> None:
    """Replace the hash of the same password; sessions continue."""
    await tx.execute(
        "UPDATE users SET password_hash = $4 WHERE customer_id = $1 AND id = $2 AND password_hash = $3",
        scope.customer_id,
        user_id,
        old,
        new,
    )


async def set_password(tx: WriteTransaction, scope: Scope, user_id: str, password_hash: str) -> None:
    await tx.execute(
        "UPDATE users SET password_hash = $3 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        user_id,
        password_hash,
    )
    await delete_sessions(tx, scope, user_id)


async def has_users(tx: ReadTransaction) -> bool:
    return await tx.fetch_one("SELECT 1 FROM sign_ins LIMIT 1") is not None
