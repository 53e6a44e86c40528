"""Sign-in: details of sessions, links to set a password, second factors, and throttling of failed attempts."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0023"
down_revision = "0022"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"ALTER TABLE sessions ADD COLUMN id {ID} NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN agent TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sessions ADD COLUMN seen BIGINT NOT NULL DEFAULT 0",
    # Existing sessions stay signed in.
    "UPDATE sessions SET id = 'ses_' || substr(token_hash, 1, 26), seen = created",
    "ALTER TABLE users ADD COLUMN origin TEXT",
    f"""CREATE TABLE password_links (
        token_hash TEXT PRIMARY KEY, customer_id {ID} NOT NULL, user_id {ID} NOT NULL, kind TEXT NOT NULL,
        created BIGINT NOT NULL, ends BIGINT NOT NULL
    )""",
    "CREATE INDEX password_links_user ON password_links (customer_id, user_id)",
    f"""CREATE TABLE second_factors (
        customer_id {ID} NOT NULL, user_id {ID} NOT NULL, secret TEXT NOT NULL, since BIGINT, last_step BIGINT NOT NULL,
        PRIMARY KEY (customer_id, user_id)
    )""",
    f"""CREATE TABLE recovery_codes (
        customer_id {ID} NOT NULL, user_id {ID} NOT NULL, code_hash TEXT NOT NULL,
        PRIMARY KEY (customer_id, user_id, code_hash)
    )""",
    """CREATE TABLE throttles (
        bucket TEXT PRIMARY KEY, failures BIGINT NOT NULL, last BIGINT NOT NULL, until BIGINT NOT NULL
    )""",
    "CREATE INDEX throttles_last ON throttles (last)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
