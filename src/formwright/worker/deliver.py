"""Delivers events to subscribers: claim, post, write down what came of it.

Claiming and writing down are short transactions; no transaction is open while the network is waited for.
"""

import asyncio
import random
from collections.abc import Sequence

import structlog
from cryptography.fernet import InvalidToken

from formwright.core.kernel.errors import Unavailable
from formwright.core.outbound.http import Answer, PostFailed
from formwright.core.storage.database import Writing
from formwright.domain.webhooks import claims, signing
from formwright.domain.webhooks.model import Attempt, Delivery, InvocationStatus
from formwright.domain.webhooks.schedule import (
    HONOURS_RETRY_AFTER,
    SCHEDULE_S,
    Verdict,
    next_due,
    parse_retry_after,
    verdict,
)
from formwright.house import House

AT_ONCE = 200
_BUSY_S, _IDLE_S, _BROKEN_S = 0.05, 0.5, 1.0
_KEPT_ANSWER = 2048

log = structlog.get_logger()


class Result:
    """What came of a delivery: its try, how the answer is to be taken, and when it may be tried again."""

    def __init__(
        self, delivery: Delivery, attempt: Attempt, verdict_: Verdict, retry_after_s: int | None = None
    ) -> None:
        self.delivery, self.attempt, self.verdict, self.retry_after_s = delivery, attempt, verdict_, retry_after_s


class Deliverer:
    """One loop. Any number of them, in any number of processes, may run on the same database."""

    def __init__(self, house: House, schedule_s: Sequence[float] = SCHEDULE_S) -> None:
        self._house = house
        self._schedule_s = schedule_s
        self._wake = asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()
        self._results: list[Result] = []

    def wake(self) -> None:
        """Something was committed: look at once."""
        self._wake.set()

    async def run(self) -> None:
        """Deliver until cancelled. What is under way then is finished first."""
        try:
            while True:
                await self._wait(await self._round())
        finally:
            await self._finish_all()

    async def _round(self) -> float:
        """Write down what came back, take what is due; answers how long to rest."""
        try:
            taken = await self._claim_and_write()
        except Unavailable as error:
            log.warning("deliveries wait for the database", detail=str(error))
            return _BROKEN_S
        except Exception:
            log.exception("the delivery loop failed and goes on")
            return _BROKEN_S
        for delivery in taken:
            task = asyncio.create_task(self._deliver(delivery))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return _BUSY_S if self._under_way or self._results else _IDLE_S

    async def _claim_and_write(self) -> list[Delivery]:
        results, places = list(self._results), AT_ONCE - len(self._under_way)
        if not results and not await self._anything_due():
            return []
        async with self._house.db.writing() as tx:
            for result in results:
                await self._write(tx, result)
            taken = await claims.claim(tx, self._house.clock.now(), places) if places > 0 else []
        # Only now: had the transaction failed, what came back would still be here for the next one.
        del self._results[: len(results)]
        return taken

    async def _anything_due(self) -> bool:
        async with self._house.db.reading() as tx:
            return await claims.anything_due(tx, self._house.clock.now())

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._wake.clear()

    async def _deliver(self, delivery: Delivery) -> None:
        result = await self._post(delivery)
        self._results.append(result)
        self._wake.set()

    async def _post(self, delivery: Delivery) -> Result:
        started = self._house.clock.now()
        try:
            answer = await self._send(delivery, started)
        except PostFailed as error:
            attempt = Attempt(delivery.tries, started, error.duration_ms, error.kind, error=str(error))
            return Result(delivery, attempt, Verdict.RETRY)
        except InvalidToken:
            words = "The secret cannot be read: FORMWRIGHT_SECRET_KEY is not the one with which it was stored."
            return Result(delivery, Attempt(delivery.tries, started, 0, "secret", error=words), Verdict.RETRY)
        except Exception as error:
            # No delivery may stop the loop; what nobody foresaw is a try like another.
            log.exception("a delivery failed in an unknown way", delivery=delivery.id)
            attempt = Attempt(delivery.tries, started, 0, "failed", error=type(error).__name__)
            return Result(delivery, attempt, Verdict.RETRY)
        return _judged(delivery, started, answer)

    async def _send(self, delivery: Delivery, started: int) -> Answer:
        body = delivery.body.encode()
        headers = signing.headers(
            [self._house.seal.open(delivery.secret)],
            message_id=delivery.event_id,
            timestamp=started // 1000,
            body=body,
        )
        return await self._house.outbound.post(delivery.url, headers=headers, body=body)

    async def _write(self, tx: Writing, result: Result) -> None:
        delivery, now = result.delivery, self._house.clock.now()
        if result.verdict is Verdict.SUCCESS:
            return await claims.end(tx, delivery, result.attempt, InvocationStatus.SUCCEEDED, now)
        if result.verdict is Verdict.GONE:
            await claims.disable(tx, delivery, "The receiver answered 410 Gone.", now)
            return await claims.end(tx, delivery, result.attempt, InvocationStatus.FAILED, now)
        due = (
            None
            if delivery.is_test
            else next_due(
                delivery.tries - delivery.base,
                now_ms=now,
                schedule_s=self._schedule_s,
                jitter=random.random,
                retry_after_s=result.retry_after_s,
            )
        )
        if due is None:
            return await claims.end(tx, delivery, result.attempt, InvocationStatus.FAILED, now)
        return await claims.put_back(tx, delivery, result.attempt, due)

    async def _finish_all(self) -> None:
        if self._under_way:
            await asyncio.wait(self._under_way)
        async with self._house.db.writing() as tx:
            for result in self._results:
                await self._write(tx, result)


def _judged(delivery: Delivery, started: int, answer: Answer) -> Result:
    taken = verdict(answer.status)
    text = answer.body[:_KEPT_ANSWER].decode(errors="replace").replace("\0", "\ufffd")
    attempt = Attempt(
        delivery.tries,
        started,
        answer.duration_ms,
        "success" if taken is Verdict.SUCCESS else "refused",
        status_code=answer.status,
        answer=text,
    )
    asked = answer.headers.get("retry-after") if answer.status in HONOURS_RETRY_AFTER else None
    return Result(delivery, attempt, taken, parse_retry_after(asked, started / 1000))
