"""The rate limits of keys."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
from actors import Account, Stage
from fixtures.app_contexts import SetClock, open_migrated_context

from formwright.app import create_app
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.domain.api_keys.rate_limits import UNKNOWN_PER_MINUTE, RateLimiter
from formwright.domain.users.password_hashing import PasswordVerifier

LIMIT = 40
CUSTOMERS = "/api/v1.0/customers"


@asynccontextmanager
async def limited(stage: Stage, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client with this key of an application with a rate limit, on the same database."""
    entrance = create_app(replace(stage.ctx.settings, rate_limit=LIMIT), passwords=PasswordVerifier(cheap=True))
    there = Stage(entrance, stage.ctx, stage.base_url)
    async with entrance.app.lifespan(), there.client(**{"x-api-key": key}) as api:
        yield api


async def test_a_key_has_a_rate_limit_and_sees_what_remains(account: Account) -> None:
    async with limited(account.stage, account.key) as api:
        first = await api.get(CUSTOMERS)
        assert first.headers["ratelimit-policy"] == f'"key";q={LIMIT};w=60'
        assert first.headers["ratelimit"] == f'"key";r={LIMIT - 1};t=2'
        answers = [await api.get(CUSTOMERS) for _ in range(2 * LIMIT)]
        served = [response for response in answers if response.status_code == 200]
        assert LIMIT - 1 <= len(served) <= LIMIT + 5, "a little is filled while it is emptied"
        refused = next(response for response in answers if response.status_code == 429)
        assert (refused.json()["code"], refused.headers["retry-after"]) == ("rate.exceeded", "2")
        assert re.fullmatch(r'"key";r=0;t=60', refused.headers["ratelimit"])
        assert refused.headers["content-type"] == "application/problem+json"
    assert (await account.api.get(CUSTOMERS)).status_code == 200, "where no limit is set there is none"


async def test_all_processes_share_one_bucket(account: Account) -> None:
    ctx, clock = account.ctx, SetClock(account.ctx.clock.now())
    async with (
        open_migrated_context(ctx.settings, clock=clock) as one,
        open_migrated_context(ctx.settings, clock=clock) as other,
    ):
        counts = await asyncio.gather(*(_served(RateLimiter(LIMIT), context, account) for context in (one, other)))
        assert sum(counts) == LIMIT
        clock.ms += 30_000
        assert await _served(RateLimiter(LIMIT), one, account) == LIMIT // 2
        clock.ms -= 3_600_000
        assert await _served(RateLimiter(LIMIT), one, account) == 0, "a clock that is set back fills nothing"
        clock.ms += 7_200_000
        assert await _served(RateLimiter(LIMIT), other, account) == LIMIT, "it never holds more than a minute's"


async def test_a_request_that_refills_is_served_despite_concurrent_requests(account: Account) -> None:
    rates, actor = RateLimiter(LIMIT), actors.key("key_1", account.id)
    drawing = asyncio.create_task(rates.refill(account.ctx.db, actor, LIMIT))
    while not drawing.done():
        rates.consume(actor, LIMIT)
        await asyncio.sleep(0)
    assert drawing.result().wait_s == 0


async def _served(rates: RateLimiter, ctx: AppContext, account: Account) -> int:
    async def ask(actor: Actor) -> bool:
        return rates.consume(actor, LIMIT) is not None or not (await rates.refill(ctx.db, actor, LIMIT)).wait_s

    actor = actors.key("key_1", account.id)
    return sum(await asyncio.gather(*(ask(actor) for _ in range(2 * LIMIT))))


async def test_guessing_keys_is_throttled_without_affecting_others(account: Account) -> None:
    async with limited(account.stage, "fwk_guessed") as guesser:
        codes: list[str] = []
        while "rate.unknown_keys" not in codes:
            assert len(codes) <= 2 * UNKNOWN_PER_MINUTE, "even if keys are allowed again in the meantime"
            codes.append((await guesser.get(CUSTOMERS)).json()["code"])
        assert codes == ["key.unknown"] * (len(codes) - 1) + ["rate.unknown_keys"]
        assert len(codes) > UNKNOWN_PER_MINUTE
        assert (await guesser.get(CUSTOMERS, headers={"x-api-key": account.key})).status_code == 200


def test_throttling_of_unknown_keys_ends_after_a_minute() -> None:
    unknown = RateLimiter(0).unknown
    assert [unknown.take("a", 0) for _ in range(UNKNOWN_PER_MINUTE + 1)][-2:] == [0, 1]
    assert not unknown.take("b", 0)
    assert not unknown.take("a", 60_000)
