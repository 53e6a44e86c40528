"""Liveness and readiness of a process, for service managers, load balancers and orchestrators.

The endpoints respond to everybody, also over plain HTTP, so they contain no details. Those are in the log.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any

import msgspec
import structlog

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import ProgramRequest, ProgramRoute
from formwright.context import AppContext
from formwright.core.db.interface import DatabaseBusy
from formwright.processes import ProcessBoard

PREFIX = "/health/"
_TIMEOUT_S = 2.0
_NO_STORE = {"cache-control": "no-store"}

log = structlog.get_logger()


class ServerHealth(msgspec.Struct):
    """`ok` or `unavailable`, as a whole and for each part. `processes` may be `degraded` while the whole is `ok`."""

    status: str
    parts: dict[str, str] = {}


def health_routes() -> list[ProgramRoute]:
    """Return the routes of both endpoints.

    - `/health/live`: the process responds.
    - `/health/ready`: the database has tables, it and the file storage respond within two seconds, the disk has free
      space, the database accepts changes, and the process is not about to stop. If another process of the same server
      is missing, `processes` is `degraded`, but this process stays ready.
    """

    async def live(request: ProgramRequest) -> HttpResponse:
        del request
        return _response(ServerHealth("ok"))

    async def ready(request: ProgramRequest) -> HttpResponse:
        if request.app.state.leaving.now:
            return _response(ServerHealth("unavailable", {"process": "unavailable"}))
        return _response(await _check_parts(request.ctx, request.app.state.processes))

    routes = {"live": live, "ready": ready}
    return [ProgramRoute(PREFIX + name, respond, name=f"health-{name}") for name, respond in routes.items()]


async def _check_parts(ctx: AppContext, board: ProcessBoard | None) -> ServerHealth:
    checks: dict[str, Awaitable[Any]] = {
        "database": _check_database(ctx),
        "files": ctx.files.exists("health"),
        "disk": _check_disk(ctx),
    }
    results = await asyncio.gather(*(_run_check(name, check) for name, check in checks.items()))
    parts = dict(zip(checks, results, strict=True))
    if board:
        parts["processes"] = "degraded" if board.missing() else "ok"
    return ServerHealth("ok" if set(results) == {"ok"} else "unavailable", parts)


async def _check_database(ctx: AppContext) -> None:
    # Citus keeps this table on the coordinator: while it has lost one of its machines, processes stay ready.
    async with ctx.db.reading() as tx:
        await tx.fetch_one("SELECT version_num FROM alembic_version")
    if await ctx.write_monitor.is_disk_full():
        raise DatabaseBusy("The disk of the database is full, so it accepts no changes.")


async def _check_disk(ctx: AppContext) -> None:
    """Check that the data folder and the folder of files have free space and can be written to."""
    for space in filter(None, (ctx.free_space, ctx.files.space)):
        space.check()
        # In a thread, because writing to a network drive that does not respond would block the event loop.
        await asyncio.to_thread(space.probe)


async def _run_check(name: str, check: Awaitable[Any]) -> str:
    try:
        await asyncio.wait_for(check, _TIMEOUT_S)
    except Exception as error:  # noqa: BLE001 - whatever the error, the part is unavailable
        log.warning("a dependency does not respond", part=name, detail=str(error) or type(error).__name__)
        return "unavailable"
    return "ok"


def _response(health: ServerHealth) -> HttpResponse:
    status = 200 if health.status == "ok" else 503
    return HttpResponse(status, msgspec.json.encode(health), "application/json", dict(_NO_STORE))
