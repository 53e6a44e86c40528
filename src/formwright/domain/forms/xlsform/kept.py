"""The report of an import, kept with the form that was made: it can be read again, and read without importing again."""

from collections.abc import Sequence

import msgspec

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.storage.database import Reading, Writing
from formwright.core.storage.query import Query
from formwright.domain.forms.xlsform.report import Note

_MOST = 1000


async def keep(tx: Writing, actor: Actor, *, form_id: str, notes: Sequence[Note]) -> None:
    """Keep the first 1000 notes; nothing where there are none."""
    scope = allow(actor, Permission.FORMS_EDIT)
    if notes:
        await tx.execute(
            "INSERT INTO import_reports (customer_id, form_id, notes) VALUES ($1, $2, $3)",
            scope.customer_id,
            form_id,
            msgspec.json.encode(notes[:_MOST]).decode(),
        )


async def read(tx: Reading, actor: Actor, *, form_id: str) -> list[Note]:
    """The notes that were kept; none where the form was not imported, or whole."""
    scope = allow(actor, Permission.FORMS_READ)
    query = Query("SELECT notes FROM import_reports", scope.customer_id).where("form_id = ?", form_id).inside(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return msgspec.json.decode(row[0], type=list[Note]) if row else []
