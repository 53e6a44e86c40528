"""SQL of the import history."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.db.query import Query, in_array
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.datasources.models import ImportRecord

_COLUMNS = (
    "id, customer_id, datasource_id, source, mode, status, counts, version, bad, detail, by_kind, by_id, started,"
    " created"
)
_IMPORT = f"SELECT {_COLUMNS} FROM datasource_imports"
insert = RecordTable[ImportRecord]("datasource_imports", _COLUMNS).insert


_record_reader = RecordReader(ImportRecord)


async def page(tx: ReadTransaction, scope: Scope, datasource_id: str, window: Window) -> Page[ImportRecord]:
    """Return a page of the imports into a data source, newest first."""
    query = Query(_IMPORT, scope.customer_id).where("datasource_id = ?", datasource_id)
    return await _record_reader.page(tx, query, window, descending=True)


async def find_latest(tx: ReadTransaction, scope: Scope, ids: Sequence[str]) -> dict[str, ImportRecord]:
    """Return the newest import of each of these data sources, by data source id."""
    sql = (
        f"{_IMPORT} AS i WHERE customer_id = $1 AND datasource_id {in_array('$2')}"
        " AND NOT EXISTS (SELECT 1 FROM datasource_imports AS n WHERE n.customer_id = i.customer_id"
        " AND n.datasource_id = i.datasource_id AND (n.created, n.id) > (i.created, i.id))"
    )
    rows = await tx.fetch(sql, scope.customer_id, msgspec.json.encode(ids).decode())
    return {record.datasource_id: record for record in map(_record_reader, rows)}


async def version_before(tx: ReadTransaction, scope: Scope, datasource_id: str, time: int) -> int:
    """Return the version of the data source just before a time, or 0 if it had none."""
    row = await tx.fetch_one(
        "SELECT COALESCE(MAX(version), 0) FROM datasource_imports"
        " WHERE customer_id = $1 AND datasource_id = $2 AND created < $3",
        scope.customer_id,
        datasource_id,
        time,
    )
    return int(row[0]) if row else 0
