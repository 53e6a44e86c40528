"""Work on many rows, some at a time: nobody waits long for the writer or for a lock."""

from collections.abc import Awaitable, Callable

from formwright.core.db.interface import Database, WriteTransaction

SOME = 1000
"""So many rows at once take milliseconds."""


async def in_batches(db: Database, some: Callable[[WriteTransaction], Awaitable[int]]) -> int:
    """Do `some` of it, each time in a transaction of its own, until it did nothing; answers how many rows that were."""
    done = 0
    while count := await _once(db, some):
        done += count
    return done


async def _once(db: Database, some: Callable[[WriteTransaction], Awaitable[int]]) -> int:
    async with db.writing() as tx:
        return await some(tx)
