"""Indexes to find the accounts of a person whom the identity provider of the installation names."""

from alembic import op

revision = "0066"
down_revision = "0065"

STATEMENTS = [
    "CREATE INDEX user_identities_subject ON user_identities (issuer, subject)",
    "CREATE INDEX sessions_provider_session ON sessions (provider_session) WHERE provider_session IS NOT NULL",
]


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
