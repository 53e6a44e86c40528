"""What writers see of a transaction that they share, on PostgreSQL: each as much as if it stood there alone."""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, takewhile
from typing import Any

from formwright.core.kernel.clock import Clock
from formwright.core.kernel.ids import Ids
from formwright.core.storage.connection import OnConnection
from formwright.core.storage.database import Row, Told, finished, for_postgres

_PutOff = dict[str, list[Sequence[object]]]
"""What is to be run later: by statement, once with each of these."""


class Shared(OnConnection):
    """A transaction that writers share."""

    def __init__(self, connection: Any, clock: Clock, ids: Ids, *, pooled: bool) -> None:
        super().__init__(connection, clock, ids, pooled=pooled)
        self.writers: list[Told] = []
        """What the writers that are done tell of."""
        self.steady: dict[tuple[object, ...], Row | None] = {}
        self.broken = False
        """Whether what several writers did could not be run: there is nobody to whom it belongs alone."""
        self._put_off: _PutOff = {}
        self._saved = False

    def take(self, told: Iterable[Told], put_off: _PutOff) -> None:
        """What one writer did stands."""
        self.writers += told
        for sql, rows in put_off.items():
            self._put_off.setdefault(sql, []).extend(rows)

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._put_off.setdefault(sql, []).extend(rows)

    async def settle(self) -> None:
        """Run what was put off."""
        try:
            await _run(self, self._put_off)
        except BaseException:
            self.broken = True
            raise

    async def save(self) -> None:
        """Here is where a writer goes back to that undoes what it did."""
        await self.execute("RELEASE SAVEPOINT writer; SAVEPOINT writer" if self._saved else "SAVEPOINT writer")
        self._saved = True


class Writer(OnConnection):
    """One of the writers. Before it reads or changes anything by itself what was put off is run.

    A statement is waited for to its end even where nobody waits for its writer any more: the others go on behind it.
    """

    def __init__(self, shared: Shared, connection: Any, clock: Clock, ids: Ids, *, pooled: bool) -> None:
        super().__init__(connection, clock, ids, pooled=pooled)
        self._shared, self.held = shared, shared.held
        self._was = replace(shared.held) if shared.held else None
        self._put_off: _PutOff = {}
        self.saved = False

    def done(self) -> None:
        """What it did stands."""
        self._shared.take(self.told, self._put_off)

    async def undo(self) -> None:
        """Back to what those before it have done."""
        if self.held and self._was:
            self.held.stamp, self.held.moved = self._was.stamp, self._was.moved
        if self.saved:
            await self._shared.execute("ROLLBACK TO SAVEPOINT writer")

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        return await finished(self._fetch(sql, *args))

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        rows = await self.fetch(sql, *args)
        return rows[0] if rows else None

    async def fetch_steady(self, sql: str, *args: object) -> Row | None:
        steady, asked = self._shared.steady, (sql, *args)
        if asked not in steady:
            steady[asked] = await finished(super().fetch_one(sql, *args))
        return steady[asked]

    async def stream(self, sql: str, *args: object) -> AsyncIterator[Row]:
        for row in await self.fetch(sql, *args):
            yield row

    async def execute(self, sql: str, *args: object, long: bool = False) -> int:
        return await finished(self._execute(sql, *args))

    async def later(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        self._put_off.setdefault(sql, []).extend(rows)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await finished(self._execute_many(sql, rows))

    async def copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await finished(self._copy(table, columns, rows))

    async def _fetch(self, sql: str, *args: object) -> Sequence[Row]:
        await self._shared.settle()
        if self._put_off:
            await self._settle()
        return await super().fetch(sql, *args)

    async def _execute(self, sql: str, *args: object) -> int:
        await self._settle()
        return await super().execute(sql, *args)

    async def _execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        await self._settle()
        await super().execute_many(sql, rows)

    async def _copy(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        await self._settle()
        await super().copy(table, columns, rows)

    async def _settle(self) -> None:
        """What was put off is run, and what this writer does from here on can be taken back."""
        await self._shared.settle()
        if not self.saved:
            await self._shared.save()
            self.saved = True
        await _run(super(), self._put_off)


async def _run(tx: Any, put_off: _PutOff) -> None:
    """In the order in which they came. Those with one row each go together: a way to the server and back costs most."""
    while put_off:
        together = list(takewhile(lambda sql: len(put_off[sql]) == 1, put_off)) or [next(iter(put_off))]
        rows = [put_off.pop(sql) for sql in together]
        if len(together) == 1:
            await tx.execute_many(together[0], rows[0])
        else:
            await tx.execute(_one(tuple(together)), *chain.from_iterable(row for (row,) in rows))


@lru_cache(maxsize=512)
def _one(statements: tuple[str, ...]) -> str:
    """These as one statement. In PostgreSQL each that WITH names runs once, and all see what was there before."""
    texts, count = [], 0
    for sql in statements:
        texts.append(re.sub(r"\$(\d+)", lambda found, before=count: f"${int(found[1]) + before}", for_postgres(sql)))  # type: ignore[misc]
        count += max(int(number) for number in re.findall(r"\$(\d+)", sql))
    named = ", ".join(f"part{number} AS ({text})" for number, text in enumerate(texts[:-1]))
    return f"WITH {named} {texts[-1]}"
