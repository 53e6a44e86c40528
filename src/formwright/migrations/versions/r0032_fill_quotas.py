"""The daily quotas of fill links."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0032"
down_revision = "0031"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENT = f"""CREATE TABLE fill_quotas (
    customer_id {ID} NOT NULL, holder {ID} NOT NULL, unit TEXT NOT NULL, level BIGINT NOT NULL, at BIGINT NOT NULL,
    told BIGINT, PRIMARY KEY (customer_id, holder, unit)
) /*postgres WITH (fillfactor = 50) */"""


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    connection.exec_driver_sql(dialect(STATEMENT))
