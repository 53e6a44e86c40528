"""Records of emails, and the interface of outcome handlers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import NotFound
from formwright.core.net.email_message import Attachment
from formwright.domain.mail.templates import EmailContent, RenderedEmail


class MailStatus(StrEnum):
    """`WITHDRAWN`: it was cancelled before it was sent. `NOT_SENT`: the server has no mail server, so the email was
    only saved to a folder.
    """

    WAITING = "WAITING"
    SENT = "SENT"
    NOT_SENT = "NOT_SENT"
    FAILED = "FAILED"
    WITHDRAWN = "WITHDRAWN"


@dataclass(frozen=True, slots=True)
class NewMail:
    """An email to send. `purpose` and `subject_id` say what it is about, such as `invite` and the id of the invite.

    `language` is a tag such as `de` or `de-AT`. The email is not sent after `until` (milliseconds).
    """

    purpose: str
    subject_id: str
    address: str
    name: str
    language: str
    content: EmailContent
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """An email of an account. Times are in milliseconds.

    `due` is the time of the next attempt (0: immediately), and `detail` says why the last one failed. `perhaps_twice`
    means that an attempt without confirmation was repeated, so the email may have arrived twice.
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


@dataclass(frozen=True, slots=True)
class FinishedEmail:
    """What is added to an email when it is sent: a file, or texts instead of those in the queue."""

    attachment: Attachment | None = None
    rendered: RenderedEmail | None = None


OutcomeHandler = Callable[[WriteTransaction, Mail], Awaitable[None]]
OutcomeHandlers = Mapping[str, OutcomeHandler]
"""Handlers by purpose, called when an email was SENT, was NOT_SENT or has FAILED, in the transaction that saves this.

The transaction holds the account lock.
"""


class MailNotFound(NotFound):
    """The account has no email with this id."""

    code = "mail.not_found"
    detail = "There is no such email in this account."
