"""Real HTTP servers on loopback that answer as a test says, and a name server that says what a test wants."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network

import pytest

from formwright.core.outbound.http import Outbound, PostFailed
from formwright.core.outbound.names import Lookup
from formwright.core.outbound.wall import Wall
from rig.loopback import Loopback

LOOPBACK = Wall([ip_network("127.0.0.0/8"), ip_network("::1/128")])
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Receiver(Loopback):
    """A server on loopback that notes the heads and bodies it reads, and lets `talk` answer each."""

    def __init__(self, talk: Talk, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(port, host, tls)
        self._talk = talk
        self.connections = 0
        self.heads: list[str] = []
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                await self._note(reader)
                await self._talk(reader, writer)
                await writer.drain()

    async def _note(self, reader: asyncio.StreamReader) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        self.heads.append(head)
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        self.bodies.append(await reader.readexactly(length))


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
