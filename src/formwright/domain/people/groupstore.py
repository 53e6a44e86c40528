"""The SQL of groups and their members."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.people.rights import Group
from formwright.domain.people.rightstore import grants_of

_GROUP = "SELECT id, customer_id, name, created, updated, revision FROM groups"
Pairs = Iterable[tuple[str, str]]


async def insert_group(tx: Writing, group: Group) -> None:
    await tx.execute(
        "INSERT INTO groups (customer_id, id, name, created, updated, revision) VALUES ($1, $2, $3, $4, $5, $6)",
        group.customer_id,
        group.id,
        group.name,
        group.created,
        group.updated,
        group.revision,
    )


async def update_group(tx: Writing, group: Group) -> None:
    await tx.execute(
        "UPDATE groups SET name = $3, updated = $4, revision = $5 WHERE customer_id = $1 AND id = $2",
        group.customer_id,
        group.id,
        group.name,
        group.updated,
        group.revision,
    )


async def find_groups(tx: Reading, scope: Scope, group_ids: Collection[str]) -> dict[str, Group]:
    """Those that there are, whole, by id."""
    query = Query(_GROUP, scope.customer_id).any_of("id", group_ids)
    rows = await tx.fetch(query.sql(), *query.args) if group_ids else ()
    return {group.id: group for group in await _groups(tx, scope, rows)}


async def groups_page(tx: Reading, scope: Scope, window: Window, user_id: str | None) -> Page[Group]:
    query = Query(_GROUP, scope.customer_id)
    if user_id is not None:
        query.where("id IN (SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = ?)", user_id)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut(await _groups(tx, scope, rows), window.limit, lambda group: Place(group.created, group.id))


async def _groups(tx: Reading, scope: Scope, rows: Sequence[Row]) -> list[Group]:
    ids = [row[0] for row in rows]
    members, grants = await _members(tx, scope, ids), await grants_of(tx, scope, ids)
    return [replace(Group(*row), member_ids=members[row[0]], grants=grants[row[0]]) for row in rows]


async def _members(tx: Reading, scope: Scope, group_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    query = Query("SELECT group_id, user_id FROM group_members", scope.customer_id).any_of("group_id", group_ids)
    return _by_first(group_ids, await tx.fetch(query.sql(), *query.args) if group_ids else ())


async def groups_of(tx: Reading, scope: Scope, user_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The ids of the groups in which each of these people is."""
    query = Query("SELECT user_id, group_id FROM group_members", scope.customer_id).any_of("user_id", user_ids)
    return _by_first(user_ids, await tx.fetch(query.sql(), *query.args) if user_ids else ())


def _by_first(ids: Sequence[str], rows: Iterable[Row]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {one: [] for one in ids}
    for first, second in rows:
        found[first].append(second)
    return {one: tuple(sorted(others)) for one, others in found.items()}


async def join(tx: Writing, scope: Scope, pairs: Pairs) -> None:
    """Put people into groups; each pair is a group and a person."""
    sql = "INSERT INTO group_members (customer_id, group_id, user_id) VALUES ($1, $2, $3)"
    await tx.execute_many(sql, [(scope.customer_id, *pair) for pair in pairs])


async def leave(tx: Writing, scope: Scope, pairs: Pairs) -> None:
    """Take people out of groups; each pair is a group and a person."""
    sql = "DELETE FROM group_members WHERE customer_id = $1 AND group_id = $2 AND user_id = $3"
    await tx.execute_many(sql, [(scope.customer_id, *pair) for pair in pairs])
