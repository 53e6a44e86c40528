"""Setting up an empty installation: its first owner, by a link that the operator gets at the start.

The link is unguessable, stored as a hash, for one use, and expires. Whoever opens an account takes one lock in the
database, so of several processes and machines that find an empty installation exactly one opens the first account.
"""

from formwright.core import crypto
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.users import service, setup_store
from formwright.domain.users.auth.models import LinkExpired
from formwright.domain.users.models import Credentials

LIFETIME_MS = 24 * 3600 * 1000
_PREFIX = "fws_"


class AlreadySetUp(LinkExpired):
    """Somebody has an account already, so no link for a first owner works."""


async def lock_if_empty(tx: WriteTransaction) -> bool:
    """Whether the installation has no account; if so it stays empty until this transaction ends."""
    await setup_store.lock(tx)
    return not await service.has_accounts(tx)


async def create_link(tx: WriteTransaction) -> tuple[str, int] | None:
    """The secret part of a new link and its end in milliseconds, in place of an older one; None if not empty."""
    if not await lock_if_empty(tx):
        return None
    token, ends = crypto.new_secret(_PREFIX), tx.now() + LIFETIME_MS
    await setup_store.set_link(tx, crypto.fingerprint(token), ends)
    return token, ends


async def check_link(tx: ReadTransaction, token: str, now: int) -> None:
    """Raise `LinkEnded`, or `AlreadySetUp` in particular, if the link can't be used. Opening it uses nothing up."""
    if await service.has_accounts(tx):
        raise AlreadySetUp()
    if not crypto.is_well_formed(token, _PREFIX) or not await setup_store.is_valid_link(
        tx, crypto.fingerprint(token), now
    ):
        raise LinkExpired()


async def use_link(tx: WriteTransaction, token: str, *, name: str, email: str, password_hash: str) -> Credentials:
    """Open the first account, once."""
    await setup_store.lock(tx)
    await check_link(tx, token, tx.now())
    await setup_store.set_link(tx, "", 0)
    customer, owner = await service.open_account(tx, name=name, email=email, password_hash=password_hash)
    return Credentials(customer.id, owner.id, password_hash)
