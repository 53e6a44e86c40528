"""Who did something, in a word or two."""

from collections.abc import Iterable

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import NotFound
from formwright.domain.api_keys import service as keys
from formwright.domain.users import service as people
from formwright.web.session import Reader


async def names(tx: ReadTransaction, who: Reader, hands: Iterable[str | None]) -> dict[str | None, str]:
    """A name for each; who may not read people or keys learns only that there was one."""
    found: dict[str | None, str] = {None: "", who.actor.id: who.actor.name}
    for hand in hands:
        if hand not in found and hand is not None:
            found[hand] = await (_key if hand.startswith("key_") else _person)(tx, who, hand)
    return found


async def _person(tx: ReadTransaction, who: Reader, user_id: str) -> str:
    try:
        may = Permission.PEOPLE_READ in who.actor.permissions
        return (await people.get(tx, who.actor, user_id=user_id)).name if may else "someone else"
    except NotFound:
        return "a deleted user"


async def _key(tx: ReadTransaction, who: Reader, key_id: str) -> str:
    try:
        may = Permission.KEYS_READ in who.actor.permissions
        return f"API key “{(await keys.get(tx, who.actor, key_id=key_id)).name}”" if may else "an API key"
    except NotFound:
        return "an API key"
