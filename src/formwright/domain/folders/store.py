"""SQL of folders."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.folders.models import Folder

_FOLDER = "SELECT id, customer_id, name, parent_id, created, updated, revision FROM folders"
_FOLDERS = RecordTable[Folder](
    "folders", "customer_id, id, name, parent_id, created, updated, revision", "name, parent_id, updated, revision"
)
insert, update = _FOLDERS.insert, _FOLDERS.update


_folder_reader = RecordReader(Folder)


async def find(tx: ReadTransaction, scope: Scope, folder_id: str) -> Folder | None:
    query = Query(_FOLDER, scope.customer_id).where("id = ?", folder_id).folders_in_scope(scope)
    return await _folder_reader.find(tx, query)


async def find_by_name(tx: ReadTransaction, scope: Scope, name: str, parent_id: str | None) -> Folder | None:
    row = await tx.fetch_one(
        f"{_FOLDER} WHERE customer_id = $1 AND name = $2 AND coalesce(parent_id, '') = $3",
        scope.customer_id,
        name,
        parent_id or "",
    )
    return _folder_reader(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window) -> Page[Folder]:
    query = Query(_FOLDER, scope.customer_id).folders_in_scope(scope)
    return await _folder_reader.page(tx, query, window)


async def list_descendants(tx: ReadTransaction, scope: Scope, folder_id: str) -> list[str]:
    """Return the ids of the folder and its descendants; empty if it is not in the scope.

    Only the folder itself is checked, because a scope that contains a folder contains all its descendants.
    """
    if not scope.has_folder(folder_id):
        return []
    rows = await tx.fetch(
        "WITH RECURSIVE tree (id) AS (SELECT id FROM folders WHERE customer_id = $1 AND id = $2"
        " UNION SELECT f.id FROM folders f JOIN tree t ON f.parent_id = t.id WHERE f.customer_id = $1)"
        " SELECT id FROM tree",
        scope.customer_id,
        folder_id,
    )
    return [row[0] for row in rows]


async def list_subtrees(tx: ReadTransaction, scope: Scope, folder_ids: Sequence[str]) -> list[str]:
    """Return the ids of several folders of the account and all their descendants."""
    query = Query("SELECT id FROM folders", scope.customer_id).any_of("id", folder_ids)
    rows = await tx.fetch(
        f"WITH RECURSIVE tree (id) AS ({query.sql()}"
        " UNION SELECT f.id FROM folders f JOIN tree t ON f.parent_id = t.id WHERE f.customer_id = $1)"
        " SELECT id FROM tree",
        *query.args,
    )
    return [row[0] for row in rows]


async def subtree_height(tx: ReadTransaction, scope: Scope, folder_id: str) -> int:
    """Return the number of levels of the folder and its descendants; 1 if the folder is not stored yet."""
    row = await tx.fetch_one(
        "WITH RECURSIVE tree (id, level) AS (SELECT id, 1 FROM folders WHERE customer_id = $1 AND id = $2"
        " UNION ALL SELECT f.id, t.level + 1 FROM folders f JOIN tree t ON f.parent_id = t.id WHERE f.customer_id = $1)"
        " SELECT coalesce(max(level), 1) FROM tree",
        scope.customer_id,
        folder_id,
    )
    return int(row[0]) if row else 1


async def list_ancestors(tx: ReadTransaction, scope: Scope, folder_id: str) -> list[str]:
    """Return the ids of the folder and its ancestors."""
    rows = await tx.fetch(
        "WITH RECURSIVE ancestors (id, parent_id) AS"
        " (SELECT id, parent_id FROM folders WHERE customer_id = $1 AND id = $2"
        " UNION SELECT f.id, f.parent_id FROM folders f JOIN ancestors a ON f.id = a.parent_id"
        " WHERE f.customer_id = $1) SELECT id FROM ancestors",
        scope.customer_id,
        folder_id,
    )
    return [row[0] for row in rows]
