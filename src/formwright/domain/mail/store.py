"""SQL of emails."""

from collections.abc import Sequence

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.pagination import Page, Window
from formwright.domain.mail.models import Mail, MailStatus

_SELECT = (
    "SELECT id, customer_id, purpose, subject_id, address, name, language, subject, status, tries, due, perhaps_twice,"
    " detail, created, ended FROM mails"
)


_mail_reader = RecordReader(Mail)


async def insert(tx: WriteTransaction, mails: Sequence[tuple[Mail, str, int | None]]) -> None:
    """Insert emails, each with its sealed body and the time (milliseconds) after which it is not sent."""
    await tx.execute_many(
        "INSERT INTO mails (customer_id, id, purpose, subject_id, address, name, language, subject, body, until,"
        " status, tries, due, perhaps_twice, detail, created)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, 0, '', $13)",
        [_to_row(mail, body, until) for mail, body, until in mails],
    )


def _to_row(mail: Mail, body: str, until: int | None) -> tuple[object, ...]:
    return (
        mail.customer_id,
        mail.id,
        mail.purpose,
        mail.subject_id,
        mail.address,
        mail.name,
        mail.language,
        mail.subject,
        body,
        until,
        mail.status,
        mail.due,
        mail.created,
    )


async def withdraw(tx: WriteTransaction, scope: Scope, purpose: str, subject_id: str, now: int) -> None:
    await tx.execute(
        "UPDATE mails SET status = $4, body = NULL, due = NULL, lease = NULL, ended = $5"
        " WHERE customer_id = $1 AND purpose = $2 AND subject_id = $3 AND due IS NOT NULL",
        scope.customer_id,
        purpose,
        subject_id,
        MailStatus.WITHDRAWN,
        now,
    )


async def find(tx: ReadTransaction, scope: Scope, mail_id: str) -> Mail | None:
    row = await tx.fetch_one(f"{_SELECT} WHERE customer_id = $1 AND id = $2", scope.customer_id, mail_id)
    return _mail_reader(row) if row else None


async def find_latest(tx: ReadTransaction, scope: Scope, purpose: str, subject_id: str) -> Mail | None:
    row = await tx.fetch_one(
        f"{_SELECT} WHERE customer_id = $1 AND purpose = $2 AND subject_id = $3 ORDER BY created DESC, id DESC LIMIT 1",
        scope.customer_id,
        purpose,
        subject_id,
    )
    return _mail_reader(row) if row else None


async def page(tx: ReadTransaction, scope: Scope, window: Window) -> Page[Mail]:
    query = Query(_SELECT, scope.customer_id)
    return await _mail_reader.page(tx, query, window, descending=True)


async def delete_ended(tx: WriteTransaction, before: int, at_most: int) -> int:
    return await tx.execute(
        "DELETE FROM mails WHERE (customer_id, id) IN"
        f" (SELECT customer_id, id FROM mails WHERE ended < $1 ORDER BY ended LIMIT {at_most})",
        before,
    )
