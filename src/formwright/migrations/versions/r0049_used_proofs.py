"""Proofs of work that were used and have not expired."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0049"
down_revision = "0048"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE used_proofs (
    customer_id {ID} NOT NULL, nonce {ID} NOT NULL, expires BIGINT NOT NULL, PRIMARY KEY (customer_id, nonce)
);
CREATE INDEX used_proofs_expires ON used_proofs (customer_id, expires)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
