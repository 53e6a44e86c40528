"""The trigger of the audit log allows removing the names of erased people, and no other change."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0026"
down_revision = "0025"

STAYS = (
    *("customer_id", "at", "id", "actor_type", "actor_id", "request_id", "action", "resource_type", "resource_id"),
    "changed",
)
GOES = ("actor_name", "address", "resource_name")
SAME = " AND ".join([f"NEW.{name} = OLD.{name}" for name in STAYS])
GONE = " AND ".join([f"NEW.{name} IN (OLD.{name}, '')" for name in GOES])

STATEMENTS = [
    "/*sqlite DROP TRIGGER audit_log_no_UPDATE*/",
    f"""/*sqlite CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log WHEN NOT ({SAME} AND {GONE}) BEGIN
        SELECT RAISE(ABORT, 'The audit log is never changed.');
    END*/""",
    "/*postgres DROP TRIGGER audit_log_stays ON audit_log*/",
    """/*postgres CREATE TRIGGER audit_log_stays BEFORE DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays()*/""",
    f"""/*postgres CREATE TRIGGER audit_log_forgets BEFORE UPDATE ON audit_log FOR EACH ROW
        WHEN (NOT ({SAME} AND {GONE})) EXECUTE FUNCTION audit_log_stays()*/""",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        if sql := dialect(statement):
            connection.exec_driver_sql(sql)
