"""The link with which the first owner of an empty installation creates an account. The table has at most one row."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(
        "CREATE TABLE first_owner_link ("
        " id SMALLINT PRIMARY KEY CHECK (id = 1), token_hash TEXT NOT NULL, ends BIGINT NOT NULL)"
    )
