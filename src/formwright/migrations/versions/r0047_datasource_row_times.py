"""When rows of data sources were created and last changed."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0047"
down_revision = "0046"

ID = 'TEXT /*postgres COLLATE "C" */'

# The import history has the times of earlier versions. Rows of an interrupted import have a later version than their
# data source. A data source in the trash is not in `datasources`, but its history is there.
STATEMENTS = (
    "ALTER TABLE datasource_rows ADD COLUMN created_in BIGINT",
    f"""CREATE TABLE datasource_versions (
        customer_id {ID} NOT NULL, datasource_id {ID} NOT NULL, version BIGINT NOT NULL, row_end BIGINT NOT NULL,
        created BIGINT NOT NULL, PRIMARY KEY (customer_id, datasource_id, version)
    )""",
    "CREATE INDEX datasource_versions_created ON datasource_versions (customer_id, datasource_id, created)",
    """INSERT INTO datasource_versions (customer_id, datasource_id, version, row_end, created)
        SELECT r.customer_id, r.datasource_id, r.since, r.row_end, COALESCE(MIN(i.created), MAX(d.updated))
        FROM (
            SELECT customer_id, datasource_id, since, MAX(number) + 1 AS row_end FROM datasource_rows
            GROUP BY customer_id, datasource_id, since
        ) AS r
        LEFT JOIN datasources AS d ON d.customer_id = r.customer_id AND d.id = r.datasource_id
        LEFT JOIN datasource_imports AS i ON i.customer_id = r.customer_id AND i.datasource_id = r.datasource_id
            AND i.status = 'DONE' AND i.version >= r.since
        WHERE d.id IS NULL OR d.version >= r.since
        GROUP BY r.customer_id, r.datasource_id, r.since, r.row_end
        HAVING COALESCE(MIN(i.created), MAX(d.updated)) IS NOT NULL""",
)


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(dialect(statement))
