"""Who sends what: the SQL with which workers take mails, and write down what came of them.

Fair to accounts: each has its turn, so that ten thousand mails of one hold up no other's. A mail is taken by a lease
that ends, and is fenced by the lease's token: of several workers one sends it, what a killed one left is taken up and
marked as perhaps sent twice, and one that comes back too late changes nothing.
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
"""Longer than a try may take."""
SCHEDULE_S = (0, 60, 300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400)
"""The wait before each try; together two days and seven hours."""
# SQLite goes from account to account by the index, however many mails each has. PostgreSQL can that too, but not where
# the accounts lie on several machines.
_WAITING_ACCOUNTS = (
    "/*postgres SELECT DISTINCT customer_id FROM mails WHERE due <= $1*/"
    "/*sqlite WITH RECURSIVE waiting (customer_id) AS (SELECT min(customer_id) FROM mails WHERE due <= $1"
    " UNION ALL SELECT (SELECT min(m.customer_id) FROM mails m WHERE m.due <= $1 AND m.customer_id >"
    " waiting.customer_id) FROM waiting WHERE waiting.customer_id IS NOT NULL)"
    " SELECT customer_id FROM waiting WHERE customer_id IS NOT NULL*/"
)


@dataclass(frozen=True, slots=True)
class ClaimedMail:
    """A mail that a worker has; `body` is sealed. `late`: it is of no use any more."""

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
    late: bool


@dataclass(frozen=True, slots=True)
class MailResult:
    """What came of a try. Without `error` it was taken; `final` ones are not tried again."""

    mail: ClaimedMail
    error: str = ""
    permanent: bool = False
    maybe_sent: bool = False


async def has_due(tx: ReadTransaction, now: int) -> bool:
    """Whether a worker would find something: asked before it takes, so that an idle one writes nothing."""
    return await tx.fetch_one("SELECT 1 FROM mails WHERE due <= $1 LIMIT 1", now) is not None


async def backlog(tx: ReadTransaction, now: int) -> tuple[int, int]:
    """How many mails are due in all accounts together (no more than 100,000 are counted), and for how many
    milliseconds the oldest has been."""
    row = await tx.fetch_one(
        "SELECT count(*), min(due) FROM (SELECT due FROM mails WHERE due <= $1 ORDER BY due LIMIT 100000) AS waiting",
        now,
    )
    count, oldest = row or (0, None)
    return int(count), now - int(oldest) if oldest is not None else 0


async def correct_due_times(tx: WriteTransaction, now: int, schedule_s: Sequence[float] = SCHEDULE_S) -> int:
    """What waits for longer than anything does was put off by a clock that was ahead: it is due at once."""
    return await tx.execute(
        "UPDATE mails SET due = $1 WHERE due > $2 OR (due > $3 AND lease IS NOT NULL)",
        now,
        now + round(1.1 * max(schedule_s) * 1000) + LEASE_MS,
        now + 2 * LEASE_MS,
    )


async def claim(tx: WriteTransaction, now: int, at_most: int) -> list[ClaimedMail]:
    """Take up to `at_most` due mails, in turns from the accounts that wait."""
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
    # A lease that is still there is that of a worker which died: between sending and noting, for all that we know.
    await tx.execute(
        "UPDATE mails SET lease = $3, due = $4, tries = tries + 1, perhaps_twice = CASE WHEN lease IS NULL THEN"
        " perhaps_twice ELSE 1 END WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        mail_id,
        lease,
        now + LEASE_MS,
    )
    late = until is not None and until <= now
    words = (address, name, language, subject, body)
    return ClaimedMail(mail_id, scope.customer_id, purpose, *words, tries + 1, created, lease, late)


async def save_result(
    tx: WriteTransaction, result: MailResult, handlers: OutcomeHandlers, now: int, schedule_s: Sequence[float]
) -> MailStatus:
    """Write down what came of a try, and tell who asked for the mail if it is its end. Answers what it is now.

    Does nothing when the mail is no longer this worker's.
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
        # The account's row first, as every change takes it: the other way round two could wait for each other.
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
