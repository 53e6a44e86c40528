"""Data sources whose rows are pulled from a URL."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0006"
down_revision = "0005"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE datasource_pulls (
        customer_id {ID} NOT NULL, datasource_id {ID} NOT NULL, url TEXT NOT NULL, names TEXT NOT NULL,
        headers TEXT NOT NULL, every_ms BIGINT NOT NULL, due BIGINT NOT NULL, lease TEXT, tries BIGINT NOT NULL,
        status TEXT, started BIGINT, ended BIGINT, took BIGINT, rows BIGINT, detail TEXT NOT NULL, bad TEXT NOT NULL,
        etag TEXT NOT NULL, modified TEXT NOT NULL, version BIGINT NOT NULL,
        PRIMARY KEY (customer_id, datasource_id)
    )""",
    "CREATE INDEX datasource_pulls_due ON datasource_pulls (due)",
    # Finds pulls that are scheduled too far ahead because the clock of the machine was wrong for a while.
    "CREATE INDEX datasource_pulls_set_back ON datasource_pulls ((due - every_ms))",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
