"""The trash: deleted records, which can be restored for 30 days, and their rows."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0043"
down_revision = "0042"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE trash (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, parent_id {ID},
    folder_id {ID}, affected TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id {ID} NOT NULL, actor_name TEXT NOT NULL,
    deleted BIGINT NOT NULL, expires BIGINT NOT NULL, purging BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX trash_deleted ON trash (customer_id, deleted, id);
CREATE INDEX trash_expires ON trash (expires);
CREATE TABLE trash_rows (
    customer_id {ID} NOT NULL, source TEXT NOT NULL, id {ID} NOT NULL, entry_id {ID} NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (customer_id, source, id)
);
CREATE INDEX trash_rows_entry ON trash_rows (customer_id, entry_id, source, id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
