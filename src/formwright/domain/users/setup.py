"""Setup of an empty installation: the server prints a link with which the operator creates the first account.

The link contains a random secret that is stored as a hash, works once, and expires. Creating an account takes a lock in
the database, so only one of several processes or machines can create the first account.
"""

from formwright.core import crypto
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.users import service, setup_store
from formwright.domain.users.auth.models import LinkExpired
from formwright.domain.users.models import PasswordCredentials

LIFETIME_MS = 24 * 3600 * 1000
_PREFIX = "fws_"


class AlreadySetUp(LinkExpired):
    """The installation has an account, so the setup link no longer works."""


async def lock_if_empty(tx: WriteTransaction) -> bool:
    """Return whether the installation has no account. If so, it stays empty until this transaction ends."""
    await setup_store.lock(tx)
    return not await service.has_accounts(tx)


async def create_link(tx: WriteTransaction) -> tuple[str, int] | None:
    """Create a setup link, which replaces an earlier one. Returns None if the installation has an account.

    Returns the secret part of the link, and when it expires in milliseconds since 1970.
    """
    if not await lock_if_empty(tx):
        return None
    token, ends = crypto.new_secret(_PREFIX), tx.now() + LIFETIME_MS
    await setup_store.set_link(tx, crypto.fingerprint(token), ends)
    return token, ends


async def check_link(tx: ReadTransaction, token: str, now: int) -> None:
    """Raise `LinkExpired` or its subclass `AlreadySetUp` if the link cannot be used. Does not use up the link."""
    if await service.has_accounts(tx):
        raise AlreadySetUp()
    if not crypto.is_well_formed(token, _PREFIX) or not await setup_store.is_valid_link(
        tx, crypto.fingerprint(token), now
    ):
        raise LinkExpired()


async def use_link(
    tx: WriteTransaction, token: str, *, name: str, email: str, password_hash: str
) -> PasswordCredentials:
    """Create the first account and use up the link. Raises `LinkExpired`."""
    await setup_store.lock(tx)
    await check_link(tx, token, tx.now())
    await setup_store.set_link(tx, "", 0)
    customer, owner = await service.open_account(tx, name=name, email=email, password_hash=password_hash)
    return PasswordCredentials(customer.id, owner.id, password_hash)
