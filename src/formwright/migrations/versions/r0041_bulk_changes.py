"""Bulk changes of submissions, in steps."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0041"
down_revision = "0040"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE bulk_changes (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, user_id {ID} NOT NULL, action TEXT NOT NULL, note TEXT NOT NULL,
    assignee_id {ID}, undone_id {ID}, origin TEXT NOT NULL, total BIGINT NOT NULL, created BIGINT NOT NULL,
    touched BIGINT NOT NULL, stopped BIGINT NOT NULL,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX bulk_changes_user ON bulk_changes (customer_id, user_id, created);
CREATE TABLE bulk_change_steps (
    customer_id {ID} NOT NULL, change_id {ID} NOT NULL, number BIGINT NOT NULL, targets TEXT NOT NULL, outcomes TEXT,
    created BIGINT NOT NULL,
    PRIMARY KEY (customer_id, change_id, number)
);
CREATE INDEX bulk_change_steps_created ON bulk_change_steps (created);
CREATE INDEX bulk_changes_created ON bulk_changes (created)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
