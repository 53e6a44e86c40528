"""Limits of the public links of forms, the number of their responses, and the devices that have responded."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0048"
down_revision = "0047"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
ALTER TABLE forms ADD COLUMN public_link TEXT NOT NULL DEFAULT '{{}}';
CREATE TABLE link_counts (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, responses BIGINT NOT NULL, PRIMARY KEY (customer_id, form_id)
);
CREATE TABLE link_devices (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, device {ID} NOT NULL, submission_id {ID} NOT NULL,
    PRIMARY KEY (customer_id, form_id, device)
);
CREATE INDEX link_devices_submission ON link_devices (customer_id, submission_id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
