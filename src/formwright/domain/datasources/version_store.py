"""SQL of the versions of data sources: when each became visible, and which rows it added.

A row stores its version instead of a time, because the time of an import is only known after its rows are written. Row
numbers increase with the versions, so a period is a range of numbers, which needs no index of its own.
"""

from collections.abc import Collection

import msgspec

from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import in_array
from formwright.domain.datasources.models import Datasource

_BY_DATASOURCE = "customer_id = $1 AND datasource_id = $2"


async def insert(tx: WriteTransaction, datasource: Datasource) -> None:
    """Record the data source's version, which becomes visible at the time `updated`."""
    await tx.execute(
        "INSERT INTO datasource_versions (customer_id, datasource_id, version, row_end, created)"
        " VALUES ($1, $2, $3, $4, $5)",
        datasource.customer_id,
        datasource.id,
        datasource.version,
        (datasource.place << 32) + datasource.next_number,
        datasource.updated,
    )


async def find_times(tx: ReadTransaction, datasource: Datasource, versions: Collection[int]) -> dict[int, int]:
    """Return when these versions became visible. A version that is not recorded has the time of the next one."""
    rows = await tx.fetch(
        f"SELECT version, created FROM datasource_versions WHERE {_BY_DATASOURCE} AND version"
        f" {in_array('$3', 'bigint')}",
        datasource.customer_id,
        datasource.id,
        msgspec.json.encode(sorted(versions)).decode(),
    )
    times = {row[0]: row[1] for row in rows}
    # While servers are upgraded one after the other, the previous release writes versions without recording them.
    for version in set(versions) - times.keys():
        times[version] = await _find_next_time(tx, datasource, version)
    return times


async def _find_next_time(tx: ReadTransaction, datasource: Datasource, version: int) -> int:
    row = await tx.fetch_one(
        f"SELECT MIN(created) FROM datasource_versions WHERE {_BY_DATASOURCE} AND version > $3",
        datasource.customer_id,
        datasource.id,
        version,
    )
    return int(row[0]) if row and row[0] is not None else datasource.updated


async def find_row_end(tx: ReadTransaction, datasource: Datasource, time: int) -> int:
    """Return the number after the last row that changed before a time."""
    row = await tx.fetch_one(
        f"SELECT row_end FROM datasource_versions WHERE {_BY_DATASOURCE} AND created < $3"
        " ORDER BY created DESC LIMIT 1",
        datasource.customer_id,
        datasource.id,
        time,
    )
    return int(row[0]) if row else datasource.place << 32
