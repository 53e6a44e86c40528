"""Fields by which submissions can be filtered, and an index of the answers to fields marked as `indexed`."""

import msgspec
from alembic import op
from sqlalchemy import Connection, text

from formwright.core.db.interface import for_postgres, for_sqlite
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.indexing.indexed_fields import FilterableField, filterable_fields

revision = "0011"
down_revision = "0010"

ID = 'TEXT /*postgres COLLATE "C" */'
NUMBER = "/*postgres DOUBLE PRECISION *//*sqlite REAL */"

TABLES = f"""
CREATE TABLE form_fields (
    customer_id {ID} NOT NULL, form_id {ID} NOT NULL, name {ID} NOT NULL, holds TEXT NOT NULL, many BIGINT NOT NULL,
    repeat_name TEXT NOT NULL, state TEXT NOT NULL, filled_to {ID} NOT NULL,
    PRIMARY KEY (customer_id, form_id, name)
);
CREATE INDEX form_fields_name ON form_fields (customer_id, name, form_id);
CREATE INDEX form_fields_state ON form_fields (customer_id, form_id) WHERE state IN ('FILLING', 'LEAVING');
CREATE TABLE answer_index (
    customer_id {ID} NOT NULL, submission_id {ID} NOT NULL, field {ID} NOT NULL, place BIGINT NOT NULL,
    form_id {ID} NOT NULL, text {ID}, number {NUMBER},
    PRIMARY KEY (customer_id, submission_id, field, place)
);
CREATE INDEX answer_index_text ON answer_index (customer_id, form_id, field, text, submission_id)
    WHERE text IS NOT NULL;
CREATE INDEX answer_index_number ON answer_index (customer_id, form_id, field, number, submission_id)
    WHERE number IS NOT NULL
"""

VERSIONS = """
SELECT v.customer_id, v.form_id, v.id = f.published_version_id, v.definition FROM versions AS v
JOIN forms AS f ON f.customer_id = v.customer_id AND f.id = v.form_id
WHERE v.status = 'FINAL' ORDER BY v.customer_id, v.form_id, v.id = f.published_version_id, v.number
"""
INSERT = text(
    "INSERT INTO form_fields (customer_id, form_id, name, holds, many, repeat_name, state, filled_to)"
    " VALUES (:customer_id, :form_id, :name, :holds, :many, :repeat_name, :state, '')"
    " ON CONFLICT (customer_id, form_id, name) DO UPDATE"
    " SET holds = :holds, many = :many, repeat_name = :repeat_name, state = :state"
)


def upgrade() -> None:
    dialect = for_postgres if op.get_bind().dialect.name == "postgresql" else for_sqlite
    for statement in TABLES.split(";"):
        op.get_bind().exec_driver_sql(dialect(statement))
    _register_fields(op.get_bind())


def _register_fields(connection: Connection) -> None:
    """Register the fields of published versions, as publishing them would; a worker fills the index."""
    decode = msgspec.json.Decoder(Definition).decode
    for customer_id, form_id, is_published, definition in connection.execute(text(VERSIONS)).fetchall():
        for field in filterable_fields(decode(definition).fields):
            about = {"customer_id": customer_id, "form_id": form_id}
            connection.execute(INSERT, about | _row(field, is_published=bool(is_published)))


def _row(field: FilterableField, *, is_published: bool) -> dict[str, object]:
    return {
        "name": field.name,
        "holds": field.value_type.value,
        "many": int(field.is_list),
        "repeat_name": field.repeat,
        "state": "FILLING" if field.indexed and is_published else "NONE",
    }
