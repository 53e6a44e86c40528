"""Feeds for BI tools."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0037"
down_revision = "0036"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE feeds (customer_id {ID} NOT NULL, enabled BIGINT NOT NULL, PRIMARY KEY (customer_id));
CREATE TABLE feed_tables (
    customer_id {ID} NOT NULL, resource_id {ID} NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (customer_id, resource_id)
);
CREATE UNIQUE INDEX feed_tables_name ON feed_tables (customer_id, name)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
