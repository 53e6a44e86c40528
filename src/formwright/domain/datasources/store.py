"""SQL of data sources. `row_store` has the SQL of their rows."""

from dataclasses import replace

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, TimeFilter, Window
from formwright.domain.datasources import sync_store
from formwright.domain.datasources.models import CellType, Column, Datasource

_COLUMNS = (
    "id, customer_id, name, key_column, columns, row_count, version, place, next_number, created, updated, revision,"
    " external_id"
)
_DATASOURCE = f"SELECT {_COLUMNS} FROM datasources"
_BY_ID = "customer_id = $1 AND id = $2"
_IS_CREATED = "version > 0"
"""Until its first import succeeds, a data source has version 0 and is invisible."""
# The rows of a data source in the trash keep their numbers.
_NEXT_PLACE = (
    "/*postgres 0*//*sqlite (SELECT COALESCE(MAX(place), 0) + 1 FROM (SELECT place FROM datasources UNION ALL"
    " SELECT json_extract(content, '$.place') FROM trash_rows WHERE source = 'datasources'))*/"
)
# A lease that ends later than any lease can was written by a process whose clock was ahead.
_LEASE_EXPIRED = "(leased < {0} OR leased > {0} + 600000)"


def _decode_columns(text: str) -> tuple[Column, ...]:
    return tuple(Column(*parts) for parts in msgspec.json.decode(text, type=list[tuple[str, CellType, bool]]))


_datasource_reader = RecordReader(Datasource, columns=_decode_columns)


def _encode_columns(datasource: Datasource) -> str:
    return msgspec.json.encode([(c.name, c.type, c.fixed) for c in datasource.columns]).decode()


async def reserve(tx: WriteTransaction, datasource: Datasource) -> None:
    """Insert a data source with version 0, which makes it invisible, and allocate its range of row numbers."""
    await tx.execute(
        "INSERT INTO datasources (customer_id, id, name, key_column, columns, row_count, version, place, next_number,"
        " created, updated, revision, external_id) VALUES ($1, $2, $3, $4, $5, 0, 0,"
        f" {_NEXT_PLACE}, 0, 0, 0, 0, $6)",
        datasource.customer_id,
        datasource.id,
        datasource.name,
        datasource.key_column,
        _encode_columns(datasource),
        datasource.external_id,
    )


async def is_name_reserved(tx: ReadTransaction, scope: Scope, name: str, excluded_id: str) -> bool:
    """Return whether another data source has the name, including those whose first import is in progress."""
    sql = "SELECT 1 FROM datasources WHERE customer_id = $1 AND name = $2 AND id <> $3"
    return await tx.fetch_one(sql, scope.customer_id, name, excluded_id) is not None


async def is_external_id_reserved(tx: ReadTransaction, scope: Scope, external_id: str, excluded_id: str) -> bool:
    """Return whether another data source has this external id, including those whose first import is in progress."""
    sql = "SELECT 1 FROM datasources WHERE customer_id = $1 AND external_id = $2 AND id <> $3"
    return await tx.fetch_one(sql, scope.customer_id, external_id, excluded_id) is not None


async def free_abandoned(tx: WriteTransaction, scope: Scope, name: str, external_id: str | None, now: int) -> None:
    """Free the name and the external id of data sources whose first import was interrupted."""
    await tx.execute(
        "UPDATE datasources SET name = id, external_id = NULL WHERE customer_id = $1"
        f" AND (name = $2 OR external_id = $3) AND version = 0 AND {_LEASE_EXPIRED.format('$4')}",
        scope.customer_id,
        name,
        external_id,
        now,
    )


async def is_name_taken(tx: ReadTransaction, scope: Scope, name: str, excluded_id: str = "") -> bool:
    """Return whether a visible data source other than `excluded_id` has the name."""
    sql = f"SELECT 1 FROM datasources WHERE customer_id = $1 AND name = $2 AND id <> $3 AND {_IS_CREATED}"
    return await tx.fetch_one(sql, scope.customer_id, name, excluded_id) is not None


async def acquire_lease(
    tx: WriteTransaction, scope: Scope, datasource_id: str, token: str, now: int, until: int
) -> tuple[Datasource, bool] | None:
    """Lock the data source for one import until the time `until`.

    Returns the data source and whether an earlier import was interrupted, or None while another import holds the lease.
    """
    # Read before the update, because RETURNING has the new value of the lease.
    left = await tx.fetch_one(
        f"SELECT lease IS NOT NULL FROM datasources WHERE {_BY_ID} AND (lease IS NULL OR {_LEASE_EXPIRED.format('$3')})"
        " /*postgres FOR UPDATE */",
        scope.customer_id,
        datasource_id,
        now,
    )
    if left is None:
        return None
    row = await tx.fetch_one(
        f"UPDATE datasources SET lease = $3, leased = $4 WHERE {_BY_ID} RETURNING {_COLUMNS}",
        scope.customer_id,
        datasource_id,
        token,
        until,
    )
    if row is None:
        return None
    return replace(_datasource_reader(row), pull=await sync_store.find(tx, scope, datasource_id)), bool(left[0])


