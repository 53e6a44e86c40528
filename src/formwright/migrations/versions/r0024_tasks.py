"""Tasks can be published later, can be due, and are completed by each of their recipients."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0024"
down_revision = "0023"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    "ALTER TABLE tasks ADD COLUMN group_ids TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE tasks ADD COLUMN publish_at BIGINT",
    "ALTER TABLE tasks ADD COLUMN notify BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tasks ADD COLUMN remind_before BIGINT",
    "ALTER TABLE tasks ADD COLUMN overdue BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tasks ADD COLUMN told BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tasks ADD COLUMN reminded BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tasks ADD COLUMN base_url TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tasks ADD COLUMN reason TEXT",
    "ALTER TABLE tasks ADD COLUMN ended BIGINT",
    f"ALTER TABLE tasks ADD COLUMN updated_by {ID}",
    "ALTER TABLE tasks ADD COLUMN due BIGINT",
    "UPDATE tasks SET due = due_at WHERE status NOT IN ('COMPLETED', 'DECLINED', 'REVOKED')",
    "CREATE INDEX tasks_due ON tasks (due) WHERE due IS NOT NULL",
    "CREATE INDEX tasks_form ON tasks (customer_id, form_id, created, id)",
    "ALTER TABLE task_recipients ADD COLUMN named BIGINT NOT NULL DEFAULT 1",
    "ALTER TABLE task_recipients ADD COLUMN status TEXT NOT NULL DEFAULT 'OPEN'",
    f"ALTER TABLE task_recipients ADD COLUMN submission_id {ID}",
    "ALTER TABLE task_recipients ADD COLUMN at BIGINT",
    "ALTER TABLE task_recipients ADD COLUMN reason TEXT",
    "CREATE INDEX task_recipients_user ON task_recipients (customer_id, user_id, task_id)",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
