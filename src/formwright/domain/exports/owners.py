"""The actor with whose permissions an export runs, as they are at that time."""

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import NotFound
from formwright.domain.api_keys import limits
from formwright.domain.api_keys import service as keys
from formwright.domain.users import service as users
from formwright.domain.users.models import UserStatus

_TAKE_OVER = "Somebody who may read the submissions can take the export over by saving it again."


class ExportRejected(Exception):
    """The export can't run; the message says why."""


async def load_owner(tx: ReadTransaction, customer_id: str, owner_id: str, now: int) -> Actor:
    """Return the user or API key that owns an export, with their current permissions. Raises `ExportRejected`."""
    system = actors.system(customer_id)
    try:
        if owner_id.startswith("key_"):
            return await _load_key(tx, system, owner_id, now)
        if owner_id.startswith("usr_"):
            return await _load_user(tx, system, owner_id)
    except NotFound as error:
        raise ExportRejected(f"The user who saved this export is no longer in the account. {_TAKE_OVER}") from error
    return system


async def _load_user(tx: ReadTransaction, system: Actor, user_id: str) -> Actor:
    user = await users.get(tx, system, user_id=user_id)
    if user.status is not UserStatus.ACTIVE:
        raise ExportRejected(f"{user.name}, who set up this export, can no longer sign in. {_TAKE_OVER}")
    return await users.load_actor(tx, user)


async def _load_key(tx: ReadTransaction, system: Actor, key_id: str, now: int) -> Actor:
    key = await keys.get(tx, system, key_id=key_id)
    if key.revoked is not None or key.has_expired(now):
        raise ExportRejected(f"The API key “{key.name}”, which set up this export, no longer works. {_TAKE_OVER}")
    return await limits.load_actor(tx, key)
