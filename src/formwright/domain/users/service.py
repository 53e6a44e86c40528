"""Service functions for users: open an account, find users and their credentials, and change passwords."""

from collections.abc import Iterable

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import (
    Actor,
    ResourceType,
    Scope,
    ScopedPermissions,
    allow,
    allow_everywhere,
    missing_permissions,
)
from formwright.core.auth.permissions import ALL_PERMISSIONS, OWNER, Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Denied, require
from formwright.core.events import AuditNote, Event, EventType
from formwright.core.pagination import Page, Window
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.users import roles, setup_store, store
from formwright.domain.users.models import (
    Grant,
    PasswordCredentials,
    User,
    UserDetails,
    UserFilter,
    UserNotFound,
    UserStatus,
    normalise_email,
)

_MAX_OWNERS = 20


async def open_account(tx: WriteTransaction, *, name: str, email: str, password_hash: str) -> tuple[Customer, User]:
    """Create an account with the built-in roles and its owner, who can sign in at once.

    Accounts are created one at a time, under a lock.
    """
    await setup_store.lock(tx)
    customer = await customers.create(tx, name=name)
    now = customer.created
    owner = User(tx.new_id("usr"), customer.id, normalise_email(email), name, "en", UserStatus.ACTIVE, now, now, 1)
    await store.insert(tx, owner, password_hash)
    built_in = await roles.create_built_in(tx, customer.id, now)
    ownership = Grant(built_in[OWNER].id, ResourceType.ACCOUNT, customer.id)
    await store.insert_grants(tx, Scope(customer.id), owner.id, [ownership])
    tx.record(Event(EventType.USER_CREATED, customer.id, UserDetails(owner, (), (ownership,))))
    return customer, owner


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> User:
    """Return a user of the account; raises `UserNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.PEOPLE_READ), user_id), UserNotFound)


async def find_many(tx: ReadTransaction, actor: Actor, user_ids: Iterable[str]) -> dict[str, User]:
    """Return the users with these ids by id, without those that do not exist."""
    scope = allow(actor, Permission.PEOPLE_READ)
    return {user.id: user for user in await store.find_many(tx, scope, sorted(set(user_ids)))}


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[User]:
    """Return a page of the account's users, the oldest first. `management.page` also returns groups and grants."""
    return await store.page(tx, allow(actor, Permission.PEOPLE_READ), UserFilter(), window)


async def count(tx: ReadTransaction, actor: Actor) -> int:
    """Return the number of users, including those who are invited or disabled."""
    return await store.count(tx, allow(actor, Permission.PEOPLE_READ))


async def list_owners(tx: ReadTransaction, actor: Actor) -> list[User]:
    """Return the owners of the account who can sign in, at most 20. They receive the mails about its problems."""
    scope = allow(actor, Permission.PEOPLE_READ)
    return await store.find_many(tx, scope, await store.list_owner_ids(tx, scope, _MAX_OWNERS))


async def find_credentials(tx: ReadTransaction, email: str) -> list[PasswordCredentials]:
    """Return the credentials of the users with this email address in all accounts, the oldest user first."""
    return await store.find_credentials(tx, normalise_email(email))


async def list_accounts(tx: ReadTransaction, email: str) -> list[str]:
    """Return the accounts that have a user with this email address, also if that user cannot sign in."""
    return await store.list_accounts_of_email(tx, normalise_email(email))


async def get_credentials(tx: ReadTransaction, customer_id: str, user_id: str) -> PasswordCredentials | None:
    """Return the credentials of a user; None if they cannot sign in."""
    return await store.get_credentials(tx, Scope(customer_id), user_id)


async def load_actor(tx: ReadTransaction, user: User) -> Actor:
    """Return the actor of the user with their current permissions."""
    held = await store.list_held_permissions(tx, user.customer_id, user.id)
    return actors.person(user.id, user.customer_id, held, user.name)


def require_owner(actor: Actor) -> Scope:
    """Return the scope of the account; raises `Denied` unless the actor holds every permission.

    Whoever sets up an identity provider decides who signs in as whom.
    """
    scope = allow_everywhere(actor, Permission.CUSTOMER_EDIT)
    if not is_owner(actor):
        raise Denied("Only owners can set up sign-in.")
    return scope


def is_owner(actor: Actor) -> bool:
    """Whether the actor holds every permission for the whole account."""
    everything = ScopedPermissions(ALL_PERMISSIONS, ResourceType.ACCOUNT, actor.customer_id)
    return not missing_permissions(actor, everything)


async def set_password(tx: WriteTransaction, actor: Actor, user_id: str, password_hash: str) -> None:
    """Set the password of a user and end their sessions."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    await store.set_password(tx, scope, user_id, password_hash)
    if user := await store.find(tx, scope, user_id):
        tx.audit(AuditNote(scope.customer_id, "user.updated", user_id, user.name, ("password",)))


async def rehash(tx: WriteTransaction, credentials: PasswordCredentials, password_hash: str) -> None:
    """Replace the hash of the same password, unless the password was changed in the meantime."""
    await account_lock.next_timestamp(tx, credentials.customer_id)
    await store.replace_hash(
        tx, Scope(credentials.customer_id), credentials.user_id, credentials.password_hash, password_hash
    )


async def list_password_hashes(tx: ReadTransaction, email: str, *, except_user_id: str = "") -> list[str]:
    """Return the password hashes of the users with this email address, except that of `except_user_id`."""
    return [found.password_hash for found in await find_credentials(tx, email) if found.user_id != except_user_id]


async def has_accounts(tx: ReadTransaction) -> bool:
    """Whether the installation has any account."""
    return await store.has_users(tx)
