"""The SQL that moves rows of all packages into the trash and back, and lists the trash."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query, in_array
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.core.work_kinds import WorkKind
from formwright.domain.trash.models import Deleter, TrashEntry, TrashKind

Content = dict[str, Any]
"""A row: its values by column, without the customer."""

COLUMNS: Mapping[str, str] = {
    "forms": "id, name, description, status, tags, folder_id, published_version_id, link, created, updated, revision,"
    " external_id, xform_id, public_link",
    "versions": "id, form_id, number, status, remarks, definition, created, updated, revision, created_by, updated_by",
    "folders": "id, name, parent_id, created, updated, revision",
    "templates": "id, name, description, language, tags, definition, created, updated, revision",
    "question_blocks": "id, name, description, version, created, updated, revision",
    "datasources": "id, name, key_column, columns, row_count, created, updated, revision, version, place, next_number,"
    " lease, leased, external_id",
    "datasource_pulls": "datasource_id, url, names, headers, every_ms, due, lease, tries, status, started, ended, took,"
    " rows, detail, bad, etag, modified, version, failures",
    "users": "id, email, name, language, status, password_hash, created, updated, revision, origin, external_id",
    "sign_ins": "email, user_id",
    "groups": "id, name, created, updated, revision, external_id",
    "group_members": "group_id, user_id",
    "grants": "subject_id, role_id, resource_type, resource_id",
    "roles": "id, name, permissions, built_in, created, updated, revision",
}
"""The columns of the tables whose rows can be in the trash, without `customer_id`."""
_OWNED_BY = (
    ("datasource_pulls", "datasource_id"),
    ("sign_ins", "user_id"),
    ("group_members", "user_id"),
    ("group_members", "group_id"),
    ("grants", "subject_id"),
)
_KEY_COLUMNS = {
    "datasource_pulls": ("datasource_id",),
    "sign_ins": ("user_id",),
    "group_members": ("group_id", "user_id"),
    "grants": ("subject_id", "role_id", "resource_type", "resource_id"),
}
"""The columns that identify a row in the trash, for tables without an id."""
_KEYS = (*((table, "id") for table in COLUMNS if table not in dict(_OWNED_BY)), *_OWNED_BY)
_MOVES = tuple(
    (
        (table, key),
        f"SELECT {COLUMNS[table]} FROM {table} WHERE customer_id = $1 AND {key} {in_array('$2')}",
        f"DELETE FROM {table} WHERE customer_id = $1 AND {key} {in_array('$2')}",
    )
    for table, key in _KEYS
)


_DEFAULTS = {"public_link": "{}"}
"""The values of columns that rows lack if they were deleted before a release that added the column."""


def _placeholders(count: int) -> str:
    return ", ".join(f"${number}" for number in range(1, count + 1))


_INSERTS = tuple(
    (
        table,
        f"INSERT INTO {table} (customer_id, {columns}) VALUES ({_placeholders(columns.count(',') + 2)})",
    )
    for table, columns in COLUMNS.items()
)
_ENTRY_COLUMNS = (
    "id, customer_id, kind, name, parent_id, folder_id, affected, actor_kind, actor_id, actor_name, deleted, expires"
)
_ENTRY = f"SELECT {_ENTRY_COLUMNS} FROM trash"
_ENTRIES = RecordTable[TrashEntry](
    "trash",
    _ENTRY_COLUMNS,
    actor_kind="deleted_by.kind",
    actor_id="deleted_by.id",
    actor_name="deleted_by.name",
)


def _to_json(ids: Collection[str]) -> str:
    return msgspec.json.encode(sorted(ids)).decode()


_entry_reader = RecordReader(TrashEntry, deleted_by=lambda deleter: Deleter(*deleter))


def _to_entry(row: Row) -> TrashEntry:
    return _entry_reader((*row[:7], row[7:10], *row[10:]))


async def insert(tx: WriteTransaction, entry: TrashEntry) -> None:
    tx.schedule(WorkKind.TRASH, entry.customer_id, entry.expires)
    await _ENTRIES.insert(tx, entry)


async def move_rows(
    tx: WriteTransaction, scope: Scope, entry_id: str, source: tuple[str, str], ids: Collection[str]
) -> None:
    """Move the rows of a table that have one of the ids in a column, given as `source`, into the trash."""
    # Only constant statements are run, so no name of a table is formatted into SQL here.
    for known, select, delete in _MOVES:
        if known == source and ids:
            rows = await tx.fetch(select, scope.customer_id, _to_json(ids))
            contents = [dict(zip(COLUMNS[source[0]].split(", "), row, strict=True)) for row in rows]
            await insert_rows(tx, scope, entry_id, source[0], contents)
            await tx.execute(delete, scope.customer_id, _to_json(ids))


async def insert_rows(
    tx: WriteTransaction, scope: Scope, entry_id: str, table: str, contents: Sequence[Content]
) -> None:
    """Store rows in the trash. Each has the id of its record or, if it has none, its values as an id."""
    await tx.execute_many(
        "INSERT INTO trash_rows (customer_id, source, id, entry_id, content) VALUES ($1, $2, $3, $4, $5)",
        [
            (scope.customer_id, table, _row_id(table, content), entry_id, msgspec.json.encode(content).decode())
            for content in contents
        ],
    )


def _row_id(table: str, content: Content) -> str:
    keys = _KEY_COLUMNS.get(table, ("id",))
    return " ".join(str(content[key]) for key in keys)


async def list_rows(tx: ReadTransaction, scope: Scope, entry_id: str) -> dict[str, list[Content]]:
    """Return the rows of an entry by table."""
    rows = await tx.fetch(
        "SELECT source, content FROM trash_rows WHERE customer_id = $1 AND entry_id = $2 ORDER BY source, id",
        scope.customer_id,
        entry_id,
    )
    found: dict[str, list[Content]] = {}
    for source, content in rows:
        found.setdefault(source, []).append(msgspec.json.decode(content))
    return found


async def put_back(tx: WriteTransaction, scope: Scope, table: str, contents: Sequence[Content]) -> None:
    """Insert rows into their table. Columns that a row lacks, because they are newer, get their default or null."""
    names = COLUMNS[table].split(", ")
    for known, sql in _INSERTS:
        if known == table and contents:
            await tx.execute_many(
                sql,
                [
                    (scope.customer_id, *(content.get(name, _DEFAULTS.get(name)) for name in names))
                    for content in contents
                ],
            )


async def delete(tx: WriteTransaction, scope: Scope, entry_id: str) -> None:
    """Delete an entry with its rows."""
    for sql in (
        "DELETE FROM trash_rows WHERE customer_id = $1 AND entry_id = $2",
        "DELETE FROM trash WHERE customer_id = $1 AND id = $2",
    ):
        await tx.execute(sql, scope.customer_id, entry_id)


async def find(tx: ReadTransaction, scope: Scope, entry_id: str) -> TrashEntry | None:
    """Return an entry that can still be restored."""
    row = await tx.fetch_one(
        f"{_ENTRY} WHERE customer_id = $1 AND id = $2 AND purging = 0", scope.customer_id, entry_id
    )
    return _to_entry(row) if row else None


async def find_row_entry(tx: ReadTransaction, scope: Scope, datasource_id: str, key: str) -> TrashEntry | None:
    """Return the newest entry of a row of a data source."""
    row = await tx.fetch_one(
        f"{_ENTRY} WHERE customer_id = $1 AND kind = '{TrashKind.DATASOURCE_ROW}' AND parent_id = $2 AND name = $3"
        " AND purging = 0 ORDER BY deleted DESC LIMIT 1",
        scope.customer_id,
        datasource_id,
        key,
    )
    return _to_entry(row) if row else None


async def find_owner(tx: ReadTransaction, scope: Scope, table: str, row_id: str) -> str | None:
    """Return the id of the entry that contains a row; None if it is not in the trash."""
    row = await tx.fetch_one(
        "SELECT entry_id FROM trash_rows WHERE customer_id = $1 AND source = $2 AND id = $3",
        scope.customer_id,
        table,
        row_id,
    )
    return str(row[0]) if row else None


async def find_content(tx: ReadTransaction, scope: Scope, table: str, row_id: str) -> Content | None:
    """Return a row in the trash."""
    row = await tx.fetch_one(
        "SELECT content FROM trash_rows WHERE customer_id = $1 AND source = $2 AND id = $3",
        scope.customer_id,
        table,
        row_id,
    )
    content: Content | None = msgspec.json.decode(row[0]) if row else None
    return content


async def page(
    tx: ReadTransaction, scope: Scope, reaches: Mapping[TrashKind, Scope], window: Window
) -> Page[TrashEntry]:
    """Return a page of the entries of these kinds, each within its scope, the last deleted first."""
    query = Query(_ENTRY, scope.customer_id).where("purging = 0")
    conditions = " OR ".join(_kind_condition(query, kind, within) for kind, within in sorted(reaches.items()))
    query.where(f"({conditions})" if conditions else "1 = 0")
    rows = await tx.fetch(query.window(window, "deleted", descending=True), *query.args)
    return cut_page([_to_entry(row) for row in rows], window.limit, lambda entry: Position(entry.deleted, entry.id))


def _kind_condition(query: Query, kind: TrashKind, scope: Scope) -> str:
    of_kind = f"kind = {query.bind(kind)}"
    if scope.reach is None:
        return of_kind
    ids = in_array(query.bind(_to_json(scope.reach.form_ids | scope.reach.folder_ids)))
    return f"{of_kind} AND (id {ids} OR parent_id {ids} OR folder_id {ids})"


async def begin_purge(tx: WriteTransaction, scope: Scope, entry_id: str) -> None:
    """Make an entry due for permanent deletion now, so that it can no longer be restored."""
    await tx.execute(
        "UPDATE trash SET purging = 1, expires = 0 WHERE customer_id = $1 AND id = $2", scope.customer_id, entry_id
    )
    tx.schedule(WorkKind.TRASH, scope.customer_id, tx.now())


async def find_expired(tx: ReadTransaction, scope: Scope, now: int) -> TrashEntry | None:
    """Return the entry that has been due for permanent deletion for the longest time."""
    row = await tx.fetch_one(
        f"{_ENTRY} WHERE customer_id = $1 AND expires <= $2 ORDER BY expires, id LIMIT 1", scope.customer_id, now
    )
    return _to_entry(row) if row else None


async def find_next_expiry(tx: ReadTransaction, scope: Scope) -> int | None:
    row = await tx.fetch_one("SELECT min(expires) FROM trash WHERE customer_id = $1", scope.customer_id)
    return row[0] if row else None


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with entries that are due for permanent deletion."""
    rows = await tx.fetch("SELECT DISTINCT customer_id FROM trash WHERE expires <= $1", now)
    return [str(row[0]) for row in rows]


async def clear_actor(tx: WriteTransaction, scope: Scope, actor_id: str) -> None:
    """Remove the name of an actor from the entries of what they deleted."""
    sql = "UPDATE trash SET actor_name = '' WHERE customer_id = $1 AND actor_id = $2"
    await tx.execute(sql, scope.customer_id, actor_id)
