"""Rows of PostgreSQL that are asked for by their key: those who ask at the same time share a way to the server.

A way there and back costs the driver and the server several times what finding the row does. While a few are under
way, who comes waits for the first of them to be back, and goes with all who came meanwhile. Nobody is answered by a
way that began before the question came: what was committed by then is seen.
"""

import asyncio
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass
from time import perf_counter

from formwright.core import db_timing
from formwright.core.db.connection_pool import ConnectionPool
from formwright.core.db.interface import DatabaseBusy, Row
from formwright.core.db.postgres_connection import Statements

WAYS = 2
"""So many are under way before others wait for them."""
MOST = 64
"""So many go at once, at most."""
_SLOW_S = 0.5
"""Who waits for one that takes longer waits in vain, perhaps: it is counted no more."""

_Asked = tuple[tuple[object, ...], "asyncio.Future[Row | None]"]


@dataclass(slots=True, eq=False)
class _RoundTrip:
    since: float


class ReadCoalescer:
    """Asks for one row each."""

    def __init__(self, lender: ConnectionPool) -> None:
        self._lender = lender
        self._ways: set[_RoundTrip] = set()
        self._waiting: dict[str, list[_Asked]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def fetch_one(self, sql: str, args: tuple[object, ...]) -> Row | None:
        """The first row of this statement."""
        start = perf_counter()
        if sum(start - way.since < _SLOW_S for way in self._ways) >= WAYS:
            return await self._wait(sql, args, start)
        way = _RoundTrip(start)
        self._ways.add(way)
        try:
            return await self._alone(sql, args)
        finally:
            self._go_on(way)

    async def _wait(self, sql: str, args: tuple[object, ...], start: float) -> Row | None:
        place: asyncio.Future[Row | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(sql, []).append((args, place))
        try:
            return await place
        finally:
            db_timing.statement(perf_counter() - start)

    async def _alone(self, sql: str, args: Sequence[object]) -> Row | None:
        async with self._lender.lend() as connection:
            return await Statements(connection, pooled=False).fetch_one(sql, *args)

    def _go_on(self, way: _RoundTrip) -> None:
        """This way is free: those who waited longest go."""
        sql = next(iter(self._waiting), None)
        if sql is None:
            self._ways.discard(way)
            return
        asked = self._waiting.pop(sql)
        if len(asked) > MOST:
            self._waiting[sql] = asked[MOST:]
        way.since = perf_counter()
        # What it costs is no part of the request that happens to be over now.
        task = asyncio.get_running_loop().create_task(self._go(way, sql, asked[:MOST]), context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _go(self, way: _RoundTrip, sql: str, asked: Sequence[_Asked]) -> None:
        try:
            await self._answer(sql, asked)
        finally:
            for _, place in asked:
                place.cancel()
            self._go_on(way)

    async def _answer(self, sql: str, asked: Sequence[_Asked]) -> None:
        """Each has a row, or the error."""
        try:
            found = await self._all(sql, [args for args, _ in asked])
        except DatabaseBusy as error:
            _refuse(asked, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, they wait for it
            # Of several, one may be to blame.
            if len(asked) == 1:
                _refuse(asked, error)
            else:
                for one in asked:
                    await self._answer(sql, [one])
        else:
            for (_, place), row in zip(asked, found, strict=True):
                if not place.done():
                    place.set_result(row)

    async def _all(self, sql: str, rows: Sequence[tuple[object, ...]]) -> Sequence[Row | None]:
        if len(rows) == 1:
            return [await self._alone(sql, rows[0])]
        async with self._lender.lend() as connection:
            found = await Statements(connection, pooled=False).fetch_batch(sql, rows)
        return [one[0] if one else None for one in found]


def _refuse(asked: Sequence[_Asked], error: Exception) -> None:
    for _, place in asked:
        if not place.done():
            place.set_exception(error)
