"""The rate limits of API keys."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0022"
down_revision = "0021"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENT = f"""CREATE TABLE key_rates (
    customer_id {ID} NOT NULL, key_id {ID} NOT NULL, level BIGINT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (customer_id, key_id)
) /*postgres WITH (fillfactor = 50) */"""


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    connection.exec_driver_sql(dialect(STATEMENT))
