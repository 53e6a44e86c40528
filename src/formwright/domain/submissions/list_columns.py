"""The columns that a user has chosen for the list of a form's submissions. A personal setting: it has no events."""

from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction

MAX_COLUMNS = 30


async def find_columns(tx: ReadTransaction, actor: Actor, *, form_id: str) -> list[str] | None:
    """Return the names of the columns in their order; None if the user has not chosen any."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    row = await tx.fetch_one(
        "SELECT columns FROM submission_columns WHERE customer_id = $1 AND user_id = $2 AND form_id = $3",
        scope.customer_id,
        actor.user_id or "",
        form_id,
    )
    return msgspec.json.decode(row[0], type=list[str]) if row else None


async def save_columns(tx: WriteTransaction, actor: Actor, names: Sequence[str], *, form_id: str) -> None:
    """Save the columns for the acting user; an empty list restores the default. Columns after the 30th are ignored."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    await tx.execute(
        "DELETE FROM submission_columns WHERE customer_id = $1 AND user_id = $2 AND form_id = $3",
        scope.customer_id,
        actor.user_id or "",
        form_id,
    )
    if names:
        await tx.execute(
            "INSERT INTO submission_columns (customer_id, user_id, form_id, columns) VALUES ($1, $2, $3, $4)",
            scope.customer_id,
            actor.user_id or "",
            form_id,
            msgspec.json.encode(list(names)[:MAX_COLUMNS]).decode(),
        )
