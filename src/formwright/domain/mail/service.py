"""The verbs of mails: ask for one, take it back, see what became of them."""

from dataclasses import dataclass
from functools import partial

import msgspec

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.crypto import SecretBox
from formwright.core.db.batching import BATCH_ROWS, in_batches
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.mail import store
from formwright.domain.mail.models import Mail, MailNotFound, MailStatus, NewMail
from formwright.domain.mail.templates import choose_language, render_email

RETENTION_MS = 90 * 24 * 3600 * 1000
"""How long it is remembered that a mail was sent."""


@dataclass(frozen=True, slots=True)
class MailSender:
    """The account in whose name mails go out, and what seals them while they wait."""

    customer_id: str
    account_name: str
    seal: SecretBox


async def enqueue(tx: WriteTransaction, sender: MailSender, new: NewMail) -> Mail:
    """Have a mail sent once this transaction is committed. What it says is sealed, and forgotten at its end."""
    rendered = render_email(new.letter, name=new.name, account=sender.account_name, language=new.language)
    mail = Mail(
        id=tx.new_id("mail"),
        customer_id=sender.customer_id,
        purpose=new.purpose,
        subject_id=new.subject_id,
        address=new.address,
        name=new.name,
        language=choose_language(new.language),
        subject=new.letter.subject,
        status=MailStatus.WAITING,
        tries=0,
        due=0,  # at once, also when the clock is set back
        perhaps_twice=False,
        detail="",
        created=tx.now(),
        ended=None,
    )
    await store.insert(tx, mail, sender.seal.close(msgspec.json.encode(rendered).decode()), new.until)
    tx.wake()
    return mail


async def withdraw(tx: WriteTransaction, customer_id: str, *, purpose: str, subject_id: str) -> None:
    """Send no more of what still waits for this subject. What a worker is just handing over goes out."""
    await store.withdraw(tx, Scope(customer_id), purpose, subject_id, tx.now())


async def find_latest(tx: ReadTransaction, customer_id: str, *, purpose: str, subject_id: str) -> Mail | None:
    """The newest mail to this subject: for a page that tells whether it went out."""
    return await store.find_latest(tx, Scope(customer_id), purpose, subject_id)


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Mail]:
    """The account's mails, the newest first."""
    return await store.page(tx, allow(actor, Permission.PEOPLE_MANAGE), window)


async def get(tx: ReadTransaction, actor: Actor, *, mail_id: str) -> Mail:
    """One mail of the account."""
    mail = await store.find(tx, allow(actor, Permission.PEOPLE_MANAGE), mail_id)
    if mail is None:
        raise MailNotFound()
    return mail


async def delete_old(db: Database, now: int) -> int:
    """Forget what ended long ago, in batches, each a short transaction; answers how many."""
    return await in_batches(db, partial(store.delete_ended, before=now - RETENTION_MS, at_most=BATCH_ROWS))
