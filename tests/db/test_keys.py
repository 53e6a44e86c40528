"""API keys: creation, rotation, expiry and use, also with several processes at the same time."""

import asyncio
from contextlib import suppress

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context
from fixtures.server_process import eventually

from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.errors import Conflict, Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import (
    DAY_MS,
    MAX_KEYS,
    MAX_LIFETIME_MS,
    Key,
    KeyExpired,
    KeyHasExpired,
    KeyLimitReached,
    KeyNotFound,
    KeyProperties,
)
from formwright.settings import Settings
from formwright.worker import runner

NOW = 1_800_000_000_000


async def _add(account: Tenant, number: int) -> tuple[Key, str]:
    async with account.ctx.db.writing() as tx:
        return await keys.create(tx, account.actor, KeyProperties(f"Key {number}"), maker_name="Test")


async def _works(ctx: AppContext, text: str) -> bool:
    async with ctx.db.reading() as tx:
        return await keys.identify(tx, text, ctx.clock.now()) is not None


async def test_twenty_of_thirty_keys_created_concurrently_succeed(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as first, open_migrated_context(own_settings) as second:
        account = await create_tenant(first)
        requests = [_add(account.with_context((first, second)[number % 2]), number) for number in range(30)]
        results = await asyncio.gather(*requests, return_exceptions=True)
        created = [result for result in results if isinstance(result, tuple)]
        errors = [result for result in results if isinstance(result, Conflict)]
        assert (len(created), len(errors)) == (MAX_KEYS, 30 - MAX_KEYS)
        assert {error.code for error in errors} == {"key.limit_reached"}
        async with second.db.reading() as tx:
            assert {key.id for key in await keys.list_active(tx, account.actor)} == {key.id for key, _ in created}
        assert all([await _works(second, text) for _, text in created])


async def test_a_revoked_key_stops_working_at_once_and_frees_one_place(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as first, open_migrated_context(own_settings) as second:
        account = await create_tenant(first)
        created = [await _add(account, number) for number in range(MAX_KEYS)]
        key, text = created[7]
        assert await _works(second, text)
        async with first.db.writing() as tx:
            await keys.revoke(tx, account.actor, key_id=key.id)
        assert not await _works(second, text)
        assert await _works(second, created[8][1])
        requests = [_add(account.with_context(second), number) for number in range(3)]
        results = await asyncio.gather(*requests, return_exceptions=True)
        assert sum(isinstance(result, KeyLimitReached) for result in results) == 2


async def test_a_key_stops_working_when_it_expires(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        account = await create_tenant(ctx)
        async with ctx.db.writing() as tx:
            _, text = await keys.create(
                tx, account.actor, KeyProperties("Audit", expires=NOW + 1000), maker_name="Test"
            )
        clock.ms = NOW + 999
        assert await _works(ctx, text)
        clock.ms = NOW + 1000
        with pytest.raises(KeyExpired):
            await _works(ctx, text)


@pytest.mark.parametrize("expires", [NOW, NOW - 1, NOW + MAX_LIFETIME_MS + 1, 0])
async def test_an_expiry_outside_the_allowed_period_is_rejected(own_settings: Settings, expires: int) -> None:
    async with open_migrated_context(own_settings, clock=SetClock(NOW)) as ctx:
        account = await create_tenant(ctx)
        with pytest.raises(Invalid) as refused:
            async with ctx.db.writing() as tx:
                await keys.create(tx, account.actor, KeyProperties("", expires=expires), maker_name="Test")
        assert [fault.code for fault in refused.value.faults] == ["key.name", "key.expires"]


async def test_after_a_rotation_both_secrets_work_until_the_old_one_expires(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        account = await create_tenant(ctx)
        key, first = await _add(account, 1)

        async def rotate(overlap_ms: int) -> str:
            async with ctx.db.writing() as tx:
                changed, text = await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=overlap_ms)
            assert (changed.id, changed.hint) == (key.id, text[:12])
            return text

        second = await rotate(DAY_MS)
        assert await _works(ctx, first)
        assert await _works(ctx, second)
        clock.ms += 2 * DAY_MS
        with pytest.raises(KeyExpired):
            await _works(ctx, first)
        third = await rotate(DAY_MS)
        assert not await _works(ctx, first), "a secret that had expired is deleted"
        fourth = await rotate(0)
        assert not await _works(ctx, second), "only the most recent of the old secrets still works"
        with pytest.raises(KeyExpired):
            await _works(ctx, third)
        assert await _works(ctx, fourth)
        async with ctx.db.writing() as tx:
            await keys.revoke(tx, account.actor, key_id=key.id)
        assert not any([await _works(ctx, text) for text in (first, second, third, fourth)])
        with pytest.raises(KeyNotFound):
            await rotate(0)


async def test_a_rotated_secret_does_not_outlive_the_key(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        account = await create_tenant(ctx)
        async with ctx.db.writing() as tx:
            key, first = await keys.create(
                tx, account.actor, KeyProperties("K", expires=NOW + DAY_MS), maker_name="Test"
            )
        texts = [first]
        for overlap_ms in (2 * DAY_MS, 2 * DAY_MS):
            async with ctx.db.writing() as tx:
                texts.append((await keys.rotate(tx, account.actor, key_id=key.id, overlap_ms=overlap_ms))[1])
        assert [await _works(ctx, text) for text in texts] == [False, True, True]
        clock.ms = NOW + DAY_MS
        for text in texts[1:]:
            with pytest.raises(KeyExpired):
                await _works(ctx, text)
        with pytest.raises(KeyHasExpired):
            async with ctx.db.writing() as tx:
                await keys.rotate(tx, account.actor, key_id=key.id)


async def test_after_concurrent_rotations_the_last_two_secrets_work(
    own_settings: Settings,
) -> None:
    async with open_migrated_context(own_settings) as first, open_migrated_context(own_settings) as second:
        account = await create_tenant(first)
        key, text = await _add(account, 1)

        async def rotate(ctx: AppContext) -> tuple[Key, str]:
            async with ctx.db.writing() as tx:
                return await keys.rotate(tx, account.actor, key_id=key.id)

        rotated = await asyncio.gather(*(rotate(ctx) for ctx in (first, second, first)))
        rotated.sort(key=lambda item: item[0].revision)
        assert [changed.revision for changed, _ in rotated] == [2, 3, 4]
        secrets = [text, *(text for _, text in rotated)]
        assert [await _works(first, secret) for secret in secrets] == [False, False, True, True]


async def test_only_a_hash_of_the_secret_is_stored(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as ctx:
        account = await create_tenant(ctx)
        key, text = await _add(account, 1)
        async with ctx.db.reading() as tx:
            stored = str(await tx.fetch("SELECT * FROM api_keys")) + str(await tx.fetch("SELECT * FROM key_hashes"))
    assert key.hint in stored
    assert text not in stored
    assert text[len(key.hint) :] not in stored


async def test_uses_that_cannot_be_saved_are_saved_later(
    own_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_USAGE_S", 0.05)
    async with open_migrated_context(own_settings) as ctx:
        account = await create_tenant(ctx)
        (first, _), (second, _) = [await _add(account, number) for number in range(2)]
        writing = asyncio.create_task(runner.write_usage(ctx))
        await _rename(ctx, "api_keys", "gone")
        _use(account, first, 1)
        _use(account, second, 1)
        await asyncio.sleep(0.2)
        _use(account, second, 2)
        await _rename(ctx, "gone", "api_keys")
        await eventually(lambda: _used(account, {first.id: 1, second.id: 2}))
        assert not writing.done()
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing


def _use(account: Tenant, key: Key, at: int) -> None:
    account.ctx.usage.record(actors.key(key.id, account.id, key.name, read_only=False), at)


async def _rename(ctx: AppContext, table: str, name: str) -> None:
    async with ctx.db.writing() as tx:
        await tx.execute(f"ALTER TABLE {table} RENAME TO {name}")


async def _used(account: Tenant, uses: dict[str, int]) -> bool:
    async with account.ctx.db.reading() as tx:
        return {key.id: key.last_used for key in await keys.list_active(tx, account.actor)} == uses
