"""Receipts: emails with a PDF of their answers to respondents."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0065"
down_revision = "0064"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE receipt_settings (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, recipient TEXT NOT NULL, field TEXT NOT NULL,
    since BIGINT NOT NULL, due BIGINT NOT NULL,
    PRIMARY KEY (customer_id, form_id)
);
CREATE INDEX receipt_settings_due ON receipt_settings (customer_id, due);
CREATE TABLE receipts (
    customer_id {ID} NOT NULL, submission_id {ID} NOT NULL, form_id {ID} NOT NULL, outcome TEXT NOT NULL,
    address TEXT NOT NULL, created BIGINT NOT NULL,
    PRIMARY KEY (customer_id, submission_id)
);
CREATE INDEX receipts_form ON receipts (customer_id, form_id, outcome, created);
CREATE INDEX receipts_address ON receipts (customer_id, address, created)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
