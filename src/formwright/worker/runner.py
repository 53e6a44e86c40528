"""Everything that a worker does, side by side."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from formwright.context import House
from formwright.core.errors import Unavailable
from formwright.worker.cleanup import clean
from formwright.worker.datasource_sync import Puller
from formwright.worker.index_builder import keep_indexes
from formwright.worker.mail_delivery import Mailer
from formwright.worker.scheduler import Clockwork
from formwright.worker.subscriber_alerts import terms, watch
from formwright.worker.webhook_delivery import Deliverer

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
