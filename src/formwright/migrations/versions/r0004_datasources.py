"""Versions of data sources, types of their columns, and a history of imports."""

import msgspec
from alembic import op
from sqlalchemy import Connection, text

from formwright.core.db.interface import for_postgres, for_sqlite
from formwright.domain.datasources.cell_types import TypeDetector, to_text
from formwright.domain.datasources.models import FOREVER, Column

revision = "0004"
down_revision = "0003"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    "ALTER TABLE datasources ADD COLUMN version BIGINT NOT NULL DEFAULT 1",
    "ALTER TABLE datasources ADD COLUMN place BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE datasources ADD COLUMN next_number BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE datasources ADD COLUMN lease TEXT",
    "ALTER TABLE datasources ADD COLUMN leased BIGINT",
    "/*sqlite UPDATE datasources SET place = rowid*/",
    """UPDATE datasources SET next_number = (
        SELECT COALESCE(MAX(position), -1) + 1 FROM datasource_rows AS r
        WHERE r.customer_id = datasources.customer_id AND r.datasource_id = datasources.id
    )""",
    "ALTER TABLE datasource_rows RENAME TO datasource_rows_before",
    f"""CREATE TABLE datasource_rows (
        customer_id {ID} NOT NULL, datasource_id {ID} NOT NULL, number /*postgres BIGINT NOT NULL*//*sqlite INTEGER*/,
        key {ID} NOT NULL, since BIGINT NOT NULL, until BIGINT NOT NULL, data TEXT NOT NULL, search TEXT NOT NULL,
        PRIMARY KEY (/*postgres customer_id, datasource_id, */number)
    )""",
    "CREATE UNIQUE INDEX datasource_rows_key ON datasource_rows (customer_id, datasource_id, key, since)",
    "/*sqlite CREATE INDEX datasource_rows_number ON datasource_rows (customer_id, datasource_id, number)*/",
    f"""CREATE INDEX datasource_rows_ended ON datasource_rows (customer_id, datasource_id, until)
        WHERE until < {FOREVER}""",
    f"""CREATE TABLE datasource_imports (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, datasource_id {ID} NOT NULL, source TEXT NOT NULL,
        mode TEXT NOT NULL, status TEXT NOT NULL, counts TEXT NOT NULL, version BIGINT NOT NULL, bad TEXT NOT NULL,
        detail TEXT NOT NULL, by_kind TEXT NOT NULL, by_id TEXT NOT NULL, started BIGINT NOT NULL,
        created BIGINT NOT NULL,
        PRIMARY KEY (customer_id, id)
    )""",
    "CREATE INDEX datasource_imports_created ON datasource_imports (customer_id, datasource_id, created, id)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        if sql := dialect(statement):
            connection.exec_driver_sql(sql)
    _carry_over(connection)
    connection.exec_driver_sql("DROP TABLE datasource_rows_before")


def _carry_over(connection: Connection) -> None:
    """Copy the existing rows and columns into the new tables."""
    for customer_id, datasource_id, columns, place in connection.execute(
        text("SELECT customer_id, id, columns, place FROM datasources")
    ).all():
        names = msgspec.json.decode(columns, type=list[str])
        types = TypeDetector([Column(name) for name in names])
        old = connection.execute(
            text(
                "SELECT position, key, CAST(data AS TEXT) FROM datasource_rows_before"
                " WHERE customer_id = :customer AND datasource_id = :datasource"
            ),
            {"customer": customer_id, "datasource": datasource_id},
        ).all()
        for position, key, data in old:
            values = msgspec.json.decode(data)
            types.add_values([values.get(name) for name in names])
            cells = {name: to_text(value) for name, value in sorted(values.items()) if to_text(value)}
            _insert(connection, customer_id, datasource_id, (place << 32) + position, key, cells)
        found = [(column.name, column.type, False) for column in types.columns()]
        connection.execute(
            text("UPDATE datasources SET columns = :columns WHERE customer_id = :customer AND id = :datasource"),
            {
                "columns": msgspec.json.encode(found).decode(),
                "customer": customer_id,
                "datasource": datasource_id,
            },
        )


def _insert(
    connection: Connection, customer_id: str, datasource_id: str, number: int, key: str, cells: dict[str, str]
) -> None:
    connection.execute(
        text(
            "INSERT INTO datasource_rows (customer_id, datasource_id, number, key, since, until, data, search)"
            " VALUES (:customer, :datasource, :number, :key, 1, :until, :data, '')"
        ),
        {
            "customer": customer_id,
            "datasource": datasource_id,
            "number": number,
            "until": FOREVER,
            "key": key,
            "data": msgspec.json.encode(cells).decode(),
        },
    )
