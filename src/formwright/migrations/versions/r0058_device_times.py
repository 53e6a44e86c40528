"""Submissions keep the time on the device, which rules with `today()` and `now()` have seen."""

from alembic import op

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE submissions ADD COLUMN device_time TEXT")
