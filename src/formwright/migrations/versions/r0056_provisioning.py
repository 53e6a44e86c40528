"""Tokens of identity providers that provision users, and what they say about users beyond our own properties."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0056"
down_revision = "0055"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE provisioning_tokens (
        customer_id {ID} NOT NULL PRIMARY KEY, name TEXT NOT NULL, hint TEXT NOT NULL, token_hash {ID} NOT NULL,
        created BIGINT NOT NULL, last_used BIGINT
    )""",
    f"""CREATE TABLE provisioned_users (
        customer_id {ID} NOT NULL, user_id {ID} NOT NULL, user_name TEXT NOT NULL, user_name_key {ID} NOT NULL,
        formatted TEXT, given_name TEXT, family_name TEXT, preferred_language TEXT, email_type TEXT,
        email_primary BIGINT, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL,
        PRIMARY KEY (customer_id, user_id)
    )""",
    "CREATE INDEX provisioned_users_name ON provisioned_users (customer_id, user_name_key)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
