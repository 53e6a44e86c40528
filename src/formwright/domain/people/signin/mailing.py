"""The mails that people get about their sign-in: invitations, links to set a password, and word of what was changed."""

from collections.abc import Callable
from dataclasses import dataclass

from formwright.core.access import actor as actors
from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.access.scope import Scope
from formwright.core.kernel.note import Note
from formwright.core.kernel.seal import Seal
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.customers import service as customers
from formwright.domain.customers.model import Customer
from formwright.domain.mail import service as mail
from formwright.domain.mail.letter import Letter, known_language
from formwright.domain.mail.model import Mail, NewMail
from formwright.domain.people import store
from formwright.domain.people.model import User, UserNotFound, UserStatus, normal_email
from formwright.domain.people.rights import Person
from formwright.domain.people.signin import letters, links, linkstore
from formwright.domain.people.signin.model import LinkKind, NotInvited

INVITATION, RESET, CHANGED = "user.invitation", "user.reset", "user.changed"
"""The purposes of these mails; their subject is the user."""
PATH = "/set-password/"


@dataclass(frozen=True, slots=True)
class Office:
    """Who sends: what seals mails while they wait, and the public address of ours that links begin with."""

    seal: Seal
    origin: str


async def invite(tx: Writing, office: Office, user: User) -> Mail:
    """Send an invited person the link with which she sets her password; one that she got before ends."""
    return await _send_link(tx, office, user, LinkKind.INVITATION, INVITATION)


async def invite_again(tx: Writing, office: Office, actor: Actor, *, user_id: str) -> Mail:
    """Send the invitation once more, to who has not come in yet."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await order.stamp(tx, scope.customer_id)
    user = await store.find(tx, scope, user_id)
    if user is None:
        raise UserNotFound()
    if user.status is not UserStatus.INVITED:
        raise NotInvited()
    tx.note(Note(scope.customer_id, "user.invited", user.id, user.name))
    return await invite(tx, office, user)


async def follow(tx: Writing, office: Office, was: Person | None, person: Person) -> None:
    """After a person was added or changed: invite who is to be invited, and end what leads to an address of before."""
    now, before = person.user, was.user if was else None
    if before and (now.status, now.email) == (before.status, before.email):
        return
    await _end(tx, now)
    if now.status is UserStatus.INVITED:
        await invite(tx, office, now)


async def _end(tx: Writing, user: User) -> None:
    await links.end_all(tx, Scope(user.customer_id), user.id)
    for purpose in (INVITATION, RESET):
        await mail.withdraw(tx, user.customer_id, purpose=purpose, subject_id=user.id)


async def reset(tx: Writing, seal: Seal, email: str, origin_of: Callable[[str], str]) -> list[Mail]:
    """Send a link for each account of this address; to who was never in, the invitation once more.

    `origin_of` is given the address of ours under which the person works, and answers what links to her begin with;
    empty where none can be trusted: then nothing is sent.
    """
    sent = []
    for user, origin in await linkstore.mailable(tx, normal_email(email)):
        await order.stamp(tx, user.customer_id)
        if begin := origin_of(origin):
            invited = user.status is UserStatus.INVITED
            kind, purpose = (LinkKind.INVITATION, INVITATION) if invited else (LinkKind.RESET, RESET)
            sent.append(await _send_link(tx, Office(seal, begin), user, kind, purpose))
    return sent


async def tell_change(tx: Writing, seal: Seal, user: User, what: str) -> Mail:
    """Tell a person that her sign-in was changed: the `password`, or the second factor, `on` or `off`."""
    account = await _account(tx, user)
    letter = letters.of_change(what, language=_language(account, user), account=account.name)
    return await _send(tx, seal, account, user, CHANGED, letter)


async def _send_link(tx: Writing, office: Office, user: User, kind: LinkKind, purpose: str) -> Mail:
    await _end(tx, user)
    token, ends = await links.make(tx, user, kind)
    account = await _account(tx, user)
    address, language = office.origin + PATH + token, _language(account, user)
    letter = letters.with_link(kind, language=language, account=account.name, address=address)
    return await _send(tx, office.seal, account, user, purpose, letter, ends)


async def _send(
    tx: Writing, seal: Seal, account: Customer, user: User, purpose: str, letter: Letter, until: int | None = None
) -> Mail:
    new = NewMail(purpose, user.id, user.email, user.name, _language(account, user), letter, until)
    return await mail.enqueue(tx, mail.Post(account.id, account.name, seal), new)


async def _account(tx: Reading, user: User) -> Customer:
    return await customers.get(tx, actors.system(user.customer_id))


def _language(account: Customer, user: User) -> str:
    return known_language(user.language, account.locale)
