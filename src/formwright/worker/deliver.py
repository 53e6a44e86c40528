"""Delivers events to subscribers: claim, post, write down what came of it.

Claiming and writing down are short transactions; no transaction is open while the network is waited for. A write that
fails is done again, and nothing is posted again for it.
"""

import asyncio
from collections.abc import Sequence

import structlog

from formwright.core.kernel.errors import Unavailable
from formwright.core.storage.database import Writing
from formwright.domain.webhooks import ailing, claims, finishing
from formwright.domain.webhooks.finishing import Finished
from formwright.domain.webhooks.model import Delivery
from formwright.domain.webhooks.patience import USUAL, Patience
from formwright.domain.webhooks.schedule import Verdict
from formwright.house import House
from formwright.worker.post import Result, post
from formwright.worker.warn import warn

AT_ONCE = 200
_BUSY_S, _IDLE_S, _BROKEN_S = 0.05, 0.5, 1.0

log = structlog.get_logger()


class Deliverer:
    """One loop. Any number of them, in any number of processes, may run on the same database."""

    def __init__(self, house: House, patience: Patience = USUAL) -> None:
        self._house = house
        self._patience = patience
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
            await self._write_alone()
            return _BROKEN_S
        for delivery in taken:
            task = asyncio.create_task(self._deliver(delivery))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return _BUSY_S if self._under_way or self._results else _IDLE_S

    async def _claim_and_write(self) -> list[Delivery]:
        await self._write_gone()
        results, places = list(self._results), AT_ONCE - len(self._under_way)
        if not results and not await self._anything_due():
            return []
        async with self._house.db.writing() as tx:
            await self._write(tx, results)
            now = self._house.clock.now()
            taken = await claims.claim(tx, now, places, self._patience) if places > 0 else []
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
        result = await post(self._house, delivery, self._patience.try_s)
        self._house.meter.delivery(result.attempt.outcome, result.attempt.duration / 1000)
        self._results.append(result)
        self._wake.set()

    async def _write(self, tx: Writing, results: Sequence[Result]) -> None:
        now = self._house.clock.now()
        await finishing.write(tx, [self._finished(result, now) for result in results], now, self._patience.hold_ms)

    async def _write_gone(self) -> None:
        """Write down each 410 by itself: it takes the account's order, which the batch must not hold."""
        for result in [one for one in self._results if one.verdict is Verdict.GONE]:
            account, subscriber, url = result.delivery.customer_id, result.delivery.subscriber_id, result.delivery.url
            async with self._house.db.writing() as tx:
                if await ailing.has_moved(tx, account, subscriber, url):
                    result.verdict = Verdict.RETRY
                elif event := await ailing.gone(tx, account, subscriber):
                    await warn(tx, self._house, event)
                await self._write(tx, [result])
            self._results.remove(result)

    async def _write_alone(self) -> None:
        """After a batch failed in a way that nobody foresaw: each by itself, so that one does not hold up the rest.

        What cannot be written down then ends with its lease, and counts as interrupted.
        """
        for result in list(self._results):
            try:
                async with self._house.db.writing() as tx:
                    await self._write(tx, [result])
            except Unavailable:
                return
            except Exception:
                log.exception("what came of a delivery cannot be written down", delivery=result.delivery.id)
            self._results.remove(result)

    def _finished(self, result: Result, now: int) -> Finished:
        one, due = result.delivery, None
        if result.verdict is Verdict.RETRY:
            steps = self._patience.schedule_s
            due = finishing.due_again(one.sequence, one.tries - one.base, now, steps, result.retry_after_s)
        return Finished(one, result.attempt, result.verdict is Verdict.SUCCESS, due)

    async def _finish_all(self) -> None:
        if self._under_way:
            await asyncio.wait(self._under_way)
        await self._write_gone()
        async with self._house.db.writing() as tx:
            await self._write(tx, self._results)
