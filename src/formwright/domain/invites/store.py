"""The SQL of invites."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.core.work_kinds import WorkKind
from formwright.domain.invites.models import Invite, InviteFilter, InviteStatus

_INVITE = (
    "SELECT id, customer_id, form_id, status, email, user_id, name, language, message, data, lasts, expires, remind,"
    " reminded, external_id, base_url, submission_id, reason, sent, opened, started, completed, created, updated,"
    " revision FROM invites"
)
DUE = DueRows("invites", of_forms=True)
_INVITES = RecordTable[Invite](
    "invites",
    "customer_id, id, form_id, status, email, user_id, name, language, message, data, lasts, expires, remind,"
    " external_id, base_url, reason, due, created, updated, revision",
    "status, expires, remind, reminded, base_url, submission_id, reason, sent, opened, started, completed, due,"
    " updated, revision",
    lasts="validity_ms",
    due="next_run_at",
)


_invite_reader = RecordReader(Invite)


async def insert(tx: WriteTransaction, invites: Sequence[Invite]) -> None:
    for invite in invites:
        _schedule(tx, invite)
    await _INVITES.insert_many(tx, invites)


async def update(tx: WriteTransaction, invite: Invite) -> None:
    _schedule(tx, invite)
    await _INVITES.update(tx, invite)


async def find(tx: ReadTransaction, scope: Scope, invite_id: str) -> Invite | None:
    query = Query(_INVITE, scope.customer_id).where("id = ?", invite_id).in_scope(scope)
    return await _invite_reader.find(tx, query)


async def find_many(tx: ReadTransaction, scope: Scope, invite_ids: Sequence[str]) -> list[Invite]:
    query = Query(_INVITE, scope.customer_id).any_of("id", invite_ids).in_scope(scope)
    return await _invite_reader.fetch(tx, query)


async def find_by_external_ids(tx: ReadTransaction, scope: Scope, external_ids: Sequence[str]) -> list[Invite]:
    """Return the account's invites with these external ids, even those outside the scope.

    An external id is unique in the account, so an invite that the caller can't see also takes it.
    """
    query = Query(_INVITE, scope.customer_id).any_of("external_id", external_ids)
    return await _invite_reader.fetch(tx, query) if external_ids else []


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
    return await _invite_reader.timed_page(tx, query, window, filters.times)


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
