"""Process many rows in batches, so that no other writer waits long for the database or a lock."""

from collections.abc import Awaitable, Callable

from formwright.core.db.interface import Database, WriteTransaction

BATCH_ROWS = 1000
"""Rows per batch. A batch of this size takes milliseconds."""


async def in_batches(db: Database, some: Callable[[WriteTransaction], Awaitable[int]]) -> int:
    """Call `some` in a new transaction each time until it returns 0, and return the total number of rows."""
    done = 0
    while count := await _run_batch(db, some):
        done += count
    return done


async def _run_batch(db: Database, some: Callable[[WriteTransaction], Awaitable[int]]) -> int:
    async with db.writing() as tx:
        return await some(tx)
