"""The account and its users."""

from actors import Account
from factories.requests import get
from factories.users import user


async def test_only_the_account_of_the_key_is_accessible(account: Account, stranger: Account) -> None:
    own = await get(account, f"/customers/{account.id}")
    assert await get(account, "/customers") == {"items": [own], "nextCursor": None, "next": None}
    assert (own["id"], own["name"], own["timeZone"], own["locale"]) == (account.id, "Owner", "UTC", "en")
    assert stranger.id != account.id


async def test_users_are_listed_in_order_of_creation(account: Account, stranger: Account) -> None:
    mate = await user(account)
    await user(stranger)
    listed = (await get(account, f"/customers/{account.id}/users"))["items"]
    assert [person["id"] for person in listed] == [account.owner.id, mate.id]
    assert listed[1] == await get(account, f"/customers/{account.id}/users/{mate.id}")


async def test_users_are_returned_without_password_and_sessions(account: Account) -> None:
    shown = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    assert (shown["email"], shown["status"], shown["customerId"]) == (account.owner.email, "ACTIVE", account.id)
    assert not [name for name in shown if "password" in name.lower() or "hash" in name.lower()]
