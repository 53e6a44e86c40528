"""The SQL of roles, and of what they are given for."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from formwright.core.access.actor import Held, ResourceType
from formwright.core.access.permissions import BUILT_IN_ROLES, OWNER, Permission
from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.people.model import UserStatus
from formwright.domain.people.rights import Grant, Role

_ROLE = "SELECT id, customer_id, name, built_in, permissions, created, updated, revision FROM roles"


async def held(tx: Reading, customer_id: str, user_id: str) -> list[Held]:
    """All that a person has, of herself and through groups, with every folder below one that a role is given for.

    One statement, which each request of hers runs. So it reads the tree of folders itself.
    """
    rows = await tx.fetch(
        "WITH RECURSIVE found (role_id, resource_type, resource_id) AS ("
        " SELECT role_id, resource_type, resource_id FROM grants WHERE customer_id = $1 AND (subject_id = $2"
        " OR subject_id IN (SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = $2))"
        " UNION SELECT o.role_id, o.resource_type, f.id FROM found o JOIN folders f"
        " ON f.customer_id = $1 AND f.parent_id = o.resource_id WHERE o.resource_type = 'folder')"
        " SELECT o.resource_type, o.resource_id, r.name, r.built_in, r.permissions FROM found o"
        " JOIN roles r ON r.customer_id = $1 AND r.id = o.role_id",
        customer_id,
        user_id,
    )
    return [Held(_allowed(*role), ResourceType(type_), resource_id) for type_, resource_id, *role in rows]


def _allowed(name: str, built_in: int, stored: str) -> frozenset[Permission]:
    """What a role allows. The built-in ones are as the program has them."""
    return BUILT_IN_ROLES[name] if built_in else frozenset(msgspec.json.decode(stored, type=list[Permission]))


async def owners(tx: Reading, scope: Scope, at_most: int) -> list[str]:
    """The ids of those who can sign in and are owners of the account, of themselves or through a group."""
    rows = await tx.fetch(
        "SELECT DISTINCT u.id FROM roles r"
        " JOIN grants g ON g.customer_id = $1 AND g.role_id = r.id AND g.resource_type = 'account'"
        " LEFT JOIN group_members m ON m.customer_id = $1 AND m.group_id = g.subject_id"
        " JOIN users u ON u.customer_id = $1 AND u.id = COALESCE(m.user_id, g.subject_id) AND u.status = $3"
        " WHERE r.customer_id = $1 AND r.built_in = 1 AND r.name = $2 ORDER BY u.id"
        f" LIMIT {at_most}",
        scope.customer_id,
        OWNER,
        UserStatus.ACTIVE,
    )
    return [str(row[0]) for row in rows]


# Roles


def _role(row: Row) -> Role:
    role_id, customer_id, name, built_in, stored, *stamps = row
    return Role(role_id, customer_id, name, _allowed(name, built_in, stored), bool(built_in), *stamps)


def _stored(permissions: Iterable[Permission]) -> str:
    return msgspec.json.encode(sorted(permissions)).decode()


async def insert_role(tx: Writing, role: Role) -> None:
    await tx.execute(
        "INSERT INTO roles (customer_id, id, name, permissions, built_in, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        role.customer_id,
        role.id,
        role.name,
        _stored(role.permissions),
        int(role.built_in),
        role.created,
        role.updated,
        role.revision,
    )


async def update_role(tx: Writing, role: Role) -> None:
    await tx.execute(
        "UPDATE roles SET name = $3, permissions = $4, updated = $5, revision = $6 WHERE customer_id = $1 AND id = $2",
        role.customer_id,
        role.id,
        role.name,
        _stored(role.permissions),
        role.updated,
        role.revision,
    )


async def find_roles(tx: Reading, scope: Scope, role_ids: Collection[str]) -> dict[str, Role]:
    """Those that there are, by id."""
    query = Query(_ROLE, scope.customer_id).any_of("id", role_ids)
    rows = await tx.fetch(query.sql(), *query.args) if role_ids else ()
    return {row[0]: _role(row) for row in rows}


async def roles_page(tx: Reading, scope: Scope, window: Window) -> Page[Role]:
    query = Query(_ROLE, scope.customer_id)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut([_role(row) for row in rows], window.limit, lambda role: Place(role.created, role.id))


async def name_taken(tx: Reading, scope: Scope, table: str, name: str, but: str) -> bool:
    """Whether another role or group (the `table` says which) has this name."""
    query = Query(f"SELECT 1 FROM {table}", scope.customer_id).where("name = ?", name).where("id <> ?", but)
    return await tx.fetch_one(query.sql(), *query.args) is not None


async def touch(tx: Writing, scope: Scope, table: str, ids: Iterable[str], now: int) -> None:
    """These users or groups (the `table` says which) are another revision from here on."""
    sql = f"UPDATE {table} SET updated = $3, revision = revision + 1 WHERE customer_id = $1 AND id = $2"
    await tx.execute_many(sql, [(scope.customer_id, one, now) for one in ids])


# Grants


async def grants_of(tx: Reading, scope: Scope, subject_ids: Sequence[str]) -> dict[str, tuple[Grant, ...]]:
    """What each of these people or groups was given itself, in a fixed order."""
    found: dict[str, list[Grant]] = {subject_id: [] for subject_id in subject_ids}
    query = Query("SELECT subject_id, role_id, resource_type, resource_id FROM grants", scope.customer_id)
    query.any_of("subject_id", subject_ids)
    for subject_id, role_id, type_, resource_id in await tx.fetch(query.sql(), *query.args) if subject_ids else ():
        found[subject_id].append(Grant(role_id, ResourceType(type_), resource_id))
    return {subject_id: tuple(sorted(grants)) for subject_id, grants in found.items()}


async def give(tx: Writing, scope: Scope, subject_id: str, grants: Iterable[Grant]) -> None:
    await tx.execute_many(
        "INSERT INTO grants (customer_id, subject_id, role_id, resource_type, resource_id) VALUES ($1, $2, $3, $4, $5)",
        [(scope.customer_id, subject_id, g.role_id, g.resource_type, g.resource_id) for g in grants],
    )


async def take(tx: Writing, scope: Scope, subject_id: str, grants: Iterable[Grant]) -> None:
    await tx.execute_many(
        "DELETE FROM grants WHERE customer_id = $1 AND subject_id = $2 AND role_id = $3 AND resource_type = $4"
        " AND resource_id = $5",
        [(scope.customer_id, subject_id, g.role_id, g.resource_type, g.resource_id) for g in grants],
    )
