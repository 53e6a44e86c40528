"""Full-text search: the searchable text of each submission, and signatures of blocks of submissions.

A worker adds the texts of existing submissions. Until then, searches are rejected.
"""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0050"
down_revision = "0049"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = f"""
ALTER TABLE submissions ADD COLUMN search_text TEXT;
ALTER TABLE submissions ADD COLUMN search_text_as BIGINT;
CREATE INDEX submissions_unsearchable ON submissions (customer_id, updated, id)
    WHERE search_text_as IS /*postgres DISTINCT FROM*//*sqlite NOT*/ updated * 1000 + 1;
CREATE TABLE search_blocks (
    customer_id {ID} NOT NULL, high BIGINT NOT NULL, low BIGINT NOT NULL,
    bits /*postgres BYTEA*//*sqlite BLOB*/ NOT NULL,
    PRIMARY KEY (customer_id, high)
);
/*postgres ALTER TABLE search_blocks ALTER COLUMN bits SET STORAGE PLAIN*/
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        if sql := dialect(statement.strip()):
            op.get_bind().exec_driver_sql(sql)
