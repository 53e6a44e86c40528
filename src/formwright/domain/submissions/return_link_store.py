"""The SQL of return links."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.submissions.models import LinkChannel, LinkState


async def replace(
    tx: WriteTransaction, scope: Scope, submission_id: str, channel: LinkChannel, fingerprint: str, state: LinkState
) -> None:
    """Insert a link of a submission instead of the one that was given through the same channel.

    A former id can be that of an earlier draft, which another tab with the same id has begun.
    """
    await tx.execute(
        "DELETE FROM return_links WHERE customer_id = $1 AND (hash = $4 OR (submission_id = $2 AND channel = $3))",
        scope.customer_id,
        submission_id,
        channel,
        fingerprint,
    )
    await tx.execute(
        "INSERT INTO return_links (hash, customer_id, submission_id, channel, expires, editor, position)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        fingerprint,
        scope.customer_id,
        submission_id,
        channel,
        state.expires,
        state.editor,
        state.position,
    )


async def find(tx: ReadTransaction, fingerprint: str) -> tuple[Scope, str, LinkState] | None:
    """Return the account and the submission that a link belongs to, and its state."""
    row = await tx.fetch_one(
        "SELECT customer_id, submission_id, expires, editor, position FROM return_links WHERE hash = $1", fingerprint
    )
    return (Scope(row[0]), row[1], LinkState(*row[2:])) if row else None


async def update(tx: WriteTransaction, scope: Scope, fingerprint: str, state: LinkState) -> None:
    await tx.execute(
        "UPDATE return_links SET expires = $3, editor = $4, position = $5 WHERE customer_id = $1 AND hash = $2",
        scope.customer_id,
        fingerprint,
        state.expires,
        state.editor,
        state.position,
    )


async def delete(tx: WriteTransaction, scope: Scope, submission_id: str, channel: LinkChannel) -> None:
    """Delete the link of a submission that was given through this channel."""
    await tx.execute(
        "DELETE FROM return_links WHERE customer_id = $1 AND submission_id = $2 AND channel = $3",
        scope.customer_id,
        submission_id,
        channel,
    )


async def delete_all(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    """Delete the links of a submission."""
    await tx.execute(
        "DELETE FROM return_links WHERE customer_id = $1 AND submission_id = $2", scope.customer_id, submission_id
    )


async def delete_expired(tx: WriteTransaction, scope: Scope, before: int) -> None:
    """Delete the links that expired before a time (milliseconds)."""
    await tx.execute("DELETE FROM return_links WHERE customer_id = $1 AND expires < $2", scope.customer_id, before)
