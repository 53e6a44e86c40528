"""Keys, when several processes deal with them at the same instant."""

import asyncio

from rig.houses import Tenant, opened, tenant

from formwright.core.kernel.errors import Conflict
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import MAX_KEYS, Key, KeyLimitReached
from formwright.house import House
from formwright.settings import Settings


async def _add(account: Tenant, number: int) -> tuple[Key, str]:
    async with account.house.db.writing() as tx:
        return await keys.add(tx, account.actor, name=f"Key {number}", maker_name="Test")


async def _opens(house: House, text: str) -> bool:
    async with house.db.reading() as tx:
        return await keys.authenticate(tx, text) is not None


async def test_of_thirty_asked_for_at_the_same_instant_twenty_are_made(own_settings: Settings) -> None:
    async with opened(own_settings) as first, opened(own_settings) as second:
        account = await tenant(first)
        wanted = [_add(account.in_house((first, second)[number % 2]), number) for number in range(30)]
        came = await asyncio.gather(*wanted, return_exceptions=True)
        made = [one for one in came if isinstance(one, tuple)]
        refused = [one for one in came if isinstance(one, Conflict)]
        assert (len(made), len(refused)) == (MAX_KEYS, 30 - MAX_KEYS)
        assert {error.code for error in refused} == {"key.limit_reached"}
        async with second.db.reading() as tx:
            assert {key.id for key in await keys.live(tx, account.actor)} == {key.id for key, _ in made}
        assert all([await _opens(second, text) for _, text in made])


async def test_a_key_that_is_revoked_opens_nothing_at_once_and_makes_room_for_one(own_settings: Settings) -> None:
    async with opened(own_settings) as first, opened(own_settings) as second:
        account = await tenant(first)
        made = [await _add(account, number) for number in range(MAX_KEYS)]
        key, text = made[7]
        assert await _opens(second, text)
        async with first.db.writing() as tx:
            await keys.revoke(tx, account.actor, key_id=key.id)
        assert not await _opens(second, text)
        assert await _opens(second, made[8][1])
        came = await asyncio.gather(*(_add(account.in_house(second), n) for n in range(3)), return_exceptions=True)
        assert sum(isinstance(one, KeyLimitReached) for one in came) == 2


async def test_only_a_hash_of_the_key_is_kept(own_settings: Settings) -> None:
    async with opened(own_settings) as house:
        account = await tenant(house)
        key, text = await _add(account, 1)
        async with house.db.reading() as tx:
            kept = str(await tx.fetch("SELECT * FROM api_keys")) + str(await tx.fetch("SELECT * FROM key_hashes"))
    assert key.hint in kept
    assert text not in kept
    assert text[len(key.hint) :] not in kept
