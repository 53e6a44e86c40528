"""What the mails to people say, in the languages in which we write.

The mails that people get about their sign-in: invitations, links to set a password, and word of what was changed.
"""

from collections.abc import Callable
from dataclasses import dataclass

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import Mail, NewMail
from formwright.domain.mail.templates import Letter, known_language
from formwright.domain.users import store
from formwright.domain.users.auth import password_link_store, password_links
from formwright.domain.users.auth.models import LinkKind, NotInvited
from formwright.domain.users.models import User, UserDetails, UserNotFound, UserStatus, normalise_email

_LINK_TEXTS = {
    "en": {
        LinkKind.INVITATION: (
            "You are invited to {account}",
            "You can now work with {account} in Formwright. Set a password to begin.",
            "Set a password",
            "The link works once, and for a week. If you do not know {account}, do nothing.",
        ),
        LinkKind.RESET: (
            "Set a new password for {account}",
            "Somebody, hopefully you, asked for a new password for your access to {account}.",
            "Set a new password",
            "The link works once, and for an hour. If it was not you, do nothing: your password stays as it is.",
        ),
    },
    "de": {
        LinkKind.INVITATION: (
            "Sie sind zu {account} eingeladen",
            "Sie können jetzt mit {account} in Formwright arbeiten. Setzen Sie dafür ein Passwort.",
            "Passwort setzen",
            "Der Link gilt einmal und eine Woche lang. Wenn Sie {account} nicht kennen, brauchen Sie nichts zu tun.",
        ),
        LinkKind.RESET: (
            "Neues Passwort für {account}",
            "Jemand, hoffentlich Sie, hat ein neues Passwort für Ihren Zugang zu {account} angefordert.",
            "Neues Passwort setzen",
            "Der Link gilt einmal und eine Stunde lang. Waren Sie es nicht, tun Sie nichts: Ihr Passwort bleibt.",
        ),
    },
}
_CHANGE_TEXTS = {
    "en": (
        "Your sign-in to {account} was changed",
        {
            "password": "Your password for {account} was changed.",
            "off": "The second factor of your sign-in to {account} was switched off.",
            "on": "The second factor of your sign-in to {account} was switched on.",
        },
        "If it was not you, set a new password at once, and tell whoever looks after {account}.",
    ),
    "de": (
        "Ihre Anmeldung bei {account} wurde geändert",
        {
            "password": "Ihr Passwort für {account} wurde geändert.",
            "off": "Der zweite Faktor Ihrer Anmeldung bei {account} wurde ausgeschaltet.",
            "on": "Der zweite Faktor Ihrer Anmeldung bei {account} wurde eingeschaltet.",
        },
        "Waren Sie es nicht, setzen Sie sofort ein neues Passwort, und sagen Sie es denen, die {account} betreuen.",
    ),
}


def render_link_email(kind: LinkKind, *, language: str, account: str, address: str) -> Letter:
    """The mail that brings a link to set a password."""
    subject, line, button, after = _LINK_TEXTS[known_language(language)][kind]
    return Letter(
        subject.format(account=account),
        [line.format(account=account)],
        (button, address),
        [after.format(account=account)],
    )


def render_change_email(change: str, *, language: str, account: str) -> Letter:
    """The mail that tells of a change: of the `password`, or of the second factor, `on` or `off`."""
    subject, changes, after = _CHANGE_TEXTS[known_language(language)]
    return Letter(
        subject.format(account=account), [changes[change].format(account=account), after.format(account=account)]
    )


INVITATION, RESET, CHANGED = "user.invitation", "user.reset", "user.changed"
"""The purposes of these mails; their subject is the user."""
LINK_PATH = "/set-password/"


@dataclass(frozen=True, slots=True)
class AccountMailer:
    """Who sends: what seals mails while they wait, and the public address of ours that links begin with."""

    seal: SecretBox
    origin: str


async def send_invitation(tx: WriteTransaction, mailer: AccountMailer, user: User) -> Mail:
    """Send an invited person the link with which she sets her password; one that she got before ends."""
    return await _send_link(tx, mailer, user, LinkKind.INVITATION, INVITATION)


async def resend_invitation(tx: WriteTransaction, mailer: AccountMailer, actor: Actor, *, user_id: str) -> Mail:
    """Send the invitation once more, to who has not come in yet."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    if user.status is not UserStatus.INVITED:
        raise NotInvited()
    tx.audit(AuditNote(scope.customer_id, "user.invited", user.id, user.name))
    return await send_invitation(tx, mailer, user)


async def update_invitation(
    tx: WriteTransaction, mailer: AccountMailer, previous: UserDetails | None, details: UserDetails
) -> None:
    """After a person was added or changed: invite who is to be invited, and end what leads to an address of before."""
    now, before = details.user, previous.user if previous else None
    if before and (now.status, now.email) == (before.status, before.email):
        return
    await _cancel_links(tx, now)
    if now.status is UserStatus.INVITED:
        await send_invitation(tx, mailer, now)


async def _cancel_links(tx: WriteTransaction, user: User) -> None:
    await password_links.delete_all(tx, Scope(user.customer_id), user.id)
    for purpose in (INVITATION, RESET):
        await mail.withdraw(tx, user.customer_id, purpose=purpose, subject_id=user.id)


async def send_reset_links(
    tx: WriteTransaction, seal: SecretBox, email: str, get_origin: Callable[[str], str]
) -> list[Mail]:
    """Send a link for each account of this address; to who was never in, the invitation once more.

    `origin_of` is given the address of ours under which the person works, and answers what links to her begin with;
    empty where none can be trusted: then nothing is sent.
    """
    sent = []
    for user, origin in await password_link_store.find_mailable_users(tx, normalise_email(email)):
        await account_lock.next_timestamp(tx, user.customer_id)
        if begin := get_origin(origin):
            invited = user.status is UserStatus.INVITED
            kind, purpose = (LinkKind.INVITATION, INVITATION) if invited else (LinkKind.RESET, RESET)
            sent.append(await _send_link(tx, AccountMailer(seal, begin), user, kind, purpose))
    return sent


async def send_change_notice(tx: WriteTransaction, seal: SecretBox, user: User, change: str) -> Mail:
    """Tell a person that her sign-in was changed: the `password`, or the second factor, `on` or `off`."""
    account = await _load_account(tx, user)
    letter = render_change_email(change, language=_language(account, user), account=account.name)
    return await _send(tx, seal, account, user, CHANGED, letter)


async def _send_link(tx: WriteTransaction, mailer: AccountMailer, user: User, kind: LinkKind, purpose: str) -> Mail:
    await _cancel_links(tx, user)
    token, ends = await password_links.create(tx, user, kind)
    account = await _load_account(tx, user)
    address, language = mailer.origin + LINK_PATH + token, _language(account, user)
    letter = render_link_email(kind, language=language, account=account.name, address=address)
    return await _send(tx, mailer.seal, account, user, purpose, letter, ends)


async def _send(
    tx: WriteTransaction,
    seal: SecretBox,
    account: Customer,
    user: User,
    purpose: str,
    letter: Letter,
    until: int | None = None,
) -> Mail:
    new = NewMail(purpose, user.id, user.email, user.name, _language(account, user), letter, until)
    return await mail.enqueue(tx, mail.MailJob(account.id, account.name, seal), new)


async def _load_account(tx: ReadTransaction, user: User) -> Customer:
    return await customers.get(tx, actors.system(user.customer_id))


def _language(account: Customer, user: User) -> str:
    return known_language(user.language, account.locale)
