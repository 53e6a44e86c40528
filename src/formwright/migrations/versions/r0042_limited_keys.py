"""API keys can be limited to permissions, folders and forms, and have a rate limit of their own."""

from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    for table in ("api_keys", "key_hashes"):
        op.get_bind().exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN limits TEXT")
        op.get_bind().exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN rate_limit BIGINT")
