"""SQL for the fields by which submissions can be filtered."""

from collections.abc import Sequence
from typing import NamedTuple

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.work_kinds import WorkKind

_UNFINISHED = ("FILLING", "LEAVING")
_FIELD = "SELECT form_id, name, holds, many, repeat_name, state, filled_to FROM form_fields"


class FieldRow(NamedTuple):
    """A row of `form_fields`. `filled_to` is the position up to which the index is filled."""

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
    """Insert or replace the row of a field."""
    if row.state in _UNFINISHED:
        tx.schedule(WorkKind.INDEX, scope.customer_id, tx.now())
    await tx.execute(
        "INSERT INTO form_fields (customer_id, form_id, name, holds, many, repeat_name, state, filled_to)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (customer_id, form_id, name) DO UPDATE"
        " SET holds = $4, many = $5, repeat_name = $6, state = $7, filled_to = $8",
        scope.customer_id,
        *row,
    )


async def list_unfinished(tx: ReadTransaction, scope: Scope) -> list[str]:
    """Return the ids of the account's forms with an index that is being filled or cleared."""
    query = Query("SELECT DISTINCT form_id FROM form_fields", scope.customer_id).one_of("state", _UNFINISHED)
    return [str(row[0]) for row in await tx.fetch(query.sql(), *query.args)]


async def find_unfinished_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts with an index that is being filled or cleared."""
    rows = await tx.fetch("SELECT DISTINCT customer_id FROM form_fields WHERE state IN ('FILLING', 'LEAVING')")
    return [str(row[0]) for row in rows]
