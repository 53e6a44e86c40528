"""Accounts, users, API keys, forms, submissions, events and webhooks."""

from alembic import op

from formwright.core.db.interface import for_postgres, for_sqlite

revision = "0001"
down_revision = None

# The collation compares ids byte by byte, whatever the locale of the database.
ID = 'TEXT /*postgres COLLATE "C" */'
JSON = "/*postgres JSONB *//*sqlite TEXT */"
STAMPS = "created BIGINT NOT NULL, updated BIGINT NOT NULL, revision BIGINT NOT NULL"

TABLES = f"""
CREATE TABLE customers (
    customer_id {ID} PRIMARY KEY, name TEXT NOT NULL, locale TEXT NOT NULL, time_zone TEXT NOT NULL, {STAMPS}
);
CREATE TABLE account_order (
    customer_id {ID} PRIMARY KEY, stamp BIGINT NOT NULL, sequence BIGINT NOT NULL
) /*postgres WITH (fillfactor = 50) */;

CREATE TABLE users (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, email TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL,
    status TEXT NOT NULL, password_hash TEXT, {STAMPS},
    PRIMARY KEY (customer_id, id), UNIQUE (customer_id, email)
);
CREATE TABLE sign_ins (
    email TEXT NOT NULL, customer_id {ID} NOT NULL, user_id {ID} NOT NULL, PRIMARY KEY (email, customer_id)
);
CREATE TABLE roles (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, permissions TEXT NOT NULL,
    built_in BIGINT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id), UNIQUE (customer_id, name)
);
CREATE TABLE grants (
    customer_id {ID} NOT NULL, subject_id {ID} NOT NULL, role_id {ID} NOT NULL,
    resource_type TEXT NOT NULL, resource_id {ID} NOT NULL,
    PRIMARY KEY (customer_id, subject_id, role_id, resource_type, resource_id)
);
CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY, customer_id {ID} NOT NULL, user_id {ID} NOT NULL,
    created BIGINT NOT NULL, ends BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (customer_id, user_id);

CREATE TABLE api_keys (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, hint TEXT NOT NULL,
    maker_id {ID} NOT NULL, maker_name TEXT NOT NULL, last_used BIGINT, revoked BIGINT, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE TABLE key_hashes (
    hash TEXT PRIMARY KEY, customer_id {ID} NOT NULL, key_id {ID} NOT NULL
);

CREATE INDEX key_hashes_key ON key_hashes (customer_id, key_id);

CREATE TABLE forms (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    status TEXT NOT NULL, tags TEXT NOT NULL, folder_id {ID}, published_version_id {ID}, link TEXT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX forms_created ON forms (customer_id, created, id);
CREATE TABLE fill_links (
    token TEXT PRIMARY KEY, customer_id {ID} NOT NULL, form_id {ID} NOT NULL
);
CREATE TABLE versions (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, number BIGINT NOT NULL,
    status TEXT NOT NULL, remarks TEXT NOT NULL, definition TEXT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id), UNIQUE (customer_id, form_id, number)
);

CREATE TABLE submissions (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, version_id {ID} NOT NULL,
    status TEXT NOT NULL, data {JSON} NOT NULL, external_id TEXT, user_id {ID}, task_id {ID}, client_id TEXT,
    location TEXT, started BIGINT NOT NULL, submitted BIGINT,
    at BIGINT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX submissions_submitted ON submissions (customer_id, at, id);
CREATE INDEX submissions_updated ON submissions (customer_id, updated, id);
CREATE INDEX submissions_form_submitted ON submissions (customer_id, form_id, at, id);
CREATE INDEX submissions_form_updated ON submissions (customer_id, form_id, updated, id);
CREATE UNIQUE INDEX submissions_client ON submissions (customer_id, form_id, client_id) WHERE client_id IS NOT NULL;
CREATE UNIQUE INDEX submissions_external ON submissions (customer_id, form_id, external_id)
    WHERE external_id IS NOT NULL;

CREATE TABLE datasources (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, key_column TEXT NOT NULL, columns TEXT NOT NULL,
    row_count BIGINT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id), UNIQUE (customer_id, name)
);
CREATE INDEX datasources_created ON datasources (customer_id, created, id);
CREATE TABLE datasource_rows (
    customer_id {ID} NOT NULL, datasource_id {ID} NOT NULL, key {ID} NOT NULL, position BIGINT NOT NULL,
    data {JSON} NOT NULL,
    PRIMARY KEY (customer_id, datasource_id, key)
);
CREATE INDEX datasource_rows_position ON datasource_rows (customer_id, datasource_id, position);

CREATE TABLE tasks (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, form_id {ID} NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL,
    data {JSON} NOT NULL, due_at BIGINT, complete_when TEXT NOT NULL, external_id TEXT, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX tasks_created ON tasks (customer_id, created, id);
CREATE UNIQUE INDEX tasks_external ON tasks (customer_id, external_id) WHERE external_id IS NOT NULL;
CREATE TABLE task_recipients (
    customer_id {ID} NOT NULL, task_id {ID} NOT NULL, user_id {ID} NOT NULL, position BIGINT NOT NULL,
    PRIMARY KEY (customer_id, task_id, user_id)
);

CREATE TABLE subscribers (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL, types TEXT NOT NULL,
    form_ids TEXT NOT NULL, status TEXT NOT NULL, reason TEXT, secret TEXT NOT NULL, claimed BIGINT NOT NULL, {STAMPS},
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX subscribers_created ON subscribers (customer_id, created, id);
CREATE TABLE events (
    customer_id {ID} NOT NULL, sequence BIGINT NOT NULL, id {ID} NOT NULL, type TEXT NOT NULL, form_id {ID},
    created BIGINT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (customer_id, sequence), UNIQUE (customer_id, id)
);
CREATE INDEX events_type ON events (customer_id, type, sequence);
CREATE TABLE deliveries (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, subscriber_id {ID} NOT NULL, sequence BIGINT NOT NULL,
    event_id {ID} NOT NULL, type TEXT NOT NULL, created BIGINT NOT NULL, due BIGINT NOT NULL, tries BIGINT NOT NULL,
    lease TEXT, leased BIGINT,
    PRIMARY KEY (customer_id, id)
) /*postgres WITH (fillfactor = 70) */;
CREATE INDEX deliveries_due ON deliveries (customer_id, subscriber_id, due, sequence);
CREATE INDEX deliveries_leased ON deliveries (customer_id, subscriber_id) WHERE lease IS NOT NULL;
CREATE TABLE invocations (
    customer_id {ID} NOT NULL, id {ID} NOT NULL, subscriber_id {ID} NOT NULL, sequence BIGINT NOT NULL,
    event_id {ID} NOT NULL, type TEXT NOT NULL, created BIGINT NOT NULL, tries BIGINT NOT NULL, status TEXT NOT NULL,
    ended BIGINT NOT NULL,
    PRIMARY KEY (customer_id, id)
);
CREATE INDEX invocations_subscriber ON invocations (customer_id, subscriber_id, created, id);
CREATE TABLE attempts (
    customer_id {ID} NOT NULL, invocation_id {ID} NOT NULL, number BIGINT NOT NULL, started BIGINT NOT NULL,
    duration BIGINT NOT NULL, outcome TEXT NOT NULL, status_code BIGINT, error TEXT, answer TEXT,
    PRIMARY KEY (customer_id, invocation_id, number)
)
"""


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
