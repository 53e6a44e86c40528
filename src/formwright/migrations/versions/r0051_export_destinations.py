"""Folders and buckets as destinations of exports."""

from alembic import op

revision = "0051"
down_revision = "0050"

STATEMENTS = ("ALTER TABLE exports ADD COLUMN secret TEXT", "ALTER TABLE export_runs ADD COLUMN location TEXT")


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
