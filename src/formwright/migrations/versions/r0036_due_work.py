"""When each account next has background work of each kind, filled with the work that is waiting.

Processes of the previous version do not write it. Workers find the work that they created within minutes.
"""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0036"
down_revision = "0035"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE due_work (
    kind TEXT NOT NULL, customer_id {ID} NOT NULL, due BIGINT NOT NULL, PRIMARY KEY (kind, customer_id)
) /*postgres WITH (fillfactor = 50) */;
CREATE INDEX due_work_due ON due_work (kind, due);
CREATE INDEX tasks_next ON tasks (customer_id, due) WHERE due IS NOT NULL;
CREATE INDEX invites_next ON invites (customer_id, due) WHERE due IS NOT NULL;
INSERT INTO due_work (kind, customer_id, due) SELECT DISTINCT 'WEBHOOK', customer_id, 0 FROM subscribers;
INSERT INTO due_work (kind, customer_id, due)
    SELECT 'MAIL', customer_id, min(due) FROM mails WHERE due IS NOT NULL GROUP BY customer_id;
INSERT INTO due_work (kind, customer_id, due)
    SELECT 'PULL', customer_id, min(due) FROM datasource_pulls GROUP BY customer_id;
INSERT INTO due_work (kind, customer_id, due)
    SELECT 'TASK', customer_id, min(due) FROM tasks WHERE due IS NOT NULL GROUP BY customer_id;
INSERT INTO due_work (kind, customer_id, due)
    SELECT 'INVITE', customer_id, min(due) FROM invites WHERE due IS NOT NULL GROUP BY customer_id;
INSERT INTO due_work (kind, customer_id, due)
    SELECT DISTINCT 'INDEX', customer_id, 0 FROM form_fields WHERE state IN ('FILLING', 'LEAVING');
INSERT INTO due_work (kind, customer_id, due)
    SELECT DISTINCT 'INDEX', customer_id, 0 FROM answer_index WHERE at IS NULL ON CONFLICT DO NOTHING
"""  # noqa: S608


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
