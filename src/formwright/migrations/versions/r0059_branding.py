"""Logo, accent color and sender name of accounts."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0059"
down_revision = "0058"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    "ALTER TABLE customers ADD COLUMN accent_color TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE customers ADD COLUMN sender_name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE customers ADD COLUMN logo TEXT NOT NULL DEFAULT ''",
    f"""CREATE TABLE account_logos (
        customer_id {ID} NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (customer_id)
    )""",
]


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(dialect(statement))
