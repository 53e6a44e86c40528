"""The `form_id` by which a form is known in XLSForm files. Forms get theirs when they are created or renamed."""

from alembic import op

revision = "0067"
down_revision = "0066"

STATEMENTS = (
    "ALTER TABLE forms ADD COLUMN xform_id TEXT",
    "CREATE UNIQUE INDEX forms_xform ON forms (customer_id, xform_id) WHERE xform_id IS NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
