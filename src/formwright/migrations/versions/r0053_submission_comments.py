"""Comments on submissions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0053"
down_revision = "0052"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE submission_comments (
    customer_id {ID} NOT NULL, submission_id {ID} NOT NULL, created BIGINT NOT NULL, id {ID} NOT NULL,
    form_id {ID} NOT NULL, author_id {ID} NOT NULL, body TEXT NOT NULL, mentions TEXT NOT NULL,
    PRIMARY KEY (customer_id, submission_id, created, id)
);
CREATE INDEX submission_comments_author ON submission_comments (customer_id, author_id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
