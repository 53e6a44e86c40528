"""Indexes for lists in the order of the last change."""

from alembic import op

revision = "0038"
down_revision = "0037"

TABLES = ("forms", "tasks", "invites", "users", "groups", "datasources")


def upgrade() -> None:
    for table in TABLES:
        op.get_bind().exec_driver_sql(f"CREATE INDEX {table}_updated ON {table} (customer_id, updated, id)")
