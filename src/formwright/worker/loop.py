"""Everything that a worker does, side by side."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from formwright.core.kernel.errors import Unavailable
from formwright.domain.webhooks.patience import Patience
from formwright.domain.webhooks.schedule import SCHEDULE_S, parse_schedule
from formwright.house import House
from formwright.settings import Settings, SettingsError
from formwright.worker.clean import clean
from formwright.worker.deliver import Deliverer
from formwright.worker.due import Clockwork
from formwright.worker.index import keep_indexes
from formwright.worker.mail import Mailer
from formwright.worker.pull import Puller
from formwright.worker.warn import watch

_USAGE_S = 5.0

log = structlog.get_logger()


def work(house: House) -> tuple[list[Coroutine[Any, Any, None]], Callable[[], None]]:
    """The loops of a worker, and what to call when something was committed."""
    delivering, mailer = deliverer(house), Mailer(house)

    def wake() -> None:
        delivering.wake()
        mailer.wake()

    others = [clean(house), Puller(house).run(), keep_indexes(house), watch(house), Clockwork(house).run()]
    return [delivering.run(), mailer.run(), *others], wake


def deliverer(house: House) -> Deliverer:
    """The loop that delivers, on the operator's terms."""
    keep = house.settings
    return Deliverer(house, Patience(schedule(keep), keep.webhook_timeout, keep.webhook_hold))


def schedule(settings: Settings) -> tuple[float, ...]:
    """The seconds before each try; `SettingsError` where the operator's are none."""
    try:
        return parse_schedule(settings.webhook_retry) if settings.webhook_retry else SCHEDULE_S
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_WEBHOOK_RETRY {error}") from error


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
