"""Changes of submissions: their author, a note, and the previous revisions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0012"
down_revision = "0011"

ID = 'TEXT /*postgres COLLATE "C" */'
JSON = "/*postgres JSONB *//*sqlite TEXT */"

STATEMENTS = f"""
ALTER TABLE submissions ADD COLUMN note TEXT;
ALTER TABLE submissions ADD COLUMN updated_by {ID};
CREATE TABLE submission_revisions (
    customer_id {ID} NOT NULL, submission_id {ID} NOT NULL, revision BIGINT NOT NULL, version_id {ID} NOT NULL,
    status TEXT NOT NULL, data {JSON} NOT NULL, external_id TEXT, user_id {ID}, location TEXT, submitted BIGINT,
    note TEXT, updated_by {ID}, updated BIGINT NOT NULL,
    PRIMARY KEY (customer_id, submission_id, revision)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
