"""SQL with which workers claim due emails and save the results.

A worker claims an email with a lease that expires, and every write checks the token of the lease. So only one worker
sends an email; emails of killed workers are claimed again and marked as perhaps sent twice; and a worker that has lost
its lease changes nothing.
"""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from formwright.core import crypto
from formwright.core.auth.actor import Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.due_rows import DueRows
from formwright.core.db.interface import Database, ReadTransaction, Row, WriteTransaction
from formwright.core.work_kinds import WorkKind
from formwright.domain.mail import store
from formwright.domain.mail.models import FinishedEmail, MailStatus, OutcomeHandlers

DUE = DueRows("mails")
LEASE_MS = 120_000
"""Longer than the maximum duration of an attempt."""
SCHEDULE_S = (0, 60, 300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400)
"""The wait before each attempt; two days and seven hours in total."""


@dataclass(frozen=True, slots=True)
class ClaimedMail:
    """An email that a worker has claimed. `body` is encrypted. `is_expired`: it must not be sent any more."""

    id: str
    customer_id: str
    purpose: str
    subject_id: str
    address: str
    name: str
    language: str
    subject: str
    body: str = field(repr=False)
    tries: int
    created: int
    lease: str = field(repr=False)
    is_expired: bool


EmailFinisher = Callable[[Database, BlobStore, ClaimedMail], Awaitable[FinishedEmail]]
EmailFinishers = Mapping[str, EmailFinisher]
"""Functions by purpose that complete an email just before it is sent. They raise `MailFailed`."""


@dataclass(frozen=True, slots=True)
class MailResult:
    """The result of an attempt; without an `error` it succeeded. `permanent` errors are not retried.

    `maybe_sent`: the email may have been sent despite the error. `only_saved`: it was saved to a folder.
    """

    mail: ClaimedMail
    error: str = ""
    permanent: bool = False
    maybe_sent: bool = False
    only_saved: bool = False


async def backlog(tx: ReadTransaction, now: int) -> tuple[int, int]:
    """Return how many emails are due in all accounts (at most 100,000), and how long the oldest has been (ms)."""
    row = await tx.fetch_one(
        "SELECT count(*), min(due) FROM (SELECT due FROM mails WHERE due <= $1 ORDER BY due LIMIT 100000) AS waiting",
        now,
    )
    count, oldest = row or (0, None)
    return int(count), now - int(oldest) if oldest is not None else 0


async def correct_due_times(tx: WriteTransaction, now: int, schedule_s: Sequence[float] = SCHEDULE_S) -> int:
    """Make emails due now whose next attempt was scheduled while the clock was ahead, and return how many."""
    return await tx.execute(
        "UPDATE mails SET due = $1 WHERE due > $2 OR (due > $3 AND lease IS NOT NULL)",
        now,
        # Waits are up to 10 % longer than in the schedule.
        now + round(1.1 * max(schedule_s) * 1000) + LEASE_MS,
        now + 2 * LEASE_MS,
    )


async def claim(tx: WriteTransaction, customer_id: str, now: int, at_most: int) -> list[ClaimedMail]:
    """Claim up to `at_most` due emails of an account, the longest overdue first."""
    return [await _claim(tx, Scope(customer_id), row, now) for row in await _lock_due(tx, customer_id, now, at_most)]


async def _lock_due(tx: WriteTransaction, customer_id: str, now: int, limit: int) -> Sequence[Row]:
    return await tx.fetch(
        "SELECT id, purpose, subject_id, address, name, language, subject, body, tries, created, until FROM mails"
        f" WHERE customer_id = $1 AND due <= $2 ORDER BY due, id LIMIT {limit} /*postgres FOR UPDATE SKIP LOCKED */",
        customer_id,
        now,
    )


async def _claim(tx: WriteTransaction, scope: Scope, row: Row, now: int) -> ClaimedMail:
    mail_id, purpose, subject_id, address, name, language, subject, body, tries, created, until = row
    lease = crypto.new_secret("")
    # A lease that is still set belonged to a worker that was killed, possibly after it had sent the email.
    await tx.execute(
        "UPDATE mails SET lease = $3, due = $4, tries = tries + 1, perhaps_twice = CASE WHEN lease IS NULL THEN"
        " perhaps_twice ELSE 1 END WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        mail_id,
        lease,
        now + LEASE_MS,
    )
    is_expired = until is not None and until <= now
    message = (subject_id, address, name, language, subject, body)
    return ClaimedMail(mail_id, scope.customer_id, purpose, *message, tries + 1, created, lease, is_expired)


async def save_result(
    tx: WriteTransaction, result: MailResult, handlers: OutcomeHandlers, now: int, schedule_s: Sequence[float]
) -> MailStatus:
    """Save the result of an attempt and return the new status. Calls the outcome handler if it was the last attempt.

    Does nothing if the worker has lost the lease.
    """
    mail = result.mail
    if not result.error:
        status = MailStatus.NOT_SENT if result.only_saved else MailStatus.SENT
        return await _finish(tx, result, status, handlers, now)
    if result.permanent or mail.tries >= len(schedule_s):
        return await _finish(tx, result, MailStatus.FAILED, handlers, now)
    # Spread, so that emails that failed together are not retried together.
    wait = round(schedule_s[mail.tries] * 1000 * random.uniform(0.9, 1.1))  # noqa: S311
    tx.schedule(WorkKind.MAIL, mail.customer_id, now + wait)
    await tx.execute(
        "UPDATE mails SET lease = NULL, due = $4, detail = $5, perhaps_twice = CASE WHEN $6 = 1 THEN 1 ELSE"
        " perhaps_twice END WHERE customer_id = $1 AND id = $2 AND lease = $3",
        mail.customer_id,
        mail.id,
        mail.lease,
        now + wait,
        result.error,
        int(result.maybe_sent),
    )
    return MailStatus.WAITING


async def _finish(
    tx: WriteTransaction, result: MailResult, status: MailStatus, handlers: OutcomeHandlers, now: int
) -> MailStatus:
    mail = result.mail
    handler = handlers.get(mail.purpose)
    if handler:
        # All changes take the account lock first. Taking it after the row of the email could deadlock.
        await account_lock.next_timestamp(tx, mail.customer_id)
    is_saved = await tx.execute(
        "UPDATE mails SET status = $4, body = NULL, due = NULL, lease = NULL, detail = $5, ended = $6"
        " WHERE customer_id = $1 AND id = $2 AND lease = $3",
        mail.customer_id,
        mail.id,
        mail.lease,
        status,
        result.error,
        now,
    )
    ended = await store.find(tx, Scope(mail.customer_id), mail.id) if is_saved and handler else None
    if ended and handler:
        await handler(tx, ended)
    return status
