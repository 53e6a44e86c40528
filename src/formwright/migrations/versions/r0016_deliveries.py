"""Deliveries that are tests, that are tried anew, and those that did not arrive, quickly found."""

from alembic import op

revision = "0016"
down_revision = "0015"

STATEMENTS = [
    # A test is no event of the log: what is sent stands in the delivery itself.
    "ALTER TABLE deliveries ADD COLUMN body TEXT",
    "ALTER TABLE invocations ADD COLUMN body TEXT",
    # How many tries were made before the schedule began anew.
    "ALTER TABLE deliveries ADD COLUMN base BIGINT NOT NULL DEFAULT 0",
    """CREATE INDEX invocations_status ON invocations (customer_id, subscriber_id, status, created, id)
        WHERE status <> 'SUCCEEDED'""",
]


def upgrade() -> None:
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
