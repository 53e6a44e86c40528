"""Where somebody traces, an event keeps the place of its cause in a trace, so that its deliveries go on it."""

from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE events ADD COLUMN trace TEXT")
