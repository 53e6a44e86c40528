"""A run that is cancelled while it opens a file leaves no process behind."""

import asyncio
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from formwright.domain.exports.execution import open_writer


async def test_a_writer_that_opens_after_the_run_was_cancelled_is_abandoned() -> None:
    started, may_open, abandoned = Event(), Event(), Event()

    def open_slowly(*_: Any) -> Any:
        started.set()
        assert may_open.wait(30)
        return SimpleNamespace(abandon=abandoned.set)

    format_: Any = SimpleNamespace(open_writer=open_slowly)
    table: Any = None
    opening = asyncio.create_task(open_writer(format_, table, table, Path()))
    assert await asyncio.to_thread(started.wait, 30)
    opening.cancel()
    await asyncio.sleep(0)
    may_open.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert abandoned.is_set()
