"""Users, groups and roles."""

import itertools
from typing import Any

from actors import Account

from factories.requests import get, post
from formwright.core.auth.actor import Actor
from formwright.domain.users import management, models
from formwright.domain.users import service as people
from formwright.domain.users.models import NewUser, User

_numbers = itertools.count(1)


def grants(role_id: str, **ids: str) -> list[dict[str, Any]]:
    """Return grants of the role for each of these resources: `account`, `folder` or `form`, with its id."""
    return [{"roleId": role_id, "resource": {"type": type_, "id": id_}} for type_, id_ in ids.items()]


async def member(account: Account, *given: models.Grant, name: str = "Member") -> Actor:
    """Add a user with these grants, and return them as an actor."""
    new = NewUser(f"{name.lower()}{next(_numbers)}@example.org", name, grants=given)
    async with account.ctx.db.writing() as tx:
        user = await management.create(tx, account.actor, new, password_hash="-")
        return await people.load_actor(tx, user.user)


async def role(account: Account, *permissions: str, name: str = "") -> dict[str, Any]:
    """Create a custom role."""
    body = {"name": name or f"Role {next(_numbers)}", "permissions": permissions or ["forms:read"]}
    return await post(account, f"/customers/{account.id}/roles", body)


async def group(account: Account, *members: str, **more: Any) -> dict[str, Any]:
    """Create a group of these users."""
    body = {"name": f"Group {next(_numbers)}", "members": members} | more
    return await post(account, f"/customers/{account.id}/groups", body)


async def built_in(account: Account, name: str = "Owner") -> str:
    """Return the id of a built-in role."""
    roles = (await get(account, f"/customers/{account.id}/roles"))["items"]
    return next(one["id"] for one in roles if one["name"] == name and one["builtIn"])


async def user(account: Account, name: str = "Teammate") -> User:
    """Add a user to the account."""
    email = f"{name.lower()}{next(_numbers)}@example.org"
    async with account.ctx.db.writing() as tx:
        user = await management.create(tx, account.actor, NewUser(email, name), password_hash="-")
        return user.user
