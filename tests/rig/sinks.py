"""Real HTTP servers on loopback that answer as a test says, and a name server that says what a test wants."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest

from formwright.core.outbound.http import Outbound, PostFailed
from formwright.core.outbound.names import Lookup
from formwright.core.outbound.wall import Wall

LOOPBACK = Wall([ip_network("127.0.0.0/8"), ip_network("::1/128")])
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Receiver:
    """A server on loopback that notes the heads and bodies it reads, and lets `talk` answer each."""

    talk: Talk
    port: int = 0
    connections: int = 0
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    talks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.talks.add(asyncio.create_task(self._serve(reader, writer)))

    async def stop(self) -> None:
        for talk in self.talks:
            talk.cancel()
        await asyncio.gather(*self.talks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await self._note(reader)
                await self.talk(reader, writer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _note(self, reader: asyncio.StreamReader) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        self.heads.append(head)
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        self.bodies.append(await reader.readexactly(length))


@asynccontextmanager
async def receiver(
    talk: Talk, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[Receiver]:
    it = Receiver(talk)
    server = await asyncio.start_server(it.accept, host, port, ssl=tls)
    it.port = server.sockets[0].getsockname()[1]
    try:
        yield it
    finally:
        server.close()
        await it.stop()


def answers(raw: bytes) -> Talk:
    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return talk


def resolves(*answers: Sequence[str]) -> Lookup:
    """A name server that gives these answers in turn, and the last for ever."""
    left = list(answers)

    async def lookup(_: str) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return lookup


@asynccontextmanager
async def a_client(
    wall: Wall = LOOPBACK, lookup: Lookup | None = None, trust: ssl.SSLContext | None = None, proxy: str = ""
) -> AsyncIterator[Outbound]:
    outbound = Outbound(wall, lookup=lookup, ssl_context=trust, proxy=proxy)
    try:
        yield outbound
    finally:
        await outbound.close()


async def fails(client: Outbound, url: str, **limits: float) -> PostFailed:
    with pytest.raises(PostFailed) as failure:
        await client.post(url, headers={}, body=b"{}", **limits)
    return failure.value
