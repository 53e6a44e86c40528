"""Identity providers, the domains of accounts, the identities of users, and used states of sign-ins."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0052"
down_revision = "0051"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE identity_providers (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, issuer TEXT NOT NULL, client_id TEXT NOT NULL,
        client_secret TEXT NOT NULL, scopes TEXT NOT NULL, is_enabled BIGINT NOT NULL, links_by_email BIGINT NOT NULL,
        creates_users BIGINT NOT NULL, group_ids TEXT NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL,
        revision BIGINT NOT NULL, PRIMARY KEY (customer_id, id)
    )""",
    "CREATE INDEX identity_providers_id ON identity_providers (id)",
    f"""CREATE TABLE account_domains (
        customer_id {ID} NOT NULL, domain {ID} NOT NULL, created BIGINT NOT NULL, PRIMARY KEY (customer_id, domain)
    )""",
    "CREATE INDEX account_domains_domain ON account_domains (domain)",
    f"""CREATE TABLE user_identities (
        customer_id {ID} NOT NULL, issuer {ID} NOT NULL, subject {ID} NOT NULL, user_id {ID} NOT NULL,
        provider_id {ID} NOT NULL, created BIGINT NOT NULL, last_used BIGINT NOT NULL,
        PRIMARY KEY (customer_id, issuer, subject)
    )""",
    "CREATE INDEX user_identities_user ON user_identities (customer_id, user_id)",
    f"""CREATE TABLE used_states (
        customer_id {ID} NOT NULL, state_hash {ID} NOT NULL, ends BIGINT NOT NULL, PRIMARY KEY (customer_id, state_hash)
    )""",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
