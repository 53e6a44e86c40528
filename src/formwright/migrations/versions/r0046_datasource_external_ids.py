"""External ids of data sources."""

from alembic import op

revision = "0046"
down_revision = "0045"

STATEMENTS = (
    "ALTER TABLE datasources ADD COLUMN external_id TEXT",
    "CREATE UNIQUE INDEX datasources_external ON datasources (customer_id, external_id) WHERE external_id IS NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
