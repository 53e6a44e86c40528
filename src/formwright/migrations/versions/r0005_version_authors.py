"""The authors of form versions, and reports of XLSForm imports."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0005"
down_revision = "0004"

ID = 'TEXT /*postgres COLLATE "C" */'

TABLES = f"""
ALTER TABLE versions ADD COLUMN created_by {ID};
ALTER TABLE versions ADD COLUMN updated_by {ID};
CREATE TABLE import_reports (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, notes TEXT NOT NULL, PRIMARY KEY (customer_id, form_id)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
