"""The SQL of datasources; that of their rows is in `rowstore`."""

from dataclasses import replace

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Page, Place, Window, cut_page
from formwright.domain.datasources import sync_store
from formwright.domain.datasources.models import CellType, Column, Datasource

_COLUMNS = (
    "id, customer_id, name, key_column, columns, row_count, version, place, next_number, created, updated, revision"
)
_DATASOURCE = f"SELECT {_COLUMNS} FROM datasources"
_BY_ID = "customer_id = $1 AND id = $2"
_IS_CREATED = "version > 0"
"""One whose first import is under way has version 0: it is not there yet."""
# A lease that ends later than any can comes of a clock that was ahead.
_LEASE_EXPIRED = "(leased < {0} OR leased > {0} + 600000)"


def _to_datasource(row: Row) -> Datasource:
    datasource_id, customer_id, name, key_column, columns, *rest = row
    found = msgspec.json.decode(columns, type=list[tuple[str, CellType, bool]])
    return Datasource(datasource_id, customer_id, name, key_column, tuple(Column(*one) for one in found), *rest)


def _encode_columns(datasource: Datasource) -> str:
    return msgspec.json.encode([(c.name, c.type, c.fixed) for c in datasource.columns]).decode()


async def reserve(tx: WriteTransaction, datasource: Datasource) -> None:
    """Write down a datasource that is not there yet, with a place for its rows."""
    await tx.execute(
        "INSERT INTO datasources (customer_id, id, name, key_column, columns, row_count, version, place, next_number,"
        " created, updated, revision) VALUES ($1, $2, $3, $4, $5, 0, 0,"
        " /*postgres 0*//*sqlite (SELECT COALESCE(MAX(place), 0) + 1 FROM datasources)*/, 0, 0, 0, 0)",
        datasource.customer_id,
        datasource.id,
        datasource.name,
        datasource.key_column,
        _encode_columns(datasource),
    )


async def is_name_reserved(tx: ReadTransaction, scope: Scope, name: str, excluded_id: str) -> bool:
    """Whether one has the name that is there, or that is being made."""
    sql = "SELECT 1 FROM datasources WHERE customer_id = $1 AND name = $2 AND id <> $3"
    return await tx.fetch_one(sql, scope.customer_id, name, excluded_id) is not None


async def free_abandoned_name(tx: WriteTransaction, scope: Scope, name: str, now: int) -> None:
    """Take the name from a datasource that is not there, because its first import never ended."""
    await tx.execute(
        "UPDATE datasources SET name = id WHERE customer_id = $1 AND name = $2 AND version = 0"
        f" AND {_LEASE_EXPIRED.format('$3')}",
        scope.customer_id,
        name,
        now,
    )


async def is_name_taken(tx: ReadTransaction, scope: Scope, name: str, excluded_id: str = "") -> bool:
    """Whether a datasource that is there has the name."""
    sql = f"SELECT 1 FROM datasources WHERE customer_id = $1 AND name = $2 AND id <> $3 AND {_IS_CREATED}"
    return await tx.fetch_one(sql, scope.customer_id, name, excluded_id) is not None


async def acquire_lease(
    tx: WriteTransaction, scope: Scope, datasource_id: str, token: str, now: int, until: int
) -> tuple[Datasource, bool] | None:
    """The datasource for one import alone, and whether an earlier one never ended; None while another has it."""
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
    return replace(_to_datasource(row), pull=await sync_store.find(tx, scope, datasource_id)), bool(left[0])


async def renew_lease(tx: WriteTransaction, scope: Scope, datasource_id: str, token: str, until: int) -> bool:
    """Keep the lease; False when it is not ours any more."""
    sql = f"UPDATE datasources SET leased = $4 WHERE {_BY_ID} AND lease = $3"
    return bool(await tx.execute(sql, scope.customer_id, datasource_id, token, until))


async def save_and_release(tx: WriteTransaction, datasource: Datasource) -> None:
    """Write the datasource down as it is from now on, and let others import."""
    await tx.execute(
        "UPDATE datasources SET name = $3, key_column = $4, columns = $5, row_count = $6, version = $7,"
        " next_number = $8, created = $9, updated = $10, revision = $11, lease = NULL, leased = NULL"
        f" WHERE {_BY_ID}",
        datasource.customer_id,
        datasource.id,
        datasource.name,
        datasource.key_column,
        _encode_columns(datasource),
        datasource.row_count,
        datasource.version,
        datasource.next_number,
        datasource.created,
        datasource.updated,
        datasource.revision,
    )


async def abandon(tx: WriteTransaction, datasource: Datasource) -> None:
    """Let others import; what is not there yet is gone."""
    await tx.execute(f"DELETE FROM datasources WHERE {_BY_ID} AND version = 0", datasource.customer_id, datasource.id)
    await tx.execute(
        f"UPDATE datasources SET lease = NULL, leased = NULL WHERE {_BY_ID}", datasource.customer_id, datasource.id
    )


async def find(tx: ReadTransaction, scope: Scope, datasource_id: str) -> Datasource | None:
    row = await tx.fetch_by_key(f"{_DATASOURCE} WHERE {_BY_ID} AND {_IS_CREATED}", scope.customer_id, datasource_id)
    return _to_datasource(row) if row else None


async def find_for_update(tx: WriteTransaction, scope: Scope, datasource_id: str) -> Datasource | None:
    """One that nobody else changes until the transaction ends."""
    sql = f"{_DATASOURCE} WHERE {_BY_ID} AND {_IS_CREATED} /*postgres FOR UPDATE */"
    row = await tx.fetch_one(sql, scope.customer_id, datasource_id)
    return _to_datasource(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window) -> Page[Datasource]:
    query = Query(_DATASOURCE, scope.customer_id).where(_IS_CREATED)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut_page([_to_datasource(row) for row in rows], window.limit, lambda d: Place(d.created, d.id))


async def find_abandoned(tx: ReadTransaction, now: int) -> list[Datasource]:
    """Datasources of all accounts that are not there because their first import never ended."""
    sql = f"{_DATASOURCE} WHERE version = 0 AND {_LEASE_EXPIRED.format('$1')} ORDER BY customer_id, id LIMIT 100"
    return [_to_datasource(row) for row in await tx.fetch(sql, now)]
