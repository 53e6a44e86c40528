"""Uploaded files of rows, between their preview and their import."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0008"
down_revision = "0007"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE datasource_uploads (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, user_id {ID} NOT NULL, datasource_id {ID} NOT NULL,
        fresh BIGINT NOT NULL, file_name TEXT NOT NULL, kind TEXT NOT NULL, size BIGINT NOT NULL, state TEXT NOT NULL,
        choices TEXT NOT NULL, preview TEXT NOT NULL, seen BIGINT NOT NULL, done BIGINT NOT NULL,
        touched BIGINT NOT NULL,
        PRIMARY KEY (customer_id, id)
    )""",
    "CREATE INDEX datasource_uploads_touched ON datasource_uploads (touched)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
