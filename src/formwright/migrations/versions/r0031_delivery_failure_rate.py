"""The share of a receiver's recent results that were failures, by which its circuit breaker opens.

Workers of the version before neither read nor write it; it goes on from where it was once they have gone.
"""

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE subscribers ADD COLUMN failure_rate BIGINT NOT NULL DEFAULT 0")
