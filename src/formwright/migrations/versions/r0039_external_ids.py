"""External ids of forms, users and groups."""

from alembic import op

revision = "0039"
down_revision = "0038"

TABLES = ("forms", "users", "groups")


def upgrade() -> None:
    for table in TABLES:
        op.get_bind().exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN external_id TEXT")
        op.get_bind().exec_driver_sql(
            f"CREATE UNIQUE INDEX {table}_external ON {table} (customer_id, external_id) WHERE external_id IS NOT NULL"
        )
