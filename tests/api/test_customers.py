"""Customers and users, as an integrator meets them."""

from actors import Account
from factories.requests import get
from factories.users import user


async def test_the_account_of_the_key_is_the_only_one_in_reach(account: Account, stranger: Account) -> None:
    own = await get(account, f"/customers/{account.id}")
    assert await get(account, "/customers") == {"items": [own], "next": None}
    assert (own["id"], own["name"], own["timeZone"], own["locale"]) == (account.id, "Owner", "UTC", "en")
    assert stranger.id != account.id


async def test_the_people_of_the_account_are_listed_the_first_to_come_at_the_front(
    account: Account, stranger: Account
) -> None:
    mate = await user(account)
    await user(stranger)
    listed = (await get(account, f"/customers/{account.id}/users"))["items"]
    assert [person["id"] for person in listed] == [account.owner.id, mate.id]
    assert listed[1] == await get(account, f"/customers/{account.id}/users/{mate.id}")


async def test_a_person_is_shown_without_password_or_session(account: Account) -> None:
    shown = await get(account, f"/customers/{account.id}/users/{account.owner.id}")
    assert (shown["email"], shown["status"], shown["customerId"]) == (account.owner.email, "ACTIVE", account.id)
    assert not [name for name in shown if "password" in name.lower() or "hash" in name.lower()]
