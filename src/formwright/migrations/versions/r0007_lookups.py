"""Submissions store the rows that their lookups refer to."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN lookups TEXT")
