"""A link for each recipient of a task, which only they can use."""

from alembic import op

from formwright.core import crypto

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    connection = op.get_bind()
    connection.exec_driver_sql("ALTER TABLE task_recipients ADD COLUMN link TEXT NOT NULL DEFAULT ''")
    rows = connection.exec_driver_sql("SELECT customer_id, task_id, user_id FROM task_recipients").fetchall()
    for customer_id, task_id, user_id in rows:
        where = f"customer_id = '{customer_id}' AND task_id = '{task_id}' AND user_id = '{user_id}'"
        sql = f"UPDATE task_recipients SET link = '{crypto.new_secret('t')}' WHERE {where}"  # noqa: S608
        connection.exec_driver_sql(sql)
    connection.exec_driver_sql("CREATE UNIQUE INDEX task_recipients_link ON task_recipients (link)")
