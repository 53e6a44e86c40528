"""Who is cancelled while standing in line does not keep those before it from their commit."""

import asyncio
from contextlib import suppress

from fixtures.notes_database import Other, write

from formwright.core.db.interface import Database


async def test_the_commit_is_not_kept_waiting_by_who_has_just_been_cancelled(db: Database, other: Other) -> None:
    leaving = asyncio.Event()
    begun: list[asyncio.Task[None]] = []

    async def stand_in_line() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "never")

    async def cancel() -> None:
        await leaving.wait()
        begun[0].cancel()

    async def first() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "first")

    async def second() -> None:
        async with db.writing(account="one") as tx:
            await write(tx, "second")
            # The commit stands in line by now. This one stands behind it, and is cancelled just before that looks.
            begun.append(asyncio.create_task(stand_in_line()))
            await asyncio.sleep(0)
            leaving.set()

    await asyncio.gather(first(), second(), asyncio.create_task(cancel()))
    with suppress(asyncio.CancelledError):
        await begun[0]
    assert {text for (text,) in await other.fetch("SELECT text FROM notes")} == {"first", "second"}
