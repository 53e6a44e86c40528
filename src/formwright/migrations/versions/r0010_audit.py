"""The audit log, with triggers that reject changes to it."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0010"
down_revision = "0009"

ID = 'TEXT /*postgres COLLATE "C" */'

STATEMENTS = [
    f"""CREATE TABLE audit_log (
        customer_id {ID} NOT NULL, at BIGINT NOT NULL, id {ID} NOT NULL, actor_type TEXT NOT NULL,
        actor_id {ID} NOT NULL, actor_name TEXT NOT NULL, address TEXT NOT NULL, request_id TEXT NOT NULL,
        action TEXT NOT NULL, resource_type TEXT NOT NULL, resource_id {ID} NOT NULL, resource_name TEXT NOT NULL,
        changed TEXT NOT NULL,
        PRIMARY KEY (customer_id, at, id)
    ) /*sqlite WITHOUT ROWID*/""",
    "CREATE INDEX audit_log_actor ON audit_log (customer_id, actor_id, at, id)",
    "CREATE INDEX audit_log_resource ON audit_log (customer_id, resource_id, at, id)",
    """CREATE INDEX audit_log_type ON audit_log (customer_id, resource_type, at, id)
        WHERE resource_type <> 'submission'""",
    *(
        f"""/*sqlite CREATE TRIGGER audit_log_no_{verb} BEFORE {verb} ON audit_log BEGIN
            SELECT RAISE(ABORT, 'The audit log is never changed.');
        END*/"""
        for verb in ("UPDATE", "DELETE")
    ),
    """/*postgres CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $stays$
        BEGIN RAISE EXCEPTION 'The audit log is never changed.'; END $stays$*/""",
    """/*postgres CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays()*/""",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        if sql := dialect(statement):
            connection.exec_driver_sql(sql)
