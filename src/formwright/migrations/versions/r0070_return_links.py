"""Links with which people return to their own answers."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0070"
down_revision = "0069"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE return_links (
    hash TEXT PRIMARY KEY, customer_id {ID} NOT NULL, submission_id {ID} NOT NULL, channel TEXT NOT NULL,
    expires BIGINT, editor TEXT, position TEXT
);
CREATE INDEX return_links_submission ON return_links (customer_id, submission_id);
CREATE INDEX return_links_expires ON return_links (customer_id, expires) WHERE expires IS NOT NULL
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
