"""Imports of submissions."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0044"
down_revision = "0043"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE submission_imports (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, version_id {ID} NOT NULL,
        file_name TEXT NOT NULL, kind TEXT NOT NULL, size BIGINT NOT NULL, actor TEXT NOT NULL, options TEXT NOT NULL,
        status TEXT NOT NULL, errors TEXT NOT NULL, total BIGINT NOT NULL, checked BIGINT NOT NULL,
        imported BIGINT NOT NULL, rejected BIGINT NOT NULL, next_line BIGINT NOT NULL, due BIGINT,
        tries BIGINT NOT NULL, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL, ended BIGINT,
        PRIMARY KEY (customer_id, id)
    )""",
    "CREATE INDEX submission_imports_list ON submission_imports (customer_id, created, id)",
    "CREATE INDEX submission_imports_due ON submission_imports (due) WHERE due IS NOT NULL",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