async def renew_lease(tx: WriteTransaction, scope: Scope, datasource_id: str, token: str, until: int) -> bool:
    """Extend the lease; return False if another import has acquired it in the meantime."""
    sql = f"UPDATE datasources SET leased = $4 WHERE {_BY_ID} AND lease = $3"
    return bool(await tx.execute(sql, scope.customer_id, datasource_id, token, until))


save_and_release = RecordTable[Datasource](
    "datasources",
    _COLUMNS,
    "name, key_column, columns, row_count, version, next_number, created, updated, revision, external_id, lease,"
    " leased",
    columns=_encode_columns,
    lease=lambda _: None,
    leased=lambda _: None,
).update
"""Saves the data source and releases the lease."""


async def abandon(tx: WriteTransaction, datasource: Datasource) -> None:
    """Release the lease after a failed import; delete the data source if that was its first import."""
    await tx.execute(f"DELETE FROM datasources WHERE {_BY_ID} AND version = 0", datasource.customer_id, datasource.id)
    await tx.execute(
        f"UPDATE datasources SET lease = NULL, leased = NULL WHERE {_BY_ID}", datasource.customer_id, datasource.id
    )


async def find(tx: ReadTransaction, scope: Scope, datasource_id: str) -> Datasource | None:
    row = await tx.fetch_by_key(f"{_DATASOURCE} WHERE {_BY_ID} AND {_IS_CREATED}", scope.customer_id, datasource_id)
    return _datasource_reader(row) if row else None


async def find_by_name(tx: ReadTransaction, scope: Scope, name: str) -> Datasource | None:
    sql = f"{_DATASOURCE} WHERE customer_id = $1 AND name = $2 AND {_IS_CREATED}"
    row = await tx.fetch_one(sql, scope.customer_id, name)
    return _datasource_reader(row) if row else None


async def find_by_external_id(tx: ReadTransaction, scope: Scope, external_id: str) -> Datasource | None:
    sql = f"{_DATASOURCE} WHERE customer_id = $1 AND external_id = $2 AND {_IS_CREATED}"
    row = await tx.fetch_one(sql, scope.customer_id, external_id)
    return _datasource_reader(row) if row else None


async def find_for_update(tx: WriteTransaction, scope: Scope, datasource_id: str) -> Datasource | None:
    """Return a data source and lock its row until the end of the transaction."""
    sql = f"{_DATASOURCE} WHERE {_BY_ID} AND {_IS_CREATED} /*postgres FOR UPDATE */"
    row = await tx.fetch_one(sql, scope.customer_id, datasource_id)
    return _datasource_reader(row) if row else None


async def page(
    tx: ReadTransaction, scope: Scope, window: Window, times: TimeFilter, external_id: str | None = None
) -> Page[Datasource]:
    """Return a page of the account's visible data sources."""
    query = Query(_DATASOURCE, scope.customer_id).where(_IS_CREATED)
    if external_id is not None:
        query.where("external_id = ?", external_id)
    return await _datasource_reader.timed_page(tx, query, window, times)


async def search(tx: ReadTransaction, scope: Scope, text: str, limit: int) -> list[Datasource]:
    """Return up to `limit` visible data sources with the text in their name, or as their id, the newest first."""
    query = Query(_DATASOURCE, scope.customer_id).where(_IS_CREATED)
    postgres, sqlite = query.contains(text, "name", "name")
    query.where(f"(id = ? OR /*postgres {postgres}*//*sqlite {sqlite}*/)", text)
    rows = await tx.fetch(f"{query.sql()} ORDER BY created DESC, id DESC LIMIT {limit}", *query.args)
    return [_datasource_reader(row) for row in rows]


async def find_abandoned(tx: ReadTransaction, now: int) -> list[Datasource]:
    """Return up to 100 data sources, of all accounts, whose first import was interrupted."""
    sql = f"{_DATASOURCE} WHERE version = 0 AND {_LEASE_EXPIRED.format('$1')} ORDER BY customer_id, id LIMIT 100"
    return [_datasource_reader(row) for row in await tx.fetch(sql, now)]
