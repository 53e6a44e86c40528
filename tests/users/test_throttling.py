"""Throttling of failed attempts: it applies to all processes together, and does not lock out the owner."""

import asyncio

import pytest
from actors import Account

from formwright.core.networks import to_network
from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.domain.users.auth.throttling import Bucket

MINUTE_MS = 60_000


async def _attempt(account: Account, *buckets: Bucket) -> int:
    """Count an attempt; returns the seconds to wait, or 0 if it was counted."""
    try:
        async with account.ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
    except TooManyAttempts as error:
        return error.wait_s
    return 0


async def _advance(account: Account, ms: int) -> None:
    """Move the counters back in time, as if this time had passed."""
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE throttles SET last = last - $1, until = until - $1", ms)


async def _attempts(account: Account, count: int, *buckets: Bucket) -> list[int]:
    return [await _attempt(account, *buckets) for _ in range(count)]


def _bucket(account: Account) -> Bucket:
    return Bucket(f"test {account.id}", free_attempts=3, max_wait_s=60)


async def test_after_some_failures_each_attempt_waits_longer(account: Account) -> None:
    bucket = _bucket(account)
    assert await _attempts(account, 4, bucket) == [0, 0, 0, 5]
    waits = []
    for _ in range(5):
        await _advance(account, MINUTE_MS)
        assert await _attempt(account, bucket) == 0
        waits.append(await _attempt(account, bucket))
    assert waits == [10, 20, 40, 60, 60]


async def test_an_attempt_that_is_too_early_does_not_extend_the_wait(account: Account) -> None:
    bucket = _bucket(account)
    await _attempts(account, 3, bucket)
    assert set(await _attempts(account, 20, bucket)) == {5}
    await _advance(account, 5000)
    assert await _attempts(account, 2, bucket) == [0, 10]


async def test_a_success_resets_the_counter_or_takes_back_its_own_attempt(account: Account) -> None:
    for keeps_failures, expected in ((False, [0, 0, 0, 5]), (True, [0, 5])):
        bucket = Bucket(f"{keeps_failures} {account.id}", 3, 60, keeps_failures=keeps_failures)
        await _attempts(account, 3, bucket)
        await _advance(account, MINUTE_MS)
        async with account.ctx.db.writing() as tx:
            await throttling.record_success(tx, [bucket])
        assert await _attempts(account, len(expected), bucket) == expected


async def test_concurrent_attempts_do_not_bypass_the_limit(account: Account) -> None:
    bucket, other = _bucket(account), Bucket(f"other {account.id}", 3, 60)
    waits = await asyncio.gather(*(_attempt(account, *pair) for pair in [(bucket, other), (other, bucket)] * 8))
    assert sum(wait == 0 for wait in waits) == 3


async def test_failures_no_longer_count_after_a_day(account: Account) -> None:
    bucket = _bucket(account)
    await _attempts(account, 3, bucket)
    await _advance(account, throttling.RESET_AFTER_MS + 1)
    assert await _attempts(account, 4, bucket) == [0, 0, 0, 5]
    await _advance(account, throttling.RESET_AFTER_MS + 1)
    await throttling.delete_expired(account.ctx.db, account.ctx.clock.now())
    async with account.ctx.db.reading() as tx:
        assert await tx.fetch_one("SELECT 1 FROM throttles WHERE bucket = $1", bucket.key) is None


async def test_a_clock_that_was_ahead_does_not_lock_users_out(account: Account) -> None:
    bucket = _bucket(account)
    await _attempts(account, 3, bucket)
    await _advance(account, -365 * throttling.RESET_AFTER_MS)
    assert await _attempt(account, bucket) == 60


async def test_an_attacker_is_throttled_and_the_owner_is_not(account: Account) -> None:
    email = f"{account.id}@example.org"
    attacker = throttling.sign_in_buckets(email, "198.51.100.7", "")
    assert (await _attempts(account, 6, *attacker))[-1] > 0
    assert await _attempt(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) == 0


async def test_attempts_from_many_networks_do_not_lock_out_a_known_browser(account: Account) -> None:
    email = f"{account.id}@example.org"
    for number in range(60):
        await _attempt(account, *throttling.sign_in_buckets(email, f"198.51.100.{number}", ""))
    assert await _attempt(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) > 0
    assert await _attempt(account, *throttling.sign_in_buckets(email, "203.0.113.9", "known")) == 0
    # From another browser, the wait is bearable.
    await _advance(account, 300_000)
    assert await _attempt(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) == 0


async def test_one_network_cannot_try_a_password_with_many_users(account: Account) -> None:
    waits = [
        await _attempt(account, *throttling.sign_in_buckets(f"{number}.{account.id}@example.org", "198.51.100.99", ""))
        for number in range(31)
    ]
    assert [wait > 0 for wait in waits] == [False] * 30 + [True]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_addresses_of_a_network_are_counted_together(address: str, network: str) -> None:
    assert to_network(address) == network


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", ""])
def test_a_local_proxy_is_not_counted_as_a_network(address: str) -> None:
    assert not any(
        bucket.name.startswith("place") for bucket in throttling.sign_in_buckets("a@example.org", address, "")
    )
    assert throttling.reset_request_buckets(address) == []
