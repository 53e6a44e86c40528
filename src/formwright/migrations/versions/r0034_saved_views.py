"""Saved views of the list of submissions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0034"
down_revision = "0033"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE saved_views (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, owner_id {ID}, name TEXT NOT NULL, form_id {ID}, folder_id {ID},
    settings TEXT NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX saved_views_created ON saved_views (customer_id, created, id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
