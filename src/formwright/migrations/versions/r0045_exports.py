"""Scheduled exports and their runs."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0045"
down_revision = "0044"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE exports (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, form_id {ID}, owner_id {ID} NOT NULL,
    settings TEXT NOT NULL, due BIGINT, through BIGINT, latest_run_id {ID}, created BIGINT NOT NULL,
    updated BIGINT NOT NULL, revision BIGINT NOT NULL, PRIMARY KEY (customer_id, id)
);
CREATE INDEX exports_created ON exports (customer_id, created, id);
CREATE INDEX exports_due ON exports (customer_id, due) WHERE due IS NOT NULL;
CREATE TABLE export_runs (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, export_id {ID} NOT NULL, form_id {ID}, state TEXT NOT NULL,
    since BIGINT, through BIGINT, rows BIGINT NOT NULL, files TEXT NOT NULL, detail TEXT NOT NULL, started BIGINT,
    ended BIGINT, expires BIGINT, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL,
    due BIGINT, lease TEXT, tries BIGINT NOT NULL, PRIMARY KEY (customer_id, id)
);
CREATE INDEX export_runs_created ON export_runs (customer_id, export_id, created, id);
CREATE INDEX export_runs_due ON export_runs (customer_id, due) WHERE due IS NOT NULL;
CREATE INDEX export_runs_expires ON export_runs (expires) WHERE expires IS NOT NULL
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
