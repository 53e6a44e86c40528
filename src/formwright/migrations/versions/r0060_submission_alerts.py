"""Emails about new submissions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0060"
down_revision = "0059"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE submission_alerts (
    customer_id {ID} NOT NULL, user_id {ID} NOT NULL, form_id {ID} NOT NULL, frequency TEXT NOT NULL,
    since BIGINT NOT NULL, due BIGINT NOT NULL,
    PRIMARY KEY (customer_id, user_id, form_id)
);
CREATE INDEX submission_alerts_due ON submission_alerts (customer_id, due)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
