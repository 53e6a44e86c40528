"""Downloads: runs without an export, which a user requested on a page.

They have a due time of their own, so that a worker of the previous version does not look for their export.
"""

from alembic import op

revision = "0072"
down_revision = "0071"

STATEMENTS = (
    "ALTER TABLE export_runs ADD COLUMN user_id TEXT",
    "ALTER TABLE export_runs ADD COLUMN download TEXT",
    "ALTER TABLE export_runs ADD COLUMN download_due BIGINT",
    "CREATE INDEX export_runs_user ON export_runs (customer_id, user_id) WHERE user_id IS NOT NULL",
    "CREATE INDEX export_runs_download_due ON export_runs (customer_id, download_due) WHERE download_due IS NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
