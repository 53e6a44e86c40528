"""Identity providers that an account requires."""

from alembic import op

revision = "0054"
down_revision = "0053"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE identity_providers ADD COLUMN is_required BIGINT NOT NULL DEFAULT 0")
