"""Attributes of provisioned users that Formwright does not use, as JSON."""

from alembic import op

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE provisioned_users ADD COLUMN others TEXT")
