"""Finds accounts with due work of a kind, and does the work of each account separately.

The accounts come from the table `due_work`, so an idle worker runs one short statement per kind and poll. Each account
has its own transactions: if the data of one cannot be reached, that account is paused, and the others continue.
"""

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from time import monotonic
from typing import Any

import structlog

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.node_limits import account_of_work
from formwright.core.errors import Unavailable
from formwright.core.work_kinds import WorkKind

AT_ONCE = 8
"""Accounts that are worked on at the same time. Those that take longer than `_SLOW_S` do not count, because the machine
with their data may hang."""
# Slow accounts do not count towards `AT_ONCE`, but each may hold a connection, so there is a limit for them, too.
_MAX_SLOW = 32
_SLOW_S = 2.0
_LEAST_SHARES = 4
_STOP_TIMEOUT_S = 5.0
_FIRST_PAUSE_S, _MAX_PAUSE_S = 1.0, 60.0

Work = Callable[[str, int], Awaitable[bool]]
"""Does due work of an account, given its id and its share of the capacity, and settles its row in `due_work`. Returns
whether it did anything: then there may be more to do."""

log = structlog.get_logger()


class Pauses:
    """Accounts whose work failed. They are retried one at a time, after a pause that doubles with each failure."""

    def __init__(self, kind: WorkKind, clock: Callable[[], float] = monotonic) -> None:
        self._kind, self._clock = kind, clock
        self._paused: dict[str, tuple[float, float]] = {}
        """The length of the pause in seconds, and its end, by account."""

    def __len__(self) -> int:
        return len(self._paused)

    def __contains__(self, customer_id: str) -> bool:
        return customer_id in self._paused

    def is_over(self, customer_id: str) -> bool:
        """Return whether the account may be retried."""
        return self._paused[customer_id][1] <= self._clock()

    def start(self, customer_id: str, error: BaseException) -> None:
        """Pause the account. Only the first failure is logged."""
        last = self._paused.get(customer_id)
        length = min(2 * last[0], _MAX_PAUSE_S) if last else _FIRST_PAUSE_S
        self._paused[customer_id] = length, self._clock() + length
        if last is None and isinstance(error, Unavailable):
            log.warning("work paused: database unavailable", kind=self._kind, customer=customer_id, detail=str(error))
        elif last is None:
            log.error("work failed and is paused", kind=self._kind, customer=customer_id, exc_info=error)

    def end(self, customer_id: str) -> None:
        """Record that the account's work succeeded. If it was paused, the other accounts may be retried, too."""
        if self._paused.pop(customer_id, None):
            log.info("work continues", kind=self._kind, customer=customer_id)
            self._paused = {one: (length, self._clock()) for one, (length, _) in self._paused.items()}


