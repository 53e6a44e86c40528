"""Responses to requests with an Idempotency-Key, which are stored for a day."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0017"
down_revision = "0016"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE replies (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, request TEXT NOT NULL, status BIGINT NOT NULL,
        location TEXT NOT NULL, content TEXT NOT NULL, created BIGINT NOT NULL,
        PRIMARY KEY (customer_id, id)
    )""",
    "CREATE INDEX replies_created ON replies (created)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
