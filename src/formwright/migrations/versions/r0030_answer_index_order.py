"""Entries of the answer index contain the time of their submission, so that the index has the order of lists.

A worker adds the time to existing entries, and to those that processes of the previous version still write.
"""

from alembic import op

revision = "0030"
down_revision = "0029"

STATEMENTS = """
ALTER TABLE answer_index ADD COLUMN at BIGINT;
DROP INDEX answer_index_text;
DROP INDEX answer_index_number;
CREATE INDEX answer_index_text ON answer_index (customer_id, form_id, field, text, at, submission_id)
    WHERE text IS NOT NULL;
CREATE INDEX answer_index_number ON answer_index (customer_id, form_id, field, number, at, submission_id)
    WHERE number IS NOT NULL;
CREATE INDEX answer_index_untimed ON answer_index (customer_id, submission_id) WHERE at IS NULL
"""


def upgrade() -> None:
    for statement in STATEMENTS.split(";"):
        op.get_bind().exec_driver_sql(statement)
