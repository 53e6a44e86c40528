"""The moving average of failed deliveries to a subscriber, which opens its circuit breaker.

Workers of the previous version ignore it; it continues from its last value once they have stopped.
"""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE subscribers ADD COLUMN failure_rate BIGINT NOT NULL DEFAULT 0")
