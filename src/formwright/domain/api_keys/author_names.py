"""Names of users and API keys as authors of changes, for pages and exports."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import NotFound
from formwright.domain.api_keys import service as keys
from formwright.domain.users import service as people

_NONE: Mapping[str, str] = MappingProxyType({})


async def load_author_names(
    tx: ReadTransaction, actor: Actor, author_ids: Iterable[str | None], known: Mapping[str, str] = _NONE
) -> dict[str | None, str]:
    """Return the name of each author by id, and “” for None. `known` are names of users that were loaded before.

    Actors without access to people and keys see “someone else” and “an API key”.
    """
    names: dict[str | None, str] = {None: "", actor.id: actor.name}
    names.update(known)
    missing = {author_id for author_id in author_ids if author_id is not None and author_id not in names}
    user_ids = {author_id for author_id in missing if not author_id.startswith("key_")}
    names.update(await _load_user_names(tx, actor, user_ids))
    for key_id in missing - user_ids:
        names[key_id] = await _load_key_name(tx, actor, key_id)
    return names


async def _load_user_names(tx: ReadTransaction, actor: Actor, user_ids: Collection[str]) -> Mapping[str, str]:
    if Permission.PEOPLE_READ not in actor.permissions:
        return dict.fromkeys(user_ids, "someone else")
    found = await people.find_many(tx, actor, user_ids)
    return dict.fromkeys(user_ids, "a deleted user") | {user.id: user.name for user in found.values()}


async def _load_key_name(tx: ReadTransaction, actor: Actor, key_id: str) -> str:
    try:
        may_read = Permission.KEYS_READ in actor.permissions
        return f"API key “{(await keys.get(tx, actor, key_id=key_id)).name}”" if may_read else "an API key"
    except NotFound:
        return "an API key"
