"""Events store the trace context of their cause, so that their deliveries continue the trace."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE events ADD COLUMN trace TEXT")
