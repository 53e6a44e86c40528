"""Deleting and restoring data sources and single rows of them."""

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.events import Event, EventType
from formwright.core.work_kinds import WorkKind
from formwright.domain.datasources import row_changes, uniqueness
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormFilter
from formwright.domain.trash import store
from formwright.domain.trash.models import Affected, DatasourceInUse, RowNotFound, TrashEntry, TrashKind
from formwright.domain.trash.removal import Removal, find_entry, move_to_trash, purge, touched

_ROW_PREFIX = "row"


async def delete_datasource(
    tx: WriteTransaction, actor: Actor, *, datasource_id: str, permanently: bool = False
) -> TrashEntry:
    """Move a data source with its rows and its pull into the trash.

    Raises `DatasourceNotFound`, `DatasourceInUse` if forms look up its rows, or `DatasourceBusy` during an import.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.DATASOURCES_EDIT)
    found = await row_changes.find(tx, scope, datasource_id)
    if found is None:
        entry = await find_entry(tx, scope, TrashKind.DATASOURCE, datasource_id) if permanently else None
        return await purge(tx, scope, require(entry, DatasourceNotFound))
    await _check_unused(tx, scope, datasource_id)
    await row_changes.lock(tx, scope, datasource_id)
    removal = Removal(
        TrashKind.DATASOURCE,
        datasource_id,
        found.name,
        {("datasources", "id"): [datasource_id], ("datasource_pulls", "datasource_id"): [datasource_id]},
        Affected(rows=found.row_count),
    )
    tx.record(Event(EventType.DATASOURCE_DELETED, scope.customer_id, found))
    return await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)


async def _check_unused(tx: ReadTransaction, scope: Scope, datasource_id: str) -> None:
    """Raise `DatasourceInUse` if a form of the account uses the data source, also one that the actor cannot see."""
    uses = FormFilter(datasource_id=datasource_id)
    if count := await forms.count(tx, actors.system(scope.customer_id), uses):
        number = "A form looks" if count == 1 else f"{count:,} forms look"
        raise DatasourceInUse(
            f"{number} up rows in this data source. Remove the lookups from the published version and the draft first."
        )


async def restore_datasource(tx: WriteTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """Restore a data source with its rows and its pull; one that is not deleted is returned unchanged.

    Raises `DatasourceNotFound`, `DatasourceNameTaken` or `DatasourceExternalIdTaken`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.DATASOURCES_EDIT)
    if found := await row_changes.find(tx, scope, datasource_id):
        return found
    entry = require(await find_entry(tx, scope, TrashKind.DATASOURCE, datasource_id), DatasourceNotFound)
    rows = await store.list_rows(tx, scope, entry.id)
    external_id = rows["datasources"][0].get("external_id")
    await uniqueness.check_reserved(tx, scope, entry.name, external_id, datasource_id)
    await store.delete(tx, scope, entry.id)
    unlocked = {"lease": None, "leased": None}
    await store.put_back(tx, scope, "datasources", [touched(row, now, **unlocked) for row in rows["datasources"]])
    # A pull that was running when the data source was deleted has lost its lease, so it is due again.
    pulls = [
        row | ({"lease": None, "due": tx.now()} if row["lease"] else {}) for row in rows.get("datasource_pulls", [])
    ]
    await store.put_back(tx, scope, "datasource_pulls", pulls)
    for pull in pulls:
        tx.schedule(WorkKind.PULL, scope.customer_id, pull["due"])
    restored = require(await row_changes.find(tx, scope, datasource_id), DatasourceNotFound)
    tx.record(Event(EventType.DATASOURCE_RESTORED, scope.customer_id, restored))
    return restored


async def delete_row(
    tx: WriteTransaction, actor: Actor, *, datasource_id: str, key: str, permanently: bool = False
) -> TrashEntry:
    """Move a row into the trash. Submissions that refer to it keep the row as it was.

    Raises `DatasourceNotFound`, `RowNotFound`, or `DatasourceBusy` during an import.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.DATASOURCES_EDIT)
    datasource = require(await row_changes.find(tx, scope, datasource_id), DatasourceNotFound)
    row = await row_changes.find_row(tx, datasource, key)
    if row is None:
        entry = await store.find_row_entry(tx, scope, datasource_id, key) if permanently else None
        return await purge(tx, scope, require(entry, RowNotFound))
    locked = await row_changes.lock(tx, scope, datasource_id)
    after = await row_changes.delete_row(tx, locked, row)
    entry_id = tx.new_id(_ROW_PREFIX)
    removal = Removal(TrashKind.DATASOURCE_ROW, entry_id, key, {}, Affected(rows=1), parent_id=datasource_id)
    entry = await move_to_trash(tx, actor, scope, removal, now, permanently=permanently)
    content = {"id": entry_id, "key": key, "data": row.data, "created_in": row.first_version}
    await store.insert_rows(tx, scope, entry_id, "datasource_rows", [content])
    tx.record(Event(EventType.DATASOURCE_ROW_DELETED, scope.customer_id, after))
    return entry


async def restore_row(tx: WriteTransaction, actor: Actor, *, datasource_id: str, key: str) -> Datasource:
    """Restore a row and return its data source; if the data source has a row with this key, nothing changes.

    Raises `DatasourceNotFound`, `RowNotFound`, or `DatasourceBusy` during an import.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.DATASOURCES_EDIT)
    datasource = require(await row_changes.find(tx, scope, datasource_id), DatasourceNotFound)
    if await row_changes.find_row(tx, datasource, key):
        return datasource
    entry = require(await store.find_row_entry(tx, scope, datasource_id, key), RowNotFound)
    [row] = (await store.list_rows(tx, scope, entry.id))["datasource_rows"]
    locked = await row_changes.lock(tx, scope, datasource_id)
    after = await row_changes.insert_row(tx, locked, key, row["data"], row.get("created_in"))
    await store.delete(tx, scope, entry.id)
    tx.record(Event(EventType.DATASOURCE_ROW_RESTORED, scope.customer_id, after))
    return after
