"""Indexes for lists of submissions by status, user and task, and the list columns that users choose."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0020"
down_revision = "0019"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE INDEX submissions_status ON submissions (customer_id, status, at, id);
CREATE INDEX submissions_form_status ON submissions (customer_id, form_id, status, at, id);
CREATE INDEX submissions_user ON submissions (customer_id, user_id, at, id) WHERE user_id IS NOT NULL;
CREATE INDEX submissions_task ON submissions (customer_id, task_id, at, id) WHERE task_id IS NOT NULL;
CREATE TABLE submission_columns (
    customer_id {ID} NOT NULL, user_id {ID} NOT NULL, form_id {ID} NOT NULL, columns TEXT NOT NULL,
    PRIMARY KEY (customer_id, user_id, form_id)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
