"""A submission as the API shows it, kept as text beside its answers, so that lists need not make it for each row."""

from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN shown TEXT")
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN shown_as BIGINT")
