"""Templates of the PDF reports of forms."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0062"
down_revision = "0061"

ID = 'TEXT /*postgres COLLATE "C" */'

TABLE = f"""
CREATE TABLE report_templates (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, template TEXT NOT NULL, PRIMARY KEY (customer_id, form_id)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    op.get_bind().exec_driver_sql(dialect(TABLE))
