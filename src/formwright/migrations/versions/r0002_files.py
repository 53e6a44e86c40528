"""Uploaded files."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0002"
down_revision = "0001"

ID = 'TEXT /*postgres COLLATE "C" */'

TABLES = f"""
CREATE TABLE files (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, field TEXT NOT NULL, name TEXT NOT NULL,
    type TEXT NOT NULL, size BIGINT NOT NULL, hash {ID} NOT NULL, place {ID} NOT NULL, state TEXT NOT NULL,
    submission_id {ID}, idle BIGINT, created BIGINT NOT NULL,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX files_hash ON files (customer_id, hash);
CREATE INDEX files_place ON files (customer_id, place);
CREATE INDEX files_submission ON files (customer_id, submission_id, created, id) WHERE submission_id IS NOT NULL;
CREATE INDEX files_idle ON files (customer_id, idle, id) WHERE idle IS NOT NULL
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
