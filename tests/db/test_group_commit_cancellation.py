"""A writer that is cancelled in the queue does not delay the commit of those before it."""

import asyncio
from contextlib import suppress

from fixtures.notes_database import Other, write

from formwright.core.db.interface import Database


async def test_a_cancelled_writer_does_not_delay_the_commit(db: Database, other: Other) -> None:
    leaving = asyncio.Event()
    tasks: list[asyncio.Task[None]] = []

    async def wait_in_queue() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "never")

    async def cancel() -> None:
        await leaving.wait()
        tasks[0].cancel()

    async def first() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "first")

    async def second() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "second")
            # The commit is queued. This writer queues behind it, and is cancelled just before the queue looks at it.
            tasks.append(asyncio.create_task(wait_in_queue()))
            await asyncio.sleep(0)
            leaving.set()

    await asyncio.gather(first(), second(), asyncio.create_task(cancel()))
    with suppress(asyncio.CancelledError):
        await tasks[0]
    assert {text for (text,) in await other.fetch("SELECT text FROM notes")} == {"first", "second"}
