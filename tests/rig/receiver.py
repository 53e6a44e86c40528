"""A webhook receiver as a customer would run one: a real HTTP server on loopback that keeps what arrives."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from rig.loopback import Loopback

Reply = tuple[int, dict[str, str], bytes]

OK: Reply = (200, {}, b"ok")


@dataclass(frozen=True, slots=True)
class Arrival:
    """One POST: its headers by lower-case name, its exact body, and when it was whole (seconds since the epoch)."""

    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        """The event's id, the same in every try."""
        return self.headers["webhook-id"]


Answer = Callable[[Arrival], Awaitable[Reply]]


async def _ok(_: Arrival) -> Reply:
    return OK


class Receiver(Loopback):
    """For an `async with` block. `answer` decides the reply, after the arrival was noted. `port` 0: any free one."""

    def __init__(self, answer: Answer = _ok, port: int = 0) -> None:
        super().__init__(port)
        self._answer = answer
        self.arrivals: list[Arrival] = []
        self.under_way = 0
        self.most_under_way = 0
        self._arrived = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self) -> Counter[str]:
        """How often each event arrived."""
        return Counter(arrival.id for arrival in self.arrivals)

    async def have(self, count: int, seconds: float = 15) -> list[Arrival]:
        """What has arrived, once it is at least `count`; TimeoutError when it does not come."""
        async with asyncio.timeout(seconds):
            while len(self.arrivals) < count:
                self._arrived.clear()
                await self._arrived.wait()
        return self.arrivals

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                writer.write(await self._one(await _read(reader)))
                await writer.drain()

    async def _one(self, arrival: Arrival) -> bytes:
        self.arrivals.append(arrival)
        self._arrived.set()
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            status, headers, body = await self._answer(arrival)
        finally:
            self.under_way -= 1
        lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


async def _read(reader: asyncio.StreamReader) -> Arrival:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    pairs = (line.partition(":") for line in head.split("\r\n")[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers["content-length"]))
    return Arrival(headers, body, time.time())


def always(status: int, body: bytes = b"", **headers: str) -> Answer:
    """The same reply each time; `retry_after="2"` is the header `retry-after`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def answer(_: Arrival) -> Reply:
        return status, named, body

    return answer


def in_turn(*replies: Reply) -> Answer:
    """These replies one after another, and the last for ever."""
    left = list(replies)

    async def answer(_: Arrival) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


async def never(_: Arrival) -> Reply:
    """Take it and say nothing."""
    await asyncio.Event().wait()
    raise AssertionError
