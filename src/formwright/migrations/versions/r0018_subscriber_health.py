"""The health of subscribers, their last events, rotated secrets and headers, and the cleanup of old deliveries."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0018"
down_revision = "0017"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    *(
        f"ALTER TABLE subscribers ADD COLUMN {column}"
        for column in (
            "failures BIGINT NOT NULL DEFAULT 0",
            "places BIGINT NOT NULL DEFAULT 10",
            "held BIGINT",
            "hold BIGINT NOT NULL DEFAULT 0",
            "failing BIGINT",
            "failed BIGINT",
            "told BIGINT NOT NULL DEFAULT 0",
            "retiring TEXT NOT NULL DEFAULT '[]'",
            "headers TEXT NOT NULL DEFAULT ''",
            "header_names TEXT NOT NULL DEFAULT '[]'",
        )
    ),
    "CREATE INDEX subscribers_failing ON subscribers (customer_id, id) WHERE failing IS NOT NULL",
    # A separate table, because it is written with each event: such a transaction must not wait for workers.
    f"""CREATE TABLE subscriber_heads (
        customer_id {ID} NOT NULL, subscriber_id {ID} NOT NULL, sequence BIGINT NOT NULL,
        PRIMARY KEY (customer_id, subscriber_id)
    ) /*postgres WITH (fillfactor = 50) */""",
    """INSERT INTO subscriber_heads (customer_id, subscriber_id, sequence)
        SELECT s.customer_id, s.id, COALESCE((SELECT max(d.sequence) FROM (
            SELECT customer_id, subscriber_id, sequence FROM deliveries
            UNION ALL SELECT customer_id, subscriber_id, sequence FROM invocations
        ) d WHERE d.customer_id = s.customer_id AND d.subscriber_id = s.id), 0) FROM subscribers s""",
    "ALTER TABLE deliveries ADD COLUMN previous BIGINT",
    "ALTER TABLE invocations ADD COLUMN previous BIGINT",
    "CREATE INDEX invocations_ended ON invocations (customer_id, ended)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
