"""Mails to users about their sign-in: invitations, links to set a password, and notices of changes."""

from collections.abc import Callable
from dataclasses import dataclass

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import require
from formwright.core.events import AuditNote
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import Mail, NewMail
from formwright.domain.mail.templates import EmailContent, choose_language
from formwright.domain.users import store
from formwright.domain.users.auth import password_link_store, password_links
from formwright.domain.users.auth.models import LinkKind, NotInvited
from formwright.domain.users.models import User, UserDetails, UserNotFound, UserStatus, normalise_email

_LINK_TEXTS = {
    "en": {
        LinkKind.INVITATION: (
            "You are invited to {account}",
            "You now have access to {account} in Formwright. Set a password to get started.",
            "Set password",
            "The link expires in a week. If you do not know {account}, you can ignore this email.",
        ),
        LinkKind.RESET: (
            "Set a new password for {account}",
            "Someone, hopefully you, asked to reset your password for {account}.",
            "Set new password",
            "The link expires in an hour. If it was not you, ignore this email: your password stays the same.",
        ),
    },
    "de": {
        LinkKind.INVITATION: (
            "Sie sind zu {account} eingeladen",
            "Sie haben jetzt Zugang zu {account} in Formwright. Legen Sie ein Passwort fest, um loszulegen.",
            "Passwort festlegen",
            "Der Link ist eine Woche lang gültig. Wenn Sie {account} nicht kennen, ignorieren Sie diese E-Mail.",
        ),
        LinkKind.RESET: (
            "Neues Passwort für {account}",
            "Jemand, hoffentlich Sie, möchte Ihr Passwort für {account} zurücksetzen.",
            "Neues Passwort festlegen",
            "Der Link ist eine Stunde lang gültig. Wenn Sie das nicht waren, bleibt Ihr Passwort unverändert.",
        ),
    },
}
_CHANGE_TEXTS = {
    "en": (
        "Your sign-in to {account} was changed",
        {
            "email": "Your user of {account} has another email address now. You have been signed out, and can no "
            "longer sign in with this address.",
            "password": "Your password for {account} was changed.",
            "off": "Two-factor authentication for {account} was turned off.",
            "on": "Two-factor authentication for {account} was turned on.",
        },
        {
            "email": "If you did not expect this, contact the owner of {account} now.",
            "": "If this was not you, set a new password now and contact the owner of {account}.",
        },
    ),
    "de": (
        "Ihre Anmeldung bei {account} wurde geändert",
        {
            "email": "Ihr Zugang zu {account} hat jetzt eine andere E-Mail-Adresse. Sie wurden abgemeldet und können "
            "sich mit dieser Adresse nicht mehr anmelden.",
            "password": "Ihr Passwort für {account} wurde geändert.",
            "off": "Die Zwei-Faktor-Authentifizierung für {account} wurde ausgeschaltet.",
            "on": "Die Zwei-Faktor-Authentifizierung für {account} wurde eingeschaltet.",
        },
        {
            "email": "Wenn Sie damit nicht gerechnet haben, informieren Sie sofort die Verwaltung von {account}.",
            "": "Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest und informieren Sie die "
            "Verwaltung.",
        },
    ),
}


def render_link_email(kind: LinkKind, *, language: str, account: str, address: str) -> EmailContent:
    """Return the mail with a link to set a password."""
    subject, line, button, after = _LINK_TEXTS[choose_language(language)][kind]
    return EmailContent(
        subject.format(account=account),
        [line.format(account=account)],
        (button, address),
        [after.format(account=account)],
    )


def render_change_email(change: str, *, language: str, account: str) -> EmailContent:
    """Return the notice of a change: `email`, `password`, or `on` or `off` for two-factor authentication."""
    subject, changes, advice = _CHANGE_TEXTS[choose_language(language)]
    lines = changes[change], advice.get(change, advice[""])
    return EmailContent(subject.format(account=account), [line.format(account=account) for line in lines])


INVITATION, RESET, CHANGED = "user.invitation", "user.reset", "user.changed"
"""The purposes of these mails; their subject is the user."""
LINK_PATH = "/set-password/"


@dataclass(frozen=True, slots=True)
class AccountMailer:
    """What is needed to send mails with links: the box that encrypts queued mails, and the origin for the links."""

    secret_box: SecretBox
    origin: str


