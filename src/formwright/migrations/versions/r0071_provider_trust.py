"""Identity providers whose addresses an owner trusts, and the one that provisions the account."""

from alembic import op

revision = "0071"
down_revision = "0070"

STATEMENTS = [
    "ALTER TABLE identity_providers ADD COLUMN trusts_addresses BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE identity_providers ADD COLUMN links_provisioned BIGINT NOT NULL DEFAULT 0",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
