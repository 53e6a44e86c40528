"""Coalesces concurrent PostgreSQL lookups by key into shared round trips.

A round trip costs the driver and the server several times what finding the row does. While a few are under way, new
lookups wait for the first of them to return and then go together. A lookup never uses a round trip that
began before it, so it sees everything committed before it was made.
"""

import asyncio
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from time import perf_counter

from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import DatabaseBusy, Row
from formwright.core.db.postgres_connection import Statements, record_statement

MAX_ROUND_TRIPS = 2
"""Concurrent round trips before further lookups wait."""
MAX_BATCH = 64
"""Lookups per round trip, at most."""
_SLOW_S = 0.5
"""A round trip that takes longer may hang, so it no longer counts towards `MAX_ROUND_TRIPS`."""

_Waiter = tuple[tuple[object, ...], "asyncio.Future[Row | None]"]


@dataclass(slots=True, eq=False)
class _RoundTrip:
    since: float


class ReadCoalescer:
    """Fetches single rows; concurrent lookups share round trips."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self._round_trips: set[_RoundTrip] = set()
        self._waiting: dict[str, list[_Waiter]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def fetch_one(self, sql: str, args: tuple[object, ...]) -> Row | None:
        """Return the first row of a statement, or None."""
        start = perf_counter()
        if sum(start - trip.since < _SLOW_S for trip in self._round_trips) >= MAX_ROUND_TRIPS:
            return await self._wait(sql, args, start)
        trip = _RoundTrip(start)
        self._round_trips.add(trip)
        try:
            return await self._fetch_single(sql, args)
        finally:
            self._start_next(trip)

    async def _wait(self, sql: str, args: tuple[object, ...], start: float) -> Row | None:
        future: asyncio.Future[Row | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(sql, []).append((args, future))
        try:
            return await future
        finally:
            record_statement(start)

    async def _fetch_single(self, sql: str, args: Sequence[object]) -> Row | None:
        async with self._pool.acquire() as connection:
            return await Statements(connection, pooled=False).fetch_one(sql, *args)

    def _start_next(self, trip: _RoundTrip) -> None:
        """Reuse a finished round trip's slot for the lookups that have waited longest."""
        sql = next(iter(self._waiting), None)
        if sql is None:
            self._round_trips.discard(trip)
            return
        waiters = self._waiting.pop(sql)
        if len(waiters) > MAX_BATCH:
            self._waiting[sql] = waiters[MAX_BATCH:]
        trip.since = perf_counter()
        # A fresh context: the time must not be charged to the request that happens to end now.
        task = asyncio.get_running_loop().create_task(
            self._run_batch(trip, sql, waiters[:MAX_BATCH]), context=Context()
        )
        # The event loop keeps weak references to tasks only.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_batch(self, trip: _RoundTrip, sql: str, waiters: Sequence[_Waiter]) -> None:
        try:
            await self._resolve(sql, waiters)
        finally:
            for _, future in waiters:
                # Has no effect unless this task was cancelled. Then its lookups would otherwise wait forever.
                future.cancel()
            self._start_next(trip)

    async def _resolve(self, sql: str, waiters: Sequence[_Waiter]) -> None:
        """Resolve each waiter with its row or the error."""
        try:
            found = await self._fetch_all(sql, [args for args, _ in waiters])
        except DatabaseBusy as error:
            _fail_waiters(waiters, error)
        except Exception as error:  # noqa: BLE001 - the waiters need an answer, whatever the error
            # One lookup may have caused the error: run each by itself.
            if len(waiters) == 1:
                _fail_waiters(waiters, error)
            else:
                for one in waiters:
                    await self._resolve(sql, [one])
        else:
            for (_, future), row in zip(waiters, found, strict=True):
                if not future.done():
                    future.set_result(row)

    async def _fetch_all(self, sql: str, rows: Sequence[tuple[object, ...]]) -> Sequence[Row | None]:
        if len(rows) == 1:
            return [await self._fetch_single(sql, rows[0])]
        async with self._pool.acquire() as connection:
            found = await Statements(connection, pooled=False).fetch_batch(sql, rows)
        return [one[0] if one else None for one in found]


def _fail_waiters(waiters: Sequence[_Waiter], error: Exception) -> None:
    for _, future in waiters:
        if not future.done():
            future.set_exception(error)
