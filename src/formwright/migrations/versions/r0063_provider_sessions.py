"""The identity provider of a session, signing out at the provider, and groups that follow a claim."""

from alembic import op

revision = "0063"
down_revision = "0062"

STATEMENTS = [
    "ALTER TABLE sessions ADD COLUMN provider_id TEXT",
    "ALTER TABLE sessions ADD COLUMN provider_session TEXT",
    "CREATE INDEX sessions_provider ON sessions (customer_id, provider_id)",
    "ALTER TABLE identity_providers ADD COLUMN signs_out BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE identity_providers ADD COLUMN group_claim TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE identity_providers ADD COLUMN claim_group_ids TEXT NOT NULL DEFAULT '[]'",
]


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