class DueWorkLoop:
    """A worker loop for one kind of work. Any number of them may run on the same database, in any number of processes.

    `capacity` returns how much work can be started now, apart from the accounts that are being worked on. It is
    divided among the accounts with due work.
    """

    def __init__(
        self,
        ctx: AppContext,
        kind: WorkKind,
        work: Work,
        *,
        poll_interval_s: float,
        capacity: Callable[[], int] = lambda: AT_ONCE,
    ) -> None:
        self._ctx, self._kind, self._work, self._capacity = ctx, kind, work, capacity
        self._poll_interval_s = poll_interval_s
        self._wake = asyncio.Event()
        self._running: dict[str, tuple[float, int]] = {}
        """When the work of an account began (monotonic seconds), and its share of the capacity."""
        self._tasks: set[asyncio.Task[bool]] = set()
        self._requested: set[str] = set()
        self._skipped: set[str] = set()
        """Accounts that had due work while a task was working on them."""
        self._pauses = Pauses(kind)
        self._is_available = True

    def wake(self) -> None:
        """Check for due work now."""
        self._wake.set()

    def request(self, customer_id: str) -> None:
        """Work on this account as soon as possible, even if it has no due row."""
        self._requested.add(customer_id)
        self._wake.set()

    async def run(self) -> None:
        """Run until cancelled. Work that has begun then gets five seconds to finish."""
        try:
            while True:
                # Before the search: work that is created during it sets the event again, and is not missed.
                self._wake.clear()
                await self._start_due()
                await self._wait()
        finally:
            await self._stop()

    async def run_batch(self) -> int:
        """Work once on each of a batch of due accounts, and return on how many there was anything to do."""
        return sum(await asyncio.gather(*await self._start_due()))

    async def _stop(self) -> None:
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=_STOP_TIMEOUT_S)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(self._poll_interval_s):
                await self._wake.wait()
        except TimeoutError:
            pass

    async def _start_due(self) -> list[asyncio.Task[bool]]:
        try:
            accounts, capacity = await self._choose()
        except Unavailable as error:
            if self._is_available:
                log.warning("work delayed: database unavailable", kind=self._kind, detail=str(error))
            self._is_available = False
            return []
        except Exception:
            log.exception("work loop failed and continues", kind=self._kind)
            return []
        self._is_available = True
        # One account does not get everything, because the next one may have work before its share is used.
        share = max(1, capacity // max(_LEAST_SHARES, len(accounts))) if capacity > 0 else 0
        return [self._start(customer_id, share) for customer_id in accounts]

    async def _choose(self) -> tuple[list[str], int]:
        """Return the accounts to work on now, and the capacity to divide among them."""
        fast = [share for began, share in self._running.values() if began > monotonic() - _SLOW_S]
        limit = min(AT_ONCE - len(fast), _MAX_SLOW - len(self._running))
        capacity = self._capacity() - sum(fast)
        if limit <= 0:
            return [], capacity
        found = await self._list_due(min(limit, capacity)) if capacity > 0 else []
        self._skipped |= self._running.keys() & found
        candidates = [one for one in dict.fromkeys([*found, *self._requested]) if one not in self._running]
        accounts = self._without_paused(candidates)
        # Requested accounts may have results to save, which takes no capacity, so they are worked on even without any.
        claiming = [one for one in accounts if one not in self._requested][: max(0, capacity)]
        accounts = [*claiming, *(one for one in accounts if one in self._requested)]
        # In random order, because there may be more of one sort than can be started.
        random.shuffle(accounts)
        self._requested.difference_update(accounts[:limit])
        return accounts[:limit], capacity

    async def _list_due(self, limit: int) -> list[str]:
        # Accounts that are running or paused may come first.
        limit += len(self._running) + len(self._pauses)
        async with self._ctx.db.reading() as tx:
            return await due_work.list_due(tx, self._kind, self._ctx.clock.now(), limit)

    def _without_paused(self, customer_ids: Iterable[str]) -> list[str]:
        """Return the accounts that are not paused, and the first one that may be retried unless another one is."""
        chosen, is_retrying = [], any(one in self._pauses for one in self._running)
        for customer_id in customer_ids:
            if customer_id not in self._pauses:
                chosen.append(customer_id)
            elif not is_retrying and self._pauses.is_over(customer_id):
                chosen.append(customer_id)
                is_retrying = True
        return chosen

    def _start(self, customer_id: str, share: int) -> asyncio.Task[bool]:
        self._running[customer_id] = monotonic(), share
        task = asyncio.create_task(self._run(customer_id, share))
        # The event loop has only a weak reference to a task.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, customer_id: str, share: int) -> bool:
        account_of_work.set(customer_id)
        is_retry, did_something = customer_id in self._pauses, False
        try:
            did_something = await self._work(customer_id, share)
        except Exception as error:  # noqa: BLE001 - the work of an account must not stop the loop
            self._pauses.start(customer_id, error)
            # Even without a due row, because results of its work may still have to be saved.
            self._requested.add(customer_id)
        else:
            self._pauses.end(customer_id)
        finally:
            del self._running[customer_id]
        if did_something or is_retry or customer_id in self._skipped or self._requested:
            self._wake.set()
        self._skipped.discard(customer_id)
        return did_something


class DueWorker(ABC):
    """Base class of the workers. Any number of them may run on the same database, in any number of processes."""

    def __init__(
        self, ctx: AppContext, kind: WorkKind, *, poll_interval_s: float, capacity: Callable[[], int] = lambda: AT_ONCE
    ) -> None:
        self._ctx = ctx
        self._loop = DueWorkLoop(ctx, kind, self._work, poll_interval_s=poll_interval_s, capacity=capacity)

    def wake(self) -> None:
        """Check for due work now, because a transaction created some."""
        self._loop.wake()

    async def run(self) -> None:
        """Run until cancelled. Another worker continues unfinished work when its lease ends."""
        await self._loop.run()

    async def run_batch(self) -> int:
        """Work once on each of a batch of due accounts, and return on how many there was anything to do."""
        return await self._loop.run_batch()

    @abstractmethod
    async def _work(self, customer_id: str, share: int) -> bool:
        """Do due work of an account; see `Work`."""


class TaskWorker(DueWorker):
    """Base class of workers that start a task for each piece of work, at most `at_once` of them at the same time.

    With `fill_at_once`, a task that ends makes the worker look for work right away.
    """

    def __init__(
        self, ctx: AppContext, kind: WorkKind, at_once: int, *, poll_interval_s: float, fill_at_once: bool = False
    ) -> None:
        super().__init__(ctx, kind, poll_interval_s=poll_interval_s, capacity=lambda: at_once - len(self._running))
        self._running: set[asyncio.Task[None]] = set()
        self._fill_at_once = fill_at_once

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if self._fill_at_once:
            self.wake()

    async def run(self) -> None:
        """Run until cancelled, and then end the running tasks."""
        try:
            await super().run()
        finally:
            await self._end_tasks()

    async def _end_tasks(self) -> None:
        """Cancel the tasks. Another worker repeats their work when its lease ends."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
