"""The verbs of people: open an account, sign in and out, look someone up."""

from formwright.core.access import actor as actors
from formwright.core.access import caller
from formwright.core.access.actor import Actor
from formwright.core.access.permissions import BUILT_IN_ROLES, Permission
from formwright.core.access.policy import allow
from formwright.core.access.scope import Scope
from formwright.core.kernel import secrets
from formwright.core.kernel.note import Note
from formwright.core.kernel.paging import Page, Window
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.customers import service as customers
from formwright.domain.customers.model import Customer
from formwright.domain.people import events, store
from formwright.domain.people.model import EmailTaken, SignIn, User, UserNotFound, UserStatus

SESSION_MS = 14 * 24 * 3600 * 1000
_SESSION_PREFIX = "fws_"


async def open_account(tx: Writing, *, name: str, email: str, password_hash: str) -> tuple[Customer, User]:
    """A new account with the built-in roles and its owner, who can sign in."""
    customer = await customers.create(tx, name=name)
    owner = _new_user(tx, customer.id, email, name, customer.created)
    await store.insert(tx, owner, password_hash)
    for role_name, allowed in BUILT_IN_ROLES.items():
        role_id = tx.new_id("rol")
        await store.insert_role(tx, customer.id, role_id, role_name, sorted(allowed), built_in=True)
        if role_name == "Owner":
            await store.insert_grant(tx, customer.id, owner.id, role_id)
    tx.record(events.UserCreated(customer.id, owner))
    return customer, owner


async def add_user(tx: Writing, actor: Actor, *, email: str, name: str, password_hash: str | None) -> User:
    """A new person without any role."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    now = await order.stamp(tx, scope.customer_id)
    if await store.email_taken(tx, scope, normal_email(email)):
        raise EmailTaken()
    user = _new_user(tx, scope.customer_id, email, name, now)
    await store.insert(tx, user, password_hash)
    tx.record(events.UserCreated(scope.customer_id, user))
    return user


def _new_user(tx: Writing, customer_id: str, email: str, name: str, now: int) -> User:
    return User(tx.new_id("usr"), customer_id, normal_email(email), name, "en", UserStatus.ACTIVE, now, now, 1)


def normal_email(email: str) -> str:
    """The spelling under which an address is kept and found."""
    return email.strip().lower()


async def get(tx: Reading, actor: Actor, *, user_id: str) -> User:
    """One person of the account."""
    user = await store.find(tx, allow(actor, Permission.PEOPLE_READ), user_id)
    if user is None:
        raise UserNotFound()
    return user


async def page(tx: Reading, actor: Actor, window: Window) -> Page[User]:
    """The people of the account, those who came first at the front."""
    return await store.page(tx, allow(actor, Permission.PEOPLE_READ), window)


async def sign_ins(tx: Reading, email: str) -> list[SignIn]:
    """Who may mean to sign in with this address; whoever's password fits does."""
    return await store.sign_ins(tx, normal_email(email))


async def begin_session(tx: Writing, who: SignIn) -> str:
    """The secret of a new session, kept only as a hash; it ends after 14 days."""
    # The account's order first, as every change of it does: the line in the audit log needs it too.
    await order.stamp(tx, who.customer_id)
    token = secrets.new_secret(_SESSION_PREFIX)
    await store.delete_ended_sessions(tx)
    await store.insert_session(tx, secrets.fingerprint(token), who.customer_id, who.user_id, tx.now() + SESSION_MS)
    if user := await store.find(tx, Scope(who.customer_id), who.user_id):
        _tell(tx, "user.signed_in", user)
    return token


def _tell(tx: Writing, action: str, user: User) -> None:
    """Note what a person does to her own access."""
    caller.is_by(actors.person(user.id, user.customer_id, (), user.name))
    tx.note(Note(user.customer_id, action, user.id, user.name))


async def session(tx: Reading, token: str, now: int) -> tuple[User, Actor] | None:
    """Whose session it is, and as whom she acts; None when it ended or never was."""
    user = await store.session_user(tx, secrets.fingerprint(token), now)
    if user is None:
        return None
    held = await store.held(tx, user.customer_id, user.id)
    return user, actors.person(user.id, user.customer_id, held, user.name)


async def end_session(tx: Writing, token: str) -> None:
    """Sign out: from here on the secret opens nothing."""
    user = await store.session_user(tx, secrets.fingerprint(token), tx.now())
    await store.delete_session(tx, secrets.fingerprint(token))
    if user:
        _tell(tx, "user.signed_out", user)


async def set_password(tx: Writing, actor: Actor, user_id: str, password_hash: str) -> None:
    """Give a person another password; her sessions end."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await order.stamp(tx, scope.customer_id)
    await store.set_password(tx, scope, user_id, password_hash)
    if user := await store.find(tx, scope, user_id):
        tx.note(Note(scope.customer_id, "user.updated", user_id, user.name, ("password",)))


async def anybody(tx: Reading) -> bool:
    """Whether there is any account at all."""
    return await store.anybody(tx)
