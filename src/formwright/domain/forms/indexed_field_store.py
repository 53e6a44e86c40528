"""The SQL of the fields by which lists are filtered."""

from collections.abc import Sequence
from typing import NamedTuple

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query

_FIELD = "SELECT form_id, name, holds, many, repeat_name, state, filled_to FROM form_fields"


class FieldRow(NamedTuple):
    """A row of the table; `filled_to` is where the filling of the index is."""

    form_id: str
    name: str
    holds: str
    many: int
    repeat: str
    state: str
    filled_to: str


async def list_by_form(tx: ReadTransaction, scope: Scope, form_id: str) -> list[FieldRow]:
    query = Query(_FIELD, scope.customer_id).where("form_id = ?", form_id)
    return [FieldRow(*row) for row in await tx.fetch(query.sql(), *query.args)]


async def find_by_names(tx: ReadTransaction, scope: Scope, names: Sequence[str]) -> list[FieldRow]:
    query = Query(_FIELD, scope.customer_id).one_of("name", names).in_scope(scope)
    return [FieldRow(*row) for row in await tx.fetch(query.sql(), *query.args)]


async def upsert(tx: WriteTransaction, scope: Scope, row: FieldRow) -> None:
    """In place of what is known of the field so far."""
    await tx.execute(
        "INSERT INTO form_fields (customer_id, form_id, name, holds, many, repeat_name, state, filled_to)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (customer_id, form_id, name) DO UPDATE"
        " SET holds = $4, many = $5, repeat_name = $6, state = $7, filled_to = $8",
        scope.customer_id,
        *row,
    )


async def list_unfinished(tx: ReadTransaction) -> list[tuple[str, str]]:
    """The accounts and forms that have a field whose index is not as it is to be."""
    rows = await tx.fetch("SELECT DISTINCT customer_id, form_id FROM form_fields WHERE state IN ('FILLING', 'LEAVING')")
    return [(customer_id, form_id) for customer_id, form_id in rows]
