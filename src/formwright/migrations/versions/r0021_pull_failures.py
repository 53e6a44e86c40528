"""The number of consecutive failures of a pull."""

from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    sql = "ALTER TABLE datasource_pulls ADD COLUMN failures BIGINT NOT NULL DEFAULT 0"
    op.get_bind().exec_driver_sql(sql)
