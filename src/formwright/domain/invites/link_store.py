"""The SQL of invite links and of the history of invites."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.invites.models import Invite, InviteStatus, Step


async def insert_links(tx: WriteTransaction, links: Sequence[tuple[Invite, str]]) -> None:
    """Insert links, each given as its invite and the fingerprint of its token."""
    await tx.execute_many(
        "INSERT INTO invite_links (hash, customer_id, invite_id) VALUES ($1, $2, $3)",
        [(fingerprint, invite.customer_id, invite.id) for invite, fingerprint in links],
    )


async def end_links(tx: WriteTransaction, invite: Invite, now: int) -> None:
    """End all links that have been sent so far."""
    await tx.execute(
        "UPDATE invite_links SET ended = $3 WHERE customer_id = $1 AND invite_id = $2 AND ended IS NULL",
        invite.customer_id,
        invite.id,
        now,
    )


async def find_target(tx: ReadTransaction, fingerprint: str) -> tuple[Scope, str, bool] | None:
    """Return the account and the invite that a link belongs to, and whether the link has ended."""
    row = await tx.fetch_one("SELECT customer_id, invite_id, ended FROM invite_links WHERE hash = $1", fingerprint)
    return (Scope(row[0]), row[1], row[2] is not None) if row else None


async def insert_steps(tx: WriteTransaction, invites: Sequence[Invite], step: Step) -> None:
    """Add the same entry to the history of these invites."""
    await tx.execute_many(
        "INSERT INTO invite_steps (customer_id, invite_id, number, status, at, who, detail)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
            (invite.customer_id, invite.id, invite.revision, step.status, step.at, step.by, step.detail)
            for invite in invites
        ],
    )


async def list_steps(tx: ReadTransaction, scope: Scope, invite_id: str) -> list[Step]:
    """Return the history of an invite, the oldest entry first."""
    rows = await tx.fetch(
        "SELECT status, at, who, detail FROM invite_steps WHERE customer_id = $1 AND invite_id = $2 ORDER BY number",
        scope.customer_id,
        invite_id,
    )
    return [Step(InviteStatus(row[0]), row[1], row[2], row[3]) for row in rows]
