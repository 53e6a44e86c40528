"""The links of tasks are looked up by an index that is not unique: across the machines of a distributed database none
can be. A link is 214 random bits, so no two are alike anyway."""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("DROP INDEX task_recipients_link")
    op.get_bind().exec_driver_sql("CREATE INDEX task_recipients_link ON task_recipients (link)")