async def send_invitation(tx: WriteTransaction, mailer: AccountMailer, user: User) -> Mail:
    """Send an invited user a link to set their password, which replaces earlier links."""
    return await _send_link(tx, mailer, user, LinkKind.INVITATION, INVITATION)


async def resend_invitation(tx: WriteTransaction, mailer: AccountMailer, actor: Actor, *, user_id: str) -> Mail:
    """Send an invitation again. Raises `UserNotFound`, or `NotInvited` if the user does not have this status."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    user = require(await store.find(tx, scope, user_id), UserNotFound)
    if user.status is not UserStatus.INVITED:
        raise NotInvited()
    tx.audit(AuditNote(scope.customer_id, "user.invited", user.id, user.name))
    return await send_invitation(tx, mailer, user)


async def update_invitation(
    tx: WriteTransaction, mailer: AccountMailer, previous: UserDetails | None, details: UserDetails
) -> None:
    """Send or cancel the invitation after a user was created (`previous` is None) or edited.

    If the status or email address changed, earlier links stop working, because they went to the old address.
    """
    now, before = details.user, previous.user if previous else None
    if before and (now.status, now.email) == (before.status, before.email):
        return
    await cancel_links(tx, now)
    if now.status is UserStatus.INVITED:
        await send_invitation(tx, mailer, now)


async def cancel_links(tx: WriteTransaction, user: User) -> None:
    """End the user's links to set a password, and withdraw the mails with them that have not been sent yet."""
    await password_links.delete_all(tx, Scope(user.customer_id), user.id)
    for purpose in (INVITATION, RESET):
        await mail.withdraw(tx, user.customer_id, purpose=purpose, subject_id=user.id)


async def send_reset_links(
    tx: WriteTransaction, secret_box: SecretBox, email: str, get_origin: Callable[[str], str]
) -> list[Mail]:
    """Send a link to reset the password to each user with this email address, or the invitation if they are invited.

    `get_origin` gets the origin under which the user last signed in, or "", and returns the one for the link. If it
    returns "", because no origin can be trusted, no mail is sent.
    """
    sent = []
    for user, last_origin in await password_link_store.find_mailable_users(tx, normalise_email(email)):
        await account_lock.next_timestamp(tx, user.customer_id)
        if origin := get_origin(last_origin):
            invited = user.status is UserStatus.INVITED
            kind, purpose = (LinkKind.INVITATION, INVITATION) if invited else (LinkKind.RESET, RESET)
            sent.append(await _send_link(tx, AccountMailer(secret_box, origin), user, kind, purpose))
    return sent


async def send_change_notice(tx: WriteTransaction, secret_box: SecretBox, user: User, change: str) -> Mail:
    """Notify a user of a change: `email`, `password`, or `on` or `off` for two-factor authentication.

    The notice of another email address goes to the old one, which `user` still has.
    """
    account = await _load_account(tx, user)
    letter = render_change_email(change, language=_language(account, user), account=account.name)
    return await _send(tx, secret_box, account, user, CHANGED, letter)


async def _send_link(tx: WriteTransaction, mailer: AccountMailer, user: User, kind: LinkKind, purpose: str) -> Mail:
    await cancel_links(tx, user)
    token, ends = await password_links.create(tx, user, kind)
    account = await _load_account(tx, user)
    address, language = mailer.origin + LINK_PATH + token, _language(account, user)
    letter = render_link_email(kind, language=language, account=account.name, address=address)
    return await _send(tx, mailer.secret_box, account, user, purpose, letter, ends)


async def _send(
    tx: WriteTransaction,
    secret_box: SecretBox,
    account: Customer,
    user: User,
    purpose: str,
    letter: EmailContent,
    until: int | None = None,
) -> Mail:
    new = NewMail(purpose, user.id, user.email, user.name, _language(account, user), letter, until)
    return await mail.enqueue(tx, mail.MailSender.of(account, secret_box), new)


async def _load_account(tx: ReadTransaction, user: User) -> Customer:
    return await customers.get(tx, actors.system(user.customer_id))


def _language(account: Customer, user: User) -> str:
    return choose_language(user.language, account.locale)
