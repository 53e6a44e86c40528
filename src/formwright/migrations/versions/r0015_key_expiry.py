"""API keys can be read-only, expire, and be rotated with an overlap."""

from alembic import op

revision = "0015"
down_revision = "0014"

STATEMENTS = [
    "ALTER TABLE api_keys ADD COLUMN read_only BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE api_keys ADD COLUMN expires BIGINT",
    "ALTER TABLE api_keys ADD COLUMN old_ends BIGINT",
    # A copy of everything that a request needs to know about its key, so that it reads only one row.
    "ALTER TABLE key_hashes ADD COLUMN name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE key_hashes ADD COLUMN read_only BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE key_hashes ADD COLUMN ends BIGINT",
    "ALTER TABLE key_hashes ADD COLUMN old BIGINT NOT NULL DEFAULT 0",
    """UPDATE key_hashes SET name = (
        SELECT name FROM api_keys k WHERE k.customer_id = key_hashes.customer_id AND k.id = key_hashes.key_id
    )""",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
