"""A mail, from the moment it is asked for to its end."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import NotFound
from formwright.domain.mail.templates import EmailContent


class MailStatus(StrEnum):
    """What became of it."""

    WAITING = "WAITING"
    SENT = "SENT"
    FAILED = "FAILED"
    WITHDRAWN = "WITHDRAWN"


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to be sent: to whom, what for (`purpose` and the id of its subject), and what it says.

    `language` is a tag such as `de` or `de-AT`. After `until` (milliseconds) it is of no use and not sent any more.
    """

    purpose: str
    subject_id: str
    address: str
    name: str
    language: str
    letter: EmailContent
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of an account; times in milliseconds. `due`: the next try (0: at once); `detail`: why the last one failed.

    `perhaps_twice`: a try may have arrived although nobody heard of it, and there was another.
    """

    id: str
    customer_id: str
    purpose: str
    subject_id: str
    address: str
    name: str
    language: str
    subject: str
    status: MailStatus
    tries: int
    due: int | None
    perhaps_twice: bool
    detail: str
    created: int
    ended: int | None


OutcomeHandler = Callable[[WriteTransaction, Mail], Awaitable[None]]
OutcomeHandlers = Mapping[str, OutcomeHandler]
"""By purpose: who is told that a mail was SENT or FAILED, in the transaction that notes it, with the account's row."""


class MailNotFound(NotFound):
    """No such mail in this account."""

    code = "mail.not_found"
    detail = "There is no such mail in this account."
