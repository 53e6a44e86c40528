"""Invites, their links and their history, and the invite of a submission."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0019"
down_revision = "0018"

ID = 'TEXT /*postgres COLLATE "C" */'
JSON = "/*postgres JSONB *//*sqlite TEXT */"

STATEMENTS = [
    f"""CREATE TABLE invites (
        customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, status TEXT NOT NULL, email TEXT NOT NULL,
        user_id {ID}, name TEXT NOT NULL, language TEXT NOT NULL, message TEXT NOT NULL, data {JSON} NOT NULL,
        lasts BIGINT NOT NULL, expires BIGINT NOT NULL, remind BIGINT, reminded BIGINT, external_id TEXT,
        base_url TEXT NOT NULL, submission_id {ID}, reason TEXT, sent BIGINT, opened BIGINT, started BIGINT,
        completed BIGINT, due BIGINT, created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL,
        PRIMARY KEY (customer_id, id)
    ) /*postgres WITH (fillfactor = 70) */""",
    "CREATE INDEX invites_created ON invites (customer_id, created, id)",
    "CREATE INDEX invites_form ON invites (customer_id, form_id, created, id)",
    "CREATE INDEX invites_email ON invites (customer_id, email, created, id)",
    "CREATE UNIQUE INDEX invites_external ON invites (customer_id, external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX invites_due ON invites (due) WHERE due IS NOT NULL",
    f"""CREATE TABLE invite_links (
        hash TEXT PRIMARY KEY, customer_id {ID} NOT NULL, invite_id {ID} NOT NULL, ended BIGINT
    )""",
    "CREATE INDEX invite_links_invite ON invite_links (customer_id, invite_id)",
    f"""CREATE TABLE invite_steps (
        customer_id {ID} NOT NULL, invite_id {ID} NOT NULL, number BIGINT NOT NULL, status TEXT NOT NULL,
        at BIGINT NOT NULL, who TEXT NOT NULL, detail TEXT NOT NULL,
        PRIMARY KEY (customer_id, invite_id, number)
    )""",
    f"ALTER TABLE submissions ADD COLUMN invite_id {ID}",
    "CREATE INDEX submissions_invite ON submissions (customer_id, invite_id) WHERE invite_id IS NOT NULL",
]


def upgrade() -> None:
    connection = op.get_bind()
    dialect = for_postgres if connection.dialect.name == "postgresql" else for_sqlite
    for statement in STATEMENTS:
        connection.exec_driver_sql(dialect(statement))
