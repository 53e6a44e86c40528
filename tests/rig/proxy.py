"""A proxy as an operator would run one, on loopback: every name leads it to the machine itself."""

import asyncio
from contextlib import suppress

from rig.loopback import Loopback


class Proxy(Loopback):
    """For an `async with` block. Notes the first line of each request; refuses with `refusal` where that is set."""

    def __init__(self, refusal: int = 0) -> None:
        super().__init__()
        self._refusal = refusal
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line = head.partition(b"\r\n")[0].decode()
        self.asked.append(line)
        method, target, _ = line.split()
        if self._refusal:
            writer.write(f"HTTP/1.1 {self._refusal} No\r\nContent-Length: 0\r\n\r\n".encode())
            return
        place = target if method == "CONNECT" else target.split("/")[2]
        there, out = await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2]))
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            out.write(head)
        await asyncio.gather(_pump(reader, out), _pump(there, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()
