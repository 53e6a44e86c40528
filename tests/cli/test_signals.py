"""The event loop of the server processes receives signals at any moment of their start."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import closing

import pytest

from formwright.cli.serve import Loop

TOLD = signal.SIGUSR2


@pytest.fixture
def loop() -> Iterator[Loop]:
    before = signal.getsignal(TOLD)
    with closing(Loop()) as loop:
        yield loop
    signal.signal(TOLD, before)


async def _is_set(stopping: asyncio.Event) -> bool:
    async with asyncio.timeout(60):
        return await stopping.wait()


def test_a_signal_before_the_loop_runs_is_handled(loop: Loop) -> None:
    stopping = asyncio.Event()
    loop.add_signal_handler(TOLD, stopping.set)
    signal.raise_signal(TOLD)
    assert loop.run_until_complete(_is_set(stopping))


def test_a_signal_between_two_runs_is_handled(loop: Loop) -> None:
    stopping = asyncio.Event()
    loop.add_signal_handler(TOLD, stopping.set)
    loop.run_until_complete(asyncio.sleep(0))
    signal.raise_signal(TOLD)
    assert loop.run_until_complete(_is_set(stopping))


def test_a_signal_while_the_loop_waits_is_handled(loop: Loop) -> None:
    stopping = asyncio.Event()
    loop.add_signal_handler(TOLD, stopping.set)
    loop.call_later(0.05, signal.raise_signal, TOLD)
    assert loop.run_until_complete(_is_set(stopping))


def test_a_repeated_signal_is_handled_once(loop: Loop) -> None:
    heard: list[int] = []
    loop.add_signal_handler(TOLD, heard.append, 1)
    loop.run_until_complete(asyncio.sleep(0))
    for _ in range(3):
        signal.raise_signal(TOLD)
        loop.run_until_complete(asyncio.sleep(0))
    assert heard == [1]
