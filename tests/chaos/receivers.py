"""Receivers as they exist in practice: one real HTTP server with a path for each, which records before it responds."""

import asyncio
import hashlib
import json
import select
import socket
import struct
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from fixtures.loopback_server import Loopback

from chaos.journal import Notes

Talk = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SLOW_S, LATE_S = 0.1, 2.0
RETRY_AFTER_S = 1
IN_FLIGHT = 10
"""The limit of concurrent deliveries to one receiver."""


class Arrival:
    """One POST: its receiver, its event, and how many arrivals of the event came before."""

    def __init__(self, sink: str, headers: dict[str, str], body: bytes, before: int) -> None:
        self.sink, self.headers, self.body, self.before = sink, headers, body, before
        self.id, self.at = headers["webhook-id"], time.time()

    def note(self, says: int, under_way: int, twice: bool) -> dict[str, object]:
        """Return the record for the checks. Only the first arrival of an event includes its body."""
        event = json.loads(self.body)
        return {
            "sink": self.sink,
            "id": self.id,
            "at": self.at,
            "says": says,
            "underWay": under_way,
            "twice": twice,
            "digest": hashlib.sha256(self.body).hexdigest(),
            "body": None if self.before else self.body.decode(),
            "signature": self.headers["webhook-signature"],
            "signed": int(self.headers["webhook-timestamp"]),
            "submission": event["data"]["id"],
        }


def _respond(status: int, head: str = "", body: bytes = b"ok", after_s: float = 0) -> tuple[int, Answer]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if after_s:
            await _hung_up(reader, after_s)
        writer.write(f"HTTP/1.1 {status} Said\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body)

    return status, answer


async def _hung_up(reader: asyncio.StreamReader, within_s: float) -> None:
    """Wait this long; a client that hangs up has no delivery under way any more."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            await reader.readexactly(1)


async def _silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.readexactly(1)


async def _reset(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
    raise ConnectionResetError


async def _flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    for _ in range(1000):
        writer.write(b"x" * 64_000)
        await writer.drain()
    raise ConnectionResetError


def _one_of(arrival: Arrival, many: int) -> bool:
    """Return true for one of this many attempts, depending only on the event and the number of the attempt."""
    return hashlib.sha256(f"{arrival.id} {arrival.before}".encode()).digest()[0] % many == 0


class Sinks(Loopback):
    """Use it in an `async with` block; the path of the URL names the receiver."""

    def __init__(self, port: int, notes: Notes) -> None:
        super().__init__(port)
        self._notes = notes
        self._seen: Counter[tuple[str, str]] = Counter()
        self._open: defaultdict[str, list[asyncio.StreamWriter]] = defaultdict(list)
        self._open_ids: Counter[tuple[str, str]] = Counter()

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                await self._exchange(await self._read(reader), (reader, writer))

    async def _read(self, reader: asyncio.StreamReader) -> Arrival:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
        body = await reader.readexactly(int(headers["content-length"]))
        sink = first.split()[1].strip("/")
        key = sink, headers["webhook-id"]
        self._seen[key] += 1
        return Arrival(sink, headers, body, self._seen[key] - 1)

    async def _exchange(self, arrival: Arrival, talk: Talk) -> None:
        says, answer = KINDS[arrival.sink](arrival)
        with self._under_way(arrival, talk[1]):
            under_way, twice = _still_there(self._open[arrival.sink]), self._open_ids[arrival.sink, arrival.id] > 1
            await self._notes.write(arrival.note(says, under_way, twice))
            await answer(*talk)
        await talk[1].drain()

    @contextmanager
    def _under_way(self, arrival: Arrival, writer: asyncio.StreamWriter) -> Iterator[None]:
        key = arrival.sink, arrival.id
        self._open[arrival.sink].append(writer)
        self._open_ids[key] += 1
        try:
            yield
        finally:
            self._open[arrival.sink].remove(writer)
            self._open_ids[key] -= 1


def _still_there(writers: Sequence[asyncio.StreamWriter]) -> int:
    """Return how many clients are still connected.

    It asks the kernel, because a busy event loop learns late that a client has hung up.
    """
    if len(writers) <= IN_FLIGHT:
        return len(writers)
    poll = select.poll()
    open_now = [fd for writer in writers if (fd := writer.get_extra_info("socket").fileno()) >= 0]
    for fd in open_now:
        poll.register(fd, select.POLLRDHUP)
    return len(open_now) - len(poll.poll(0))


KINDS: dict[str, Callable[[Arrival], tuple[int, Answer]]] = {
    "well": lambda _: _respond(200),
    "slow": lambda _: _respond(204, body=b"", after_s=SLOW_S),
    "flaky": lambda arrival: _respond(500 if _one_of(arrival, 4) else 200),
    "busy": lambda arrival: _respond(429, "Retry-After: 1\r\n") if _one_of(arrival, 5) else _respond(200),
    "flood": lambda _: (200, _flood),
    "never": lambda _: (0, _silence),
    "reset": lambda _: (0, _reset),
    "redirect": lambda _: _respond(307, "Location: /trap\r\n"),
    "gone": lambda _: _respond(410),
    "trap": lambda _: _respond(200),
    # Its first attempt gets no response; the next is answered late, so that a concurrent one is noticed.
    "late": lambda arrival: _respond(200, after_s=LATE_S) if arrival.before else (0, _silence),
}
WILLING = ("well", "slow", "flaky", "busy", "flood")
UNWILLING = ("never", "reset", "redirect", "gone")


def serve(port: int, notes: Path) -> None:
    """Run the receivers' process until it is ended."""

    async def run() -> None:
        async with Sinks(port, Notes(notes)):
            await asyncio.Event().wait()

    asyncio.run(run())
