"""Whether this process lives, and whether it can serve: for service managers, load balancers and orchestrators.

Answered to everybody, also over plain HTTP, and so says nothing but that. What is wrong in detail stands in the log.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

import msgspec
import structlog
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from formwright.context import AppContext
from formwright.core.db.interface import DatabaseBusy
from formwright.processes import ProcessBoard

PREFIX = "/health/"
_WITHIN_S = 2.0
_NO_STORE = {"cache-control": "no-store"}

log = structlog.get_logger()


class Health(msgspec.Struct):
    """`ok` or `unavailable`, as a whole and for each part; `processes` may be `degraded`, and the whole is ok."""

    status: str
    parts: dict[str, str] = {}


def health_routes() -> list[HTTPRouteHandler]:
    """`/health/live`: the process answers.

    `/health/ready`: database and files do too, each within two seconds; the disk has room and the database takes
    changes; and the process is not about to stop. While another process of the same server is missing it says so, and
    stays ready: those that are left do the work.
    """

    async def live(request: Request[Any, Any, Any]) -> Response[bytes]:
        del request
        return _answer(Health("ok"))

    async def ready(request: Request[Any, Any, Any]) -> Response[bytes]:
        if request.app.state.leaving.now:
            return _answer(Health("unavailable", {"process": "unavailable"}))
        return _answer(await _look(request.app.state.ctx, request.app.state.processes))

    return [
        HTTPRouteHandler(PREFIX + name, http_method="GET", name=f"health-{name}", status_code=200)(handler)
        for name, handler in (("live", live), ("ready", ready))
    ]


async def _look(ctx: AppContext, board: ProcessBoard | None) -> Health:
    asked: dict[str, Awaitable[Any]] = {
        "database": _database(ctx),
        "files": ctx.files.exists("health"),
        "disk": _disk(ctx),
    }
    found = await asyncio.gather(*(_part(name, part) for name, part in asked.items()))
    parts = dict(zip(asked, found, strict=True))
    if board:
        parts["processes"] = "degraded" if board.missing() else "ok"
    return Health("ok" if set(found) == {"ok"} else "unavailable", parts)


async def _database(ctx: AppContext) -> None:
    async with ctx.db.reading() as tx:
        await tx.fetch_one("SELECT 1 FROM account_order LIMIT 1")
    if await ctx.write_monitor.is_disk_full():
        raise DatabaseBusy("The disk of the database is full: it takes no change.")


async def _disk(ctx: AppContext) -> None:
    """The folder of data and that of files have room, and take a write."""
    for space in filter(None, (ctx.free_space, ctx.files.space)):
        space.check()
        await asyncio.to_thread(space.probe)


async def _part(name: str, asked: Awaitable[Any]) -> str:
    try:
        await asyncio.wait_for(asked, _WITHIN_S)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is not to be had
        log.warning("a dependency does not respond", part=name, detail=str(error) or type(error).__name__)
        return "unavailable"
    return "ok"


def _answer(health: Health) -> Response[bytes]:
    status = 200 if health.status == "ok" else 503
    return Response(
        msgspec.json.encode(health), status_code=status, media_type="application/json", headers=dict(_NO_STORE)
    )
