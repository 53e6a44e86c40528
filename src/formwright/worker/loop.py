"""Everything that a worker does, side by side."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from formwright.core.kernel.errors import Unavailable
from formwright.house import House
from formwright.worker.clean import clean
from formwright.worker.deliver import Deliverer
from formwright.worker.due import Clockwork
from formwright.worker.index import keep_indexes
from formwright.worker.mail import Mailer
from formwright.worker.pull import Puller
from formwright.worker.terms import terms
from formwright.worker.warn import watch

_USAGE_S = 5.0

log = structlog.get_logger()


def work(house: House) -> tuple[list[Coroutine[Any, Any, None]], Callable[[], None]]:
    """The loops of a worker, and what to call when something was committed."""
    delivering, mailer = Deliverer(house, terms(house.settings)), Mailer(house)

    def wake() -> None:
        delivering.wake()
        mailer.wake()

    others = [clean(house), Puller(house).run(), keep_indexes(house), watch(house), Clockwork(house).run()]
    return [delivering.run(), mailer.run(), *others], wake


async def write_usage(house: House) -> None:
    """Write down every few seconds which keys were used, until cancelled; what is left is written then."""
    try:
        while True:
            await asyncio.sleep(_USAGE_S)
            await _write_usage(house)
    finally:
        await _write_usage(house)


async def _write_usage(house: House) -> None:
    try:
        await house.usage.write(house.db)
    except Unavailable as error:
        log.warning("the use of keys is not written down", detail=str(error))
    except Exception:
        log.exception("the use of keys cannot be written down")
