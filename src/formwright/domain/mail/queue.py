"""SQL with which workers claim due emails and save the results.

Claims are spread over all accounts with due emails, so that ten thousand emails of one account do not delay the others.
A worker claims an email with a lease that expires, and every write checks the token of the lease. So only one worker
sends an email; emails of killed workers are claimed again and marked as perhaps sent twice; and a worker that has lost
its lease changes nothing.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from formwright.core import crypto
from formwright.core.auth.actor import Scope
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.domain.mail import store
from formwright.domain.mail.models import MailStatus, OutcomeHandlers

LEASE_MS = 120_000
"""Longer than the maximum duration of an attempt."""
SCHEDULE_S = (0, 60, 300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400)
"""The wait before each attempt; two days and seven hours in total."""
# The recursive query skips from account to account in the index, however many emails each has. Distributed PostgreSQL
# databases do not support it across shards.
_WAITING_ACCOUNTS = (
    "/*postgres SELECT DISTINCT customer_id FROM mails WHERE due <= $1*/"
    "/*sqlite WITH RECURSIVE waiting (customer_id) AS (SELECT min(customer_id) FROM mails WHERE due <= $1"
    " UNION ALL SELECT (SELECT min(m.customer_id) FROM mails m WHERE m.due <= $1 AND m.customer_id >"
    " waiting.customer_id) FROM waiting WHERE waiting.customer_id IS NOT NULL)"
    " SELECT customer_id FROM waiting WHERE customer_id IS NOT NULL*/"
)


@dataclass(frozen=True, slots=True)
class ClaimedMail:
    """An email that a worker has claimed. `body` is encrypted. `is_expired`: it must not be sent any more."""

    id: str
    customer_id: str
    purpose: str
    address: str
    name: str
    language: str
    subject: str
    body: str = field(repr=False)
    tries: int
    created: int
    lease: str = field(repr=False)
    is_expired: bool


@dataclass(frozen=True, slots=True)
class MailResult:
    """The result of an attempt; without an `error` it succeeded. `permanent` errors are not retried.

    `maybe_sent`: the email may have been sent despite the error.
    """

    mail: ClaimedMail
    error: str = ""
    permanent: bool = False
    maybe_sent: bool = False


async def has_due(tx: ReadTransaction, now: int) -> bool:
    """Return whether any email is due. Checking this before `claim` spares idle workers a write transaction."""
    return await tx.fetch_one("SELECT 1 FROM mails WHERE due <= $1 LIMIT 1", now) is not None


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
        now + round(1.1 * max(schedule_s) * 1000) + LEASE_MS,
        now + 2 * LEASE_MS,
    )


async def claim(tx: WriteTransaction, now: int, at_most: int) -> list[ClaimedMail]:
    """Claim up to `at_most` due emails, an equal share from each account."""
    accounts = [row[0] for row in await tx.fetch(_WAITING_ACCOUNTS, now)]
    random.shuffle(accounts)
    claimed: list[ClaimedMail] = []
    each = max(1, at_most // max(1, len(accounts)))
    for customer_id in accounts:
        if len(claimed) < at_most:
            rows = await _lock_due(tx, customer_id, now, min(each, at_most - len(claimed)))
            claimed += [await _claim(tx, Scope(customer_id), row, now) for row in rows]
    return claimed


async def _lock_due(tx: WriteTransaction, customer_id: str, now: int, limit: int) -> Sequence[Row]:
    return await tx.fetch(
        "SELECT id, purpose, address, name, language, subject, body, tries, created, until FROM mails"
        f" WHERE customer_id = $1 AND due <= $2 ORDER BY due, id LIMIT {limit} /*postgres FOR UPDATE SKIP LOCKED */",
        customer_id,
        now,
    )


async def _claim(tx: WriteTransaction, scope: Scope, row: Row, now: int) -> ClaimedMail:
    mail_id, purpose, address, name, language, subject, body, tries, created, until = row
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
    message = (address, name, language, subject, body)
    return ClaimedMail(mail_id, scope.customer_id, purpose, *message, tries + 1, created, lease, is_expired)


async def save_result(
    tx: WriteTransaction, result: MailResult, handlers: OutcomeHandlers, now: int, schedule_s: Sequence[float]
) -> MailStatus:
    """Save the result of an attempt and return the new status. Calls the outcome handler if it was the last attempt.

    Does nothing if the worker has lost the lease.
    """
    mail = result.mail
    if not result.error:
        return await _finish(tx, result, MailStatus.SENT, handlers, now)
    if result.permanent or mail.tries >= len(schedule_s):
        return await _finish(tx, result, MailStatus.FAILED, handlers, now)
    wait = round(schedule_s[mail.tries] * 1000 * random.uniform(0.9, 1.1))  # noqa: S311
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
