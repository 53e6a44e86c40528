"""The verbs of people: open an account, look someone up."""

from collections.abc import Iterable

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, ResourceType, Scope
from formwright.core.auth.permissions import OWNER, Permission
from formwright.core.auth.policy import allow
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.core.pagination import Page, Window
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.users import events, roles, setup_store, store
from formwright.domain.users.models import (
    Credentials,
    Grant,
    User,
    UserDetails,
    UserFilter,
    UserNotFound,
    UserStatus,
    normalise_email,
)

_MAX_OWNERS = 20


async def open_account(tx: WriteTransaction, *, name: str, email: str, password_hash: str) -> tuple[Customer, User]:
    """A new account with the built-in roles and its owner, who can sign in. One account is opened at a time."""
    await setup_store.lock(tx)
    customer = await customers.create(tx, name=name)
    now = customer.created
    owner = User(tx.new_id("usr"), customer.id, normalise_email(email), name, "en", UserStatus.ACTIVE, now, now, 1)
    await store.insert(tx, owner, password_hash)
    built_in = await roles.create_built_in(tx, customer.id, now)
    everything = Grant(built_in[OWNER].id, ResourceType.ACCOUNT, customer.id)
    await store.insert_grants(tx, Scope(customer.id), owner.id, [everything])
    tx.record(events.UserCreated(customer.id, UserDetails(owner, (), (everything,))))
    return customer, owner


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> User:
    """One person of the account."""
    user = await store.find(tx, allow(actor, Permission.PEOPLE_READ), user_id)
    if user is None:
        raise UserNotFound()
    return user


async def find_many(tx: ReadTransaction, actor: Actor, user_ids: Iterable[str]) -> dict[str, User]:
    """Those of these people that there are, by id."""
    scope = allow(actor, Permission.PEOPLE_READ)
    return {user.id: user for user in await store.find_many(tx, scope, sorted(set(user_ids)))}


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[User]:
    """The people of the account, those who came first at the front; `persons.page` has their rights too."""
    return await store.page(tx, allow(actor, Permission.PEOPLE_READ), UserFilter(), window)


async def count(tx: ReadTransaction, actor: Actor) -> int:
    """How many people the account has, also those who were invited and those who may not sign in any more."""
    return await store.count(tx, allow(actor, Permission.PEOPLE_READ))


async def list_owners(tx: ReadTransaction, actor: Actor) -> list[User]:
    """Whom the platform writes to when something is wrong with the account: its owners, 20 of them at most."""
    scope = allow(actor, Permission.PEOPLE_READ)
    return await store.find_many(tx, scope, await store.list_owner_ids(tx, scope, _MAX_OWNERS))


async def find_credentials(tx: ReadTransaction, email: str) -> list[Credentials]:
    """Who may mean to sign in with this address; whoever's password fits does."""
    return await store.find_credentials(tx, normalise_email(email))


async def get_credentials(tx: ReadTransaction, customer_id: str, user_id: str) -> Credentials | None:
    """What one person signs in with; None where she cannot."""
    return await store.get_credentials(tx, Scope(customer_id), user_id)


async def load_actor(tx: ReadTransaction, user: User) -> Actor:
    """As whom she acts: with all that she was given up to now."""
    held = await store.list_held_permissions(tx, user.customer_id, user.id)
    return actors.person(user.id, user.customer_id, held, user.name)


async def set_password(tx: WriteTransaction, actor: Actor, user_id: str, password_hash: str) -> None:
    """Give a person another password; her sessions end."""
    scope = allow(actor, Permission.PEOPLE_MANAGE)
    await account_lock.next_timestamp(tx, scope.customer_id)
    await store.set_password(tx, scope, user_id, password_hash)
    if user := await store.find(tx, scope, user_id):
        tx.audit(AuditNote(scope.customer_id, "user.updated", user_id, user.name, ("password",)))


async def rehash(tx: WriteTransaction, credentials: Credentials, password_hash: str) -> None:
    """Store another hash of the same password, unless the password was changed meanwhile."""
    await account_lock.next_timestamp(tx, credentials.customer_id)
    await store.replace_hash(
        tx, Scope(credentials.customer_id), credentials.user_id, credentials.password_hash, password_hash
    )


async def list_password_hashes(tx: ReadTransaction, email: str, *, except_user_id: str = "") -> list[str]:
    """The password hashes of this address; of the person `but` not."""
    return [who.password_hash for who in await find_credentials(tx, email) if who.user_id != except_user_id]


async def has_accounts(tx: ReadTransaction) -> bool:
    """Whether there is any account at all."""
    return await store.has_users(tx)
