"""The SQL that counts what depends on a record."""

from collections.abc import Collection

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query, fetch_count, in_array
from formwright.domain.invites.models import OPEN_STATUSES
from formwright.domain.tasks.models import ENDED_STATUSES
from formwright.domain.trash.models import Affected

_OPEN_TASK = f"status NOT IN ({', '.join(repr(status.value) for status in sorted(ENDED_STATUSES))})"
_OPEN_INVITE = f"status IN ({', '.join(repr(status.value) for status in sorted(OPEN_STATUSES))})"


async def count_for_forms(
    tx: ReadTransaction, scope: Scope, form_ids: Collection[str], folder_ids: Collection[str] = ()
) -> Affected:
    """Count what depends on these forms and folders."""
    customer_id = scope.customer_id
    forms, resources = sorted(form_ids), sorted({*form_ids, *folder_ids})
    submissions = Query("SELECT count(*) FROM submissions", customer_id).any_of("form_id", forms)
    tasks = Query("SELECT count(*) FROM tasks", customer_id).any_of("form_id", forms).where(_OPEN_TASK)
    invites = Query("SELECT count(*) FROM invites", customer_id).any_of("form_id", forms).where(_OPEN_INVITE)
    grants = Query("SELECT count(*) FROM grants", customer_id).any_of("resource_id", resources)
    return Affected(
        folders=len(folder_ids),
        forms=len(form_ids),
        submissions=await fetch_count(tx, submissions),
        tasks=await fetch_count(tx, tasks),
        invites=await fetch_count(tx, invites),
        webhooks=await _count_webhooks(tx, scope, forms),
        grants=await fetch_count(tx, grants),
    )


async def _count_webhooks(tx: ReadTransaction, scope: Scope, form_ids: Collection[str]) -> int:
    """Count the subscribers that are restricted to forms, among them one of these."""
    rows = await tx.fetch(
        "SELECT form_ids FROM subscribers WHERE customer_id = $1 AND form_ids <> '[]'", scope.customer_id
    )
    wanted = set(form_ids)
    return sum(1 for (stored,) in rows if wanted & set(msgspec.json.decode(stored, type=list[str])))


async def count_open_tasks(tx: ReadTransaction, scope: Scope, user_id: str) -> int:
    """Count the tasks that have not ended and whose recipients include the user."""
    query = Query("SELECT count(*) FROM tasks", scope.customer_id).where(_OPEN_TASK).in_scope(scope)
    query.where("id IN (SELECT task_id FROM task_recipients WHERE customer_id = $1 AND user_id = ?)", user_id)
    return await fetch_count(tx, query)


async def has_grants(tx: ReadTransaction, scope: Scope, role_id: str) -> bool:
    sql = "SELECT 1 FROM grants WHERE customer_id = $1 AND role_id = $2 LIMIT 1"
    return await tx.fetch_one(sql, scope.customer_id, role_id) is not None


async def count_versions(tx: ReadTransaction, scope: Scope, form_id: str) -> int:
    return await fetch_count(
        tx, Query("SELECT count(*) FROM versions", scope.customer_id).where("form_id = ?", form_id)
    )


async def highest_version_number(tx: ReadTransaction, scope: Scope, form_id: str) -> int:
    query = Query("SELECT COALESCE(max(number), 0) FROM versions", scope.customer_id).where("form_id = ?", form_id)
    return await fetch_count(tx, query)


async def has_version_number(tx: ReadTransaction, scope: Scope, form_id: str, number: int) -> bool:
    sql = "SELECT 1 FROM versions WHERE customer_id = $1 AND form_id = $2 AND number = $3"
    return await tx.fetch_one(sql, scope.customer_id, form_id, number) is not None


async def list_known(tx: ReadTransaction, scope: Scope, table: str, ids: Collection[str]) -> set[str]:
    """Return those of the ids that rows of `table`, which is roles, groups, users, forms or folders, have."""
    found: set[str] = set()
    for known in ("roles", "groups", "users", "forms", "folders"):
        if known == table and ids:
            rows = await tx.fetch(
                f"SELECT id FROM {known} WHERE customer_id = $1 AND id {in_array('$2')}",
                scope.customer_id,
                msgspec.json.encode(sorted(ids)).decode(),
            )
            found = {str(row[0]) for row in rows}
    return found
