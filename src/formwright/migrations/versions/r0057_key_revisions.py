"""The revision of an API key beside its secrets, so that requests notice changed limits."""

from alembic import op

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE key_hashes ADD COLUMN revision BIGINT NOT NULL DEFAULT 1")
