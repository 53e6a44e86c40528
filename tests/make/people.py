"""People."""

import itertools

from cast import Account

from formwright.domain.people import service as people
from formwright.domain.people.model import User

_numbers = itertools.count(1)


async def user(account: Account, name: str = "Teammate") -> User:
    """One more person of the account."""
    email = f"{name.lower()}{next(_numbers)}@example.org"
    async with account.house.db.writing() as tx:
        return await people.add_user(tx, account.actor, email=email, name=name, password_hash=None)
