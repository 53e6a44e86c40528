"""The SQL of invites."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.pagination import Page, Window, cut_page
from formwright.core.work_kinds import WorkKind
from formwright.domain.invites.models import Invite, InviteFilter, InviteStatus

_INVITE = (
    "SELECT id, customer_id, form_id, status, email, user_id, name, language, message, data, lasts, expires, remind,"
    " reminded, external_id, base_url, submission_id, reason, sent, opened, started, completed, created, updated,"
    " revision FROM invites"
)
DUE = DueRows("invites", of_forms=True)


def _to_invite(row: Row) -> Invite:
    invite_id, customer_id, form_id, status, *rest = row
    return Invite(invite_id, customer_id, form_id, InviteStatus(status), *rest)


async def insert(tx: WriteTransaction, invites: Sequence[Invite]) -> None:
    for invite in invites:
        _schedule(tx, invite)
    await tx.execute_many(
        "INSERT INTO invites (customer_id, id, form_id, status, email, user_id, name, language, message, data, lasts,"
        " expires, remind, external_id, base_url, due, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
        [_to_row(invite) for invite in invites],
    )


def _to_row(invite: Invite) -> tuple[object, ...]:
    return (
        invite.customer_id,
        invite.id,
        invite.form_id,
        invite.status,
        invite.email,
        invite.user_id,
        invite.name,
        invite.language,
        invite.message,
        invite.data,
        invite.validity_ms,
        invite.expires,
        invite.remind,
        invite.external_id,
        invite.base_url,
        invite.next_run_at,
        invite.created,
        invite.updated,
        invite.revision,
    )


async def update(tx: WriteTransaction, invite: Invite) -> None:
    _schedule(tx, invite)
    await tx.execute(
        "UPDATE invites SET status = $3, expires = $4, remind = $5, reminded = $6, base_url = $7, submission_id = $8,"
        " reason = $9, sent = $10, opened = $11, started = $12, completed = $13, due = $14, updated = $15,"
        " revision = $16 WHERE customer_id = $1 AND id = $2",
        invite.customer_id,
        invite.id,
        invite.status,
        invite.expires,
        invite.remind,
        invite.reminded,
        invite.base_url,
        invite.submission_id,
        invite.reason,
        invite.sent,
        invite.opened,
        invite.started,
        invite.completed,
        invite.next_run_at,
        invite.updated,
        invite.revision,
    )


async def find(tx: ReadTransaction, scope: Scope, invite_id: str) -> Invite | None:
    query = Query(_INVITE, scope.customer_id).where("id = ?", invite_id).in_scope(scope)
    row = await tx.fetch_one(query.sql(), *query.args)
    return _to_invite(row) if row else None


async def find_many(tx: ReadTransaction, scope: Scope, invite_ids: Sequence[str]) -> list[Invite]:
    query = Query(_INVITE, scope.customer_id).any_of("id", invite_ids).in_scope(scope)
    return [_to_invite(row) for row in await tx.fetch(query.sql(), *query.args)]


async def find_by_external_ids(tx: ReadTransaction, scope: Scope, external_ids: Sequence[str]) -> list[Invite]:
    """Return the account's invites with these external ids, even those outside the scope.

    An external id is unique in the account, so an invite that the caller can't see also takes it.
    """
    query = Query(_INVITE, scope.customer_id).any_of("external_id", external_ids)
    return [_to_invite(row) for row in await tx.fetch(query.sql(), *query.args)] if external_ids else []


async def list_visible(tx: ReadTransaction, scope: Scope, invite_ids: Sequence[str]) -> set[str]:
    """Return those of the ids whose invites are in the scope."""
    query = Query("SELECT id FROM invites", scope.customer_id).any_of("id", invite_ids).in_scope(scope)
    return {str(row[0]) for row in await tx.fetch(query.sql(), *query.args)} if invite_ids else set()


async def page(tx: ReadTransaction, scope: Scope, filters: InviteFilter, window: Window) -> Page[Invite]:
    query = Query(_INVITE, scope.customer_id).in_scope(scope)
    query.one_of("form_id", filters.form_ids).one_of("status", filters.statuses)
    for condition, value in (
        ("email = ?", filters.email),
        ("user_id = ?", filters.user_id),
        ("external_id = ?", filters.external_id),
    ):
        if value is not None:
            query.where(condition, value)
    rows = await tx.fetch(query.timed_window(window, filters.times), *query.args)
    return cut_page([_to_invite(row) for row in rows], window.limit, filters.times.position)


async def count_by_status(tx: ReadTransaction, scope: Scope, limit: int) -> dict[InviteStatus, int]:
    query = Query("SELECT status FROM invites", scope.customer_id).in_scope(scope)
    parts = [
        f"SELECT status, count(*) FROM ({query.sql()} AND status = '{status}' LIMIT {limit}) AS found GROUP BY status"
        for status in InviteStatus
    ]
    rows = await tx.fetch(" UNION ALL ".join(parts), *query.args)
    return {InviteStatus(row[0]): int(row[1]) for row in rows}


def _schedule(tx: WriteTransaction, invite: Invite) -> None:
    if invite.next_run_at is not None:
        tx.schedule(WorkKind.INVITE, invite.customer_id, invite.next_run_at)
