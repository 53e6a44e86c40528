"""Queued emails, and their delivery status."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0013"
down_revision = "0012"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE mails (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, purpose TEXT NOT NULL, subject_id {ID} NOT NULL,
        address TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, subject TEXT NOT NULL, body TEXT,
        until BIGINT, status TEXT NOT NULL, tries BIGINT NOT NULL, due BIGINT, lease TEXT,
        perhaps_twice BIGINT NOT NULL, detail TEXT NOT NULL, created BIGINT NOT NULL, ended BIGINT,
        PRIMARY KEY (customer_id, id)
    ) /*postgres WITH (fillfactor = 70) */""",
    "CREATE INDEX mails_due ON mails (due) WHERE due IS NOT NULL",
    "CREATE INDEX mails_waiting ON mails (customer_id, due, id) WHERE due IS NOT NULL",
    "CREATE INDEX mails_created ON mails (customer_id, created, id)",
    "CREATE INDEX mails_subject ON mails (customer_id, subject_id, purpose, created)",
    "CREATE INDEX mails_ended ON mails (ended) WHERE ended IS NOT NULL",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
