"""Guessing is slowed, for all processes together, and the owner is not locked out."""

import asyncio

import pytest
from actors import Account

from formwright.domain.users.auth import throttling
from formwright.domain.users.auth.models import TooManyAttempts
from formwright.domain.users.auth.throttling import Bucket

MINUTE_MS = 60_000


async def _try(account: Account, *buckets: Bucket) -> int:
    """Count a try; answers the seconds to wait, 0 when it counted."""
    try:
        async with account.ctx.db.writing() as tx:
            await throttling.count_attempt(tx, buckets)
    except TooManyAttempts as error:
        return error.wait_s
    return 0


async def _after(account: Account, ms: int) -> None:
    """So much time has passed."""
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE throttles SET last = last - $1, until = until - $1", ms)


async def _tries(account: Account, count: int, *buckets: Bucket) -> list[int]:
    return [await _try(account, *buckets) for _ in range(count)]


def _own(account: Account, **how: object) -> Bucket:
    return Bucket(f"test {account.id}", **({"free_attempts": 3, "max_wait_s": 60} | how))  # type: ignore[arg-type]


async def test_after_some_failures_each_try_waits_longer(account: Account) -> None:
    bucket = _own(account)
    assert await _tries(account, 4, bucket) == [0, 0, 0, 5]
    waits = []
    for _ in range(5):
        await _after(account, MINUTE_MS)
        assert await _try(account, bucket) == 0
        waits.append(await _try(account, bucket))
    assert waits == [10, 20, 40, 60, 60]


async def test_a_try_that_came_too_early_does_not_make_it_worse(account: Account) -> None:
    bucket = _own(account)
    await _tries(account, 3, bucket)
    assert set(await _tries(account, 20, bucket)) == {5}
    await _after(account, 5000)
    assert await _tries(account, 2, bucket) == [0, 10]


async def test_a_success_begins_anew_and_a_kept_one_takes_back_its_own_try_only(account: Account) -> None:
    for kept, expected in ((False, [0, 0, 0, 5]), (True, [0, 5])):
        bucket = Bucket(f"{kept} {account.id}", 3, 60, keeps_failures=kept)
        await _tries(account, 3, bucket)
        await _after(account, MINUTE_MS)
        async with account.ctx.db.writing() as tx:
            await throttling.record_success(tx, [bucket])
        assert await _tries(account, len(expected), bucket) == expected


async def test_many_at_once_are_no_more_than_many_in_turn(account: Account) -> None:
    bucket, other = _own(account), Bucket(f"other {account.id}", 3, 60)
    waits = await asyncio.gather(*(_try(account, *pair) for pair in [(bucket, other), (other, bucket)] * 8))
    assert sum(wait == 0 for wait in waits) == 3


async def test_after_a_day_all_is_forgotten(account: Account) -> None:
    bucket = _own(account)
    await _tries(account, 3, bucket)
    await _after(account, throttling.RESET_AFTER_MS + 1)
    assert await _tries(account, 4, bucket) == [0, 0, 0, 5]
    await _after(account, throttling.RESET_AFTER_MS + 1)
    await throttling.delete_expired(account.ctx.db, account.ctx.clock.now())
    async with account.ctx.db.reading() as tx:
        assert await tx.fetch_one("SELECT 1 FROM throttles WHERE bucket = $1", bucket.key) is None


async def test_a_clock_that_was_ahead_locks_nobody_out_for_long(account: Account) -> None:
    bucket = _own(account)
    await _tries(account, 3, bucket)
    await _after(account, -365 * throttling.RESET_AFTER_MS)
    assert await _try(account, bucket) == 60


async def test_one_who_tries_wildly_holds_up_herself_and_not_the_owner(account: Account) -> None:
    email = f"{account.id}@example.org"
    attacker = throttling.sign_in_buckets(email, "198.51.100.7", "")
    assert (await _tries(account, 6, *attacker))[-1] > 0
    assert await _try(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) == 0


async def test_many_places_together_do_not_lock_out_a_browser_that_she_knows(account: Account) -> None:
    email = f"{account.id}@example.org"
    for number in range(60):
        await _try(account, *throttling.sign_in_buckets(email, f"198.51.100.{number}", ""))
    assert await _try(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) > 0
    assert await _try(account, *throttling.sign_in_buckets(email, "203.0.113.9", "known")) == 0
    # And from elsewhere the wait is short enough to be waited for.
    await _after(account, 300_000)
    assert await _try(account, *throttling.sign_in_buckets(email, "203.0.113.9", "")) == 0


async def test_one_place_cannot_try_one_password_on_all(account: Account) -> None:
    waits = [
        await _try(account, *throttling.sign_in_buckets(f"{number}.{account.id}@example.org", "198.51.100.99", ""))
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
def test_an_address_counts_with_its_network(address: str, network: str) -> None:
    assert throttling.network_of(address) == network


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", ""])
def test_a_proxy_on_this_machine_is_no_place(address: str) -> None:
    assert not any(
        bucket.name.startswith("place") for bucket in throttling.sign_in_buckets("a@example.org", address, "")
    )
    assert throttling.reset_request_buckets(address) == []
