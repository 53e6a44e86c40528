"""Makes a file, or does other long work for one person, beside the requests: tells how far it is, and how it ended."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from msgspec.structs import replace

from formwright.core.kernel.errors import Unavailable
from formwright.web.exports import STOPPED, Export, Exports, Stage

_NOTE_S = 1.0
_BROKEN = "Something went wrong. It is not your fault."

log = structlog.get_logger()


class Making:
    """What is being made, as it is now."""

    def __init__(self, export: Export) -> None:
        self.export, self.ended = export, asyncio.Event()


async def make(kept: Exports, export: Export, work: Callable[[Making], Awaitable[None]]) -> None:
    """Do the work, tell how far it is, and write down what came of it."""
    making, running = Making(export), asyncio.current_task()
    telling = asyncio.create_task(_tell(kept, making, running))
    stage, fault = Stage.FAILED, _BROKEN
    try:
        await work(making)
        stage, fault = Stage.READY, ""
    except Unavailable as error:
        fault = str(error)
    except asyncio.CancelledError:
        fault = STOPPED
        raise
    except Exception:
        log.exception("work for a person could not be done", export=export.id, kind=export.kind)
    finally:
        if stage is Stage.FAILED:
            kept.empty(export)
        making.export = replace(making.export, stage=stage, fault=fault)
        making.ended.set()
        await telling


async def _tell(kept: Exports, making: Making, work: asyncio.Task[None] | None) -> None:
    """Write down how far it is each second, and the end; end the work when the file was cancelled."""
    last = False
    while not last:
        with suppress(TimeoutError):
            await asyncio.wait_for(making.ended.wait(), _NOTE_S)
        last = making.ended.is_set()
        if not await asyncio.to_thread(kept.note, making.export):
            if work and not last:
                work.cancel()
            return
