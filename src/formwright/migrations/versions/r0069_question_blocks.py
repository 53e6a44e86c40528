"""The question library: blocks of questions and their versions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0069"
down_revision = "0068"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
CREATE TABLE question_blocks (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    version BIGINT NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX question_blocks_created ON question_blocks (customer_id, created, id);
CREATE TABLE question_block_versions (
    customer_id {ID} NOT NULL, block_id {ID} NOT NULL, number BIGINT NOT NULL, content TEXT NOT NULL,
    created BIGINT NOT NULL, created_by {ID},
    PRIMARY KEY (customer_id, block_id, number)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
