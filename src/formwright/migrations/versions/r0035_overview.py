"""The overview: indexes of what it counts, and who dismissed its checklist."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0035"
down_revision = "0034"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE dismissed_checklists (
    customer_id {ID} NOT NULL, user_id {ID} NOT NULL, PRIMARY KEY (customer_id, user_id)
);
CREATE INDEX tasks_overdue ON tasks (customer_id, status, form_id) WHERE overdue = 1;
CREATE INDEX invites_status ON invites (customer_id, status, form_id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
