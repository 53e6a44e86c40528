"""Submissions store their JSON as the API returns it, so that lists need not render each row."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN shown TEXT")
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN shown_as BIGINT")
