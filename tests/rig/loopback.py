"""What receivers and sources of a test share: a server of its own on loopback."""

import asyncio
import ssl
from abc import ABC, abstractmethod
from typing import Self


class Loopback(ABC):
    """For an `async with` block. Leaving it cuts every talk that is under way. A subclass says how it talks.

    The connection of a talk that ended is closed, also of one that was cut before it began.
    """

    def __init__(self, port: int = 0, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.port, self._host, self._tls = port, host, tls
        self._talks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its first byte to its last."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, self._host, self.port, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(self.talk_to(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)
        talk.add_done_callback(lambda _: writer.close())
