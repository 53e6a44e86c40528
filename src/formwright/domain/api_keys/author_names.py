"""Names of users and API keys as authors of changes, for pages and exports."""

from collections.abc import Iterable

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import NotFound
from formwright.domain.api_keys import service as keys
from formwright.domain.users import service as people


async def load_author_names(
    tx: ReadTransaction, actor: Actor, author_ids: Iterable[str | None]
) -> dict[str | None, str]:
    """Return the name of each author by id, and “” for None.

    Actors without access to people and keys see “someone else” and “an API key”.
    """
    names: dict[str | None, str] = {None: "", actor.id: actor.name}
    for author_id in author_ids:
        if author_id not in names and author_id is not None:
            names[author_id] = await (_load_key_name if author_id.startswith("key_") else _load_user_name)(
                tx, actor, author_id
            )
    return names


async def _load_user_name(tx: ReadTransaction, actor: Actor, user_id: str) -> str:
    try:
        may_read = Permission.PEOPLE_READ in actor.permissions
        return (await people.get(tx, actor, user_id=user_id)).name if may_read else "someone else"
    except NotFound:
        return "a deleted user"


async def _load_key_name(tx: ReadTransaction, actor: Actor, key_id: str) -> str:
    try:
        may_read = Permission.KEYS_READ in actor.permissions
        return f"API key “{(await keys.get(tx, actor, key_id=key_id)).name}”" if may_read else "an API key"
    except NotFound:
        return "an API key"
