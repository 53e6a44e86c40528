"""Groups and their members."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0009"
down_revision = "0008"

ID = 'TEXT /*postgres COLLATE "C" */'
STAMPS = "created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL"

TABLES = f"""
CREATE TABLE groups (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id), UNIQUE (customer_id, name)
);
CREATE INDEX groups_created ON groups (customer_id, created, id);
CREATE TABLE group_members (
    customer_id {ID} NOT NULL, group_id {ID} NOT NULL, user_id {ID} NOT NULL,
    PRIMARY KEY (customer_id, group_id, user_id)
);
CREATE INDEX group_members_user ON group_members (customer_id, user_id, group_id);
CREATE INDEX users_created ON users (customer_id, created, id);
CREATE INDEX roles_created ON roles (customer_id, created, id);
CREATE INDEX grants_role ON grants (customer_id, role_id)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
