"""The SQL of datasources."""

import re
from collections.abc import Iterable

import msgspec

from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.datasources.model import DataRow, Datasource, Search

_DATASOURCE = (
    "SELECT id, customer_id, name, key_column, columns, row_count, created, updated, revision FROM datasources"
)
_FOUND = 50
_MEANT = re.compile(r"[\\%_]")
_CELLS = "SELECT 1 FROM /*postgres jsonb_each_text(data)*//*sqlite json_each(data)*/ AS cell WHERE cell.key IN"
_LIKE = r"lower(CAST({} AS TEXT)) LIKE lower(CAST(? AS TEXT)) ESCAPE '\'"


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


async def search(tx: Reading, scope: Scope, datasource_id: str, wanted: Search) -> list[DataRow]:
    """Case counts for no letter in PostgreSQL, and for none of ASCII in SQLite."""
    args: list[object] = [scope.customer_id, datasource_id]
    conditions = ["customer_id = $1", "datasource_id = $2"]
    for condition, *values in _conditions(wanted):
        for value in values:
            args.append(value)
            condition = condition.replace("?", f"${len(args)}", 1)
        conditions.append(condition)
    rows = await tx.fetch(
        f"SELECT position, key, data FROM datasource_rows WHERE {' AND '.join(conditions)}"
        f" ORDER BY position LIMIT {_FOUND} OFFSET {wanted.skip}",
        *args,
    )
    return [DataRow(*row) for row in rows]


def _conditions(wanted: Search) -> Iterable[tuple[str, ...]]:
    if wanted.key is not None:
        yield "key = ?", wanted.key
    shown = ", ".join("?" * len(wanted.columns)) or "''"
    for word in wanted.text.split():
        like = "%" + _MEANT.sub(r"\\\g<0>", word) + "%"
        found = f"({_LIKE.format('key')} OR EXISTS ({_CELLS} ({shown}) AND {_LIKE.format('cell.value')}))"
        yield found, like, *wanted.columns, like
    for column, value in wanted.by.items():
        yield "CAST(data ->> CAST(? AS TEXT) AS TEXT) = ?", column, value
