"""The SQL of datasources."""

from collections.abc import Iterable

import msgspec

from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.datasources.model import DataRow, Datasource

_DATASOURCE = (
    "SELECT id, customer_id, name, key_column, columns, row_count, created, updated, revision FROM datasources"
)


def _datasource(row: Row) -> Datasource:
    datasource_id, customer_id, name, key_column, columns, *rest = row
    names = tuple(msgspec.json.decode(columns, type=list[str]))
    return Datasource(datasource_id, customer_id, name, key_column, names, *rest)


async def insert(tx: Writing, datasource: Datasource) -> None:
    await tx.execute(
        "INSERT INTO datasources (customer_id, id, name, key_column, columns, row_count, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        datasource.customer_id,
        datasource.id,
        datasource.name,
        datasource.key_column,
        msgspec.json.encode(datasource.columns).decode(),
        datasource.row_count,
        datasource.created,
        datasource.updated,
        datasource.revision,
    )


async def insert_rows(tx: Writing, datasource: Datasource, rows: Iterable[DataRow]) -> None:
    await tx.execute_many(
        "INSERT INTO datasource_rows (customer_id, datasource_id, key, position, data) VALUES ($1, $2, $3, $4, $5)",
        ((datasource.customer_id, datasource.id, row.key, row.position, row.data) for row in rows),
    )


async def name_taken(tx: Reading, scope: Scope, name: str) -> bool:
    sql = "SELECT 1 FROM datasources WHERE customer_id = $1 AND name = $2"
    return await tx.fetch_one(sql, scope.customer_id, name) is not None


async def find(tx: Reading, scope: Scope, datasource_id: str) -> Datasource | None:
    row = await tx.fetch_one(f"{_DATASOURCE} WHERE customer_id = $1 AND id = $2", scope.customer_id, datasource_id)
    return _datasource(row) if row else None


async def page(tx: Reading, scope: Scope, window: Window) -> Page[Datasource]:
    query = Query(_DATASOURCE, scope.customer_id)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut([_datasource(row) for row in rows], window.limit, lambda d: Place(d.created, d.id))


async def page_of_rows(tx: Reading, scope: Scope, datasource_id: str, window: Window) -> Page[DataRow]:
    rows = await tx.fetch(
        "SELECT position, key, data FROM datasource_rows"
        f" WHERE customer_id = $1 AND datasource_id = $2 AND position > $3 ORDER BY position LIMIT {window.limit + 1}",
        scope.customer_id,
        datasource_id,
        window.after.number if window.after else -1,
    )
    return cut([DataRow(*row) for row in rows], window.limit, lambda row: Place(row.position, row.key))
