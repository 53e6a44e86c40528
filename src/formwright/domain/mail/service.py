"""Enqueuing, withdrawing and listing emails."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db.batching import BATCH_ROWS, in_batches
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.pagination import Page, Window
from formwright.core.work_kinds import WorkKind
from formwright.domain.mail import store
from formwright.domain.mail.models import Mail, MailNotFound, MailStatus, NewMail
from formwright.domain.mail.templates import DEFAULT_LOOK, MailLook, choose_language, render_email

RETENTION_MS = 90 * 24 * 3600 * 1000
"""How long the records of sent emails are kept."""


class SendingAccount(Protocol):
    """What emails need to know about an account."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def print_color(self) -> str: ...

    @property
    def logo_path(self) -> str: ...

    @property
    def sender_name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class MailSender:
    """The account that sends emails, and the box that encrypts them while they are in the queue."""

    customer_id: str
    account_name: str
    secret_box: SecretBox
    look: MailLook = DEFAULT_LOOK

    @classmethod
    def of(cls, account: SendingAccount, secret_box: SecretBox) -> "MailSender":
        """Return the sender for an account, with its branding."""
        return cls(account.id, account.name, secret_box, cls.look_of(account))

    @staticmethod
    def look_of(account: SendingAccount) -> MailLook:
        """Return the branding of an account's emails."""
        return MailLook(account.print_color, account.logo_path, account.sender_name)


async def enqueue(tx: WriteTransaction, sender: MailSender, new: NewMail) -> Mail:
    """Enqueue an email, to be sent once the transaction is committed.

    Its content is stored encrypted, and deleted after the last attempt.
    """
    return (await enqueue_many(tx, sender, [new]))[0]


async def enqueue_many(tx: WriteTransaction, sender: MailSender, new_mails: Sequence[NewMail]) -> list[Mail]:
    """Enqueue emails as in `enqueue`, and return them in their order."""
    mails = [_to_mail(tx, sender, new) for new in new_mails]
    bodies = [_seal_body(sender, new) for new in new_mails]
    await store.insert(tx, [(m, body, new.until) for m, body, new in zip(mails, bodies, new_mails, strict=True)])
    for mail in mails:
        tx.schedule(WorkKind.MAIL, mail.customer_id, mail.due or 0)
    return mails


def _seal_body(sender: MailSender, new: NewMail) -> str:
    account, look = sender.account_name, sender.look
    rendered = render_email(new.content, name=new.name, account=account, language=new.language, look=look)
    return sender.secret_box.close(msgspec.json.encode(rendered).decode())


def _to_mail(tx: WriteTransaction, sender: MailSender, new: NewMail) -> Mail:
    return Mail(
        id=tx.new_id("mail"),
        customer_id=sender.customer_id,
        purpose=new.purpose,
        subject_id=new.subject_id,
        address=new.address,
        name=new.name,
        language=choose_language(new.language),
        subject=new.content.subject,
        status=MailStatus.WAITING,
        tries=0,
        due=0,  # Immediately, even if the clock is set back.
        perhaps_twice=False,
        detail="",
        created=tx.now(),
        ended=None,
    )


async def withdraw(tx: WriteTransaction, customer_id: str, *, purpose: str, subject_id: str) -> None:
    """Withdraw the waiting emails about this subject. An email that a worker is sending right now is still sent."""
    await store.withdraw(tx, Scope(customer_id), purpose, subject_id, tx.now())


async def find_latest(tx: ReadTransaction, customer_id: str, *, purpose: str, subject_id: str) -> Mail | None:
    """Return the newest email about this subject."""
    return await store.find_latest(tx, Scope(customer_id), purpose, subject_id)


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Mail]:
    """Return a page of the account's emails, newest first."""
    return await store.page(tx, allow(actor, Permission.PEOPLE_MANAGE), window)


async def get(tx: ReadTransaction, actor: Actor, *, mail_id: str) -> Mail:
    """Return an email of the account. Raises `MailNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.PEOPLE_MANAGE), mail_id), MailNotFound)


async def delete_old(db: Database, now: int) -> int:
    """Delete the records of emails past their retention, in short transactions, and return how many."""
    return await in_batches(db, partial(store.delete_ended, before=now - RETENTION_MS, at_most=BATCH_ROWS))
