"""Media of forms, which every opened form looks for."""

from alembic import op

revision = "0068"
down_revision = "0067"

STATEMENT = "CREATE INDEX files_media ON files (customer_id, form_id) WHERE submission_id IS NULL AND idle IS NULL"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(STATEMENT)
