"""The ID token of a session, encrypted, as a hint for the identity provider when people sign out there."""

from alembic import op

revision = "0064"
down_revision = "0063"


def upgrade() -> None:
    op.get_bind().exec_driver_sql("ALTER TABLE sessions ADD COLUMN id_token TEXT")
