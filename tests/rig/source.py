"""A source of rows as a customer would run one: a real HTTP server on loopback, whose answer a test changes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from formwright.core.kernel.paging import Window
from formwright.core.outbound.fetch import USUAL, Bounds
from formwright.domain.datasources import pulls
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports import ImportRecord
from formwright.domain.datasources.model import Datasource, Search
from formwright.domain.datasources.pull import Pull, PullStatus, PullWish
from formwright.domain.datasources.pulls import Setting
from formwright.domain.webhooks import log
from formwright.house import House
from formwright.worker.pull import Puller
from rig.houses import Tenant
from rig.loopback import Loopback
from rig.server import eventually

Ask = dict[str, str]
"""The headers of a GET, by lower-case name."""
Talk = Callable[[Ask, asyncio.StreamWriter], Awaitable[None]]


def raw(content: bytes) -> Talk:
    """These bytes, and the connection ends."""

    async def talk(_: Ask, writer: asyncio.StreamWriter) -> None:
        writer.write(content)

    return talk


def page(body: bytes, status: str = "200 OK", **headers: str) -> Talk:
    """A whole answer; `content_type="text/csv"` is the header `content-type`."""
    named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return raw(f"HTTP/1.1 {status}\r\n{named}Content-Length: {len(body)}\r\n\r\n".encode() + body)


def known_by(header: str, value: str, body: bytes, **headers: str) -> Talk:
    """304 to whoever names the value, else all of it."""

    async def talk(ask: Ask, writer: asyncio.StreamWriter) -> None:
        said = ask.get({"etag": "if-none-match", "last_modified": "if-modified-since"}[header])
        answer = page(b"", "304 Same") if said == value else page(body, **{header: value}, **headers)
        await answer(ask, writer)

    return talk


async def reset(_: Ask, writer: asyncio.StreamWriter) -> None:
    """Hang up in the middle of an answer."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 5000\r\n\r\nnumber,name\r\n")
    await writer.drain()
    writer.transport.abort()


async def endless(_: Ask, writer: asyncio.StreamWriter) -> None:
    """Rows without an end."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\nnumber,name\r\n")
    while True:
        writer.write(b"C-1,Harbour\r\n" * 1000)
        await writer.drain()


async def dripping(_: Ask, writer: asyncio.StreamWriter) -> None:
    """A byte now and then."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def stuck(_: Ask, writer: asyncio.StreamWriter) -> None:
    """The start of an answer, and no more of it."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\nnumber,name\r\n")
    await asyncio.Event().wait()


class Source(Loopback):
    """For an `async with` block. `talk` may be set to another at any time."""

    def __init__(self, talk: Talk) -> None:
        super().__init__()
        self.talk = talk
        self.asks: list[Ask] = []
        self.paths: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/rows?list=1"

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            self.paths.append(first)
            pairs = (line.partition(":") for line in lines if line)
            self.asks.append({name.strip().lower(): value.strip() for name, _, value in pairs})
            await self.talk(self.asks[-1], writer)
            await writer.drain()


@dataclass
class Pulled:
    """A datasource of a tenant that is pulled from somewhere."""

    tenant: Tenant
    id: str

    async def now(self) -> Datasource:
        async with self.tenant.house.db.reading() as tx:
            return await datasources.get(tx, self.tenant.actor, datasource_id=self.id)

    async def pull(self) -> Pull:
        pull = (await self.now()).pull
        assert pull is not None
        return pull

    async def refresh(self) -> Pull:
        async with self.tenant.house.db.writing() as tx:
            pull = (await pulls.refresh(tx, self.tenant.actor, datasource_id=self.id)).pull
        assert pull is not None
        return pull

    async def ended(self, after: int | None = None, seconds: float = 10) -> Pull:
        """The state once a pull has ended that began after that time."""

        async def look() -> Pull | None:
            pull = await self.pull()
            over = pull.status not in (None, PullStatus.RUNNING) and pull.started != after
            return pull if over else None

        found: Pull = await eventually(look, seconds)
        return found

    async def again(self) -> Pull:
        """Pull once more, to its end."""
        before = (await self.pull()).started
        await asyncio.sleep(0.002)  # a pull is known by the millisecond in which it began
        await self.refresh()
        return await self.ended(before)

    async def rows(self) -> dict[str, str]:
        """The rows' JSON by key."""
        async with self.tenant.house.db.reading() as tx:
            _, page = await datasources.rows(tx, self.tenant.actor, Search(), Window(1000), datasource_id=self.id)
        return {row.key: row.data for row in page.items}

    async def history(self) -> list[ImportRecord]:
        """The newest first."""
        async with self.tenant.house.db.reading() as tx:
            return list((await datasources.imports(tx, self.tenant.actor, Window(100), datasource_id=self.id)).items)

    async def events(self, *types: str) -> list[str]:
        """The bodies of the account's events of these types."""
        async with self.tenant.house.db.reading() as tx:
            page = await log.page(tx, self.tenant.actor, Window(500), types=list(types))
        return [event.body for event in page.items]


def setting(house: House, url: str, **wish: Any) -> Setting:
    return Setting(PullWish(url, **wish), house.seal, house.wall.check_url)


async def pulled(tenant: Tenant, url: str, *, key: str = "number", name: str = "", **wish: Any) -> Pulled:
    """A new datasource that is pulled."""
    house = tenant.house
    made = await pulls.create(
        house.db,
        tenant.actor,
        setting(house, url, **wish),
        datasource_id=house.ids.new("dat"),
        name=name or house.ids.new("n"),
        key_column=key,
        columns=(),
        types={},
        dry_run=False,
    )
    return Pulled(tenant, made.id)


@asynccontextmanager
async def pulling(house: House, bounds: Bounds = USUAL, **limits: Any) -> AsyncIterator[Puller]:
    """A worker that pulls while the block lasts, and never rests for long."""
    puller = Puller(house, bounds, look_s=0.02, **limits)
    job = asyncio.create_task(puller.run())
    try:
        yield puller
    finally:
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job
