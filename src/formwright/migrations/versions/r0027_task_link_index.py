"""The index of task links is no longer unique: a distributed database cannot enforce that across nodes.

A link contains 214 random bits, so no two are equal anyway.
"""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("DROP INDEX task_recipients_link")
    op.get_bind().exec_driver_sql("CREATE INDEX task_recipients_link ON task_recipients (link)")
