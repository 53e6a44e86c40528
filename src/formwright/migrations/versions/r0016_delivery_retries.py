"""Test deliveries, manual retries, and an index of deliveries that have not succeeded."""

from alembic import op

revision = "0016"
down_revision = "0015"

STATEMENTS = [
    # The body of a test event, which is not in the event log.
    "ALTER TABLE deliveries ADD COLUMN body TEXT",
    "ALTER TABLE invocations ADD COLUMN body TEXT",
    # The number of attempts before the schedule was restarted.
    "ALTER TABLE deliveries ADD COLUMN base BIGINT NOT NULL DEFAULT 0",
    """CREATE INDEX invocations_status ON invocations (customer_id, subscriber_id, status, created, id)
        WHERE status <> 'SUCCEEDED'""",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
