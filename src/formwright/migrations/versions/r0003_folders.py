"""Folders and templates, and an index of forms by folder."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0003"
down_revision = "0002"

ID = 'TEXT /*postgres COLLATE "C" */'
STAMPS = "created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL"

TABLES = f"""
CREATE TABLE folders (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, parent_id {ID}, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX folders_created ON folders (customer_id, created, id);
CREATE INDEX folders_parent ON folders (customer_id, parent_id);
CREATE TABLE templates (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, language TEXT NOT NULL,
    tags TEXT NOT NULL, definition TEXT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX templates_created ON templates (customer_id, created, id);
CREATE INDEX forms_folder ON forms (customer_id, folder_id, created, id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
