"""The searchable text of rows is stored in segments, column by column, and needs no database index."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from alembic import op
from sqlalchemy import Connection, text

from formwright.core.clock import SystemClock
from formwright.core.db.interface import for_postgres, for_sqlite
from formwright.core.ids import Ids
from formwright.domain.datasources.limits import SEGMENT_ROWS
from formwright.domain.datasources.search import text_segments
from formwright.domain.datasources.search.text_segments import NumberedCells

revision = "0014"
down_revision = "0013"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    "/*sqlite DROP TABLE IF EXISTS datasource_search*/",
    "/*postgres DROP INDEX IF EXISTS datasource_rows_search*/",
    "ALTER TABLE datasource_rows DROP COLUMN search",
    f"""CREATE TABLE datasource_segments (
        customer_id {ID} NOT NULL, datasource_id {ID} NOT NULL, first BIGINT NOT NULL, id {ID} NOT NULL,
        since BIGINT NOT NULL, numbers TEXT NOT NULL,
        PRIMARY KEY (customer_id, datasource_id, first)
    )""",
    "CREATE UNIQUE INDEX datasource_segments_id ON datasource_segments (customer_id, id)",
    f"""CREATE TABLE datasource_texts (
        customer_id {ID} NOT NULL, segment_id {ID} NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (customer_id, segment_id, name)
    )""",
    # Compression would not pay: unpacking takes longer than reading the uncompressed text.
    "/*postgres ALTER TABLE datasource_texts ALTER COLUMN text SET STORAGE EXTERNAL*/",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        if sql := dialect(statement):
            connection.exec_driver_sql(sql)
    ids = Ids(SystemClock())
    for customer_id, datasource_id, version in connection.execute(
        text("SELECT customer_id, id, version FROM datasources")
    ).all():
        for rows in _read_rows(connection, customer_id, datasource_id, version):
            _insert_segment(connection, (customer_id, datasource_id, rows[0][0], ids.new("seg"), version), rows)


def _read_rows(
    connection: Connection, customer_id: str, datasource_id: str, version: int
) -> Iterator[list[NumberedCells]]:
    rows: list[NumberedCells] = [(-1, {})]
    while rows:
        found = connection.execute(
            text(
                "SELECT number, data FROM datasource_rows WHERE customer_id = :customer AND datasource_id = :datasource"
                " AND number > :behind AND since <= :version AND until > :version ORDER BY number LIMIT :limit"
            ),
            {
                "customer": customer_id,
                "datasource": datasource_id,
                "behind": rows[-1][0],
                "version": version,
                "limit": SEGMENT_ROWS,
            },
        ).all()
        rows = [(number, msgspec.json.decode(data, type=dict[str, str])) for number, data in found]
        if rows:
            yield rows


def _insert_segment(
    connection: Connection, segment: tuple[str, str, int, str, int], rows: Sequence[NumberedCells]
) -> None:
    customer_id, segment_id = segment[0], segment[3]
    _insert(
        connection,
        "datasource_segments",
        text_segments.COLUMNS,
        [(*segment, text_segments.pack_numbers([n for n, _ in rows]))],
    )
    _insert(
        connection,
        "datasource_texts",
        text_segments.TEXT_COLUMNS,
        text_segments.build_texts(customer_id, segment_id, rows),
    )


def _insert(connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    marks = ", ".join(f":{column}" for column in columns)
    sql = text(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})")  # noqa: S608
    connection.execute(sql, [dict(zip(columns, row, strict=True)) for row in rows])
