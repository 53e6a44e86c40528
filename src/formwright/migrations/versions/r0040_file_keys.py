"""The API key that uploaded a file."""

from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE files ADD COLUMN api_key_id TEXT")
