"""Clears away, every hour, what nobody needs any more, and sets right what a clock that was ahead has put off."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from formwright.context import House
from formwright.core.errors import Unavailable
from formwright.domain.api_keys import idempotency
from formwright.domain.datasources.cleanup import clear_ended
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.files.cleanup import clear_unreferenced
from formwright.domain.mail import queue
from formwright.domain.mail import service as mail
from formwright.domain.users.auth import throttling
from formwright.domain.webhooks import cleanup, clock_skew
from formwright.worker.subscriber_alerts import terms

_EVERY_S = 3600.0
_DAY_MS = 24 * 3600 * 1000

log = structlog.get_logger()


async def clean(house: House) -> None:
    """Clear at once and then every hour, until cancelled. Several processes may do so side by side."""
    while True:
        for kind in (set_right, _files, _rows, _uploads, _mails, _throttles, clear_events, _replies):
            await _clear(house, kind)
        await asyncio.sleep(_EVERY_S)


async def _clear(house: House, kind: Callable[[House], Awaitable[None]]) -> None:
    """One kind by itself: where it fails, the others are cleared all the same."""
    try:
        await kind(house)
    except Unavailable as error:
        log.warning("what is not needed any more is not cleared away", detail=str(error))
    except Exception:
        log.exception("what is not needed any more cannot be cleared away", kind=kind.__name__.strip("_"))


async def set_right(house: House) -> None:
    """Have deliveries and mails that a clock ahead of its time has put off be due at once."""
    now = house.clock.now()
    deliveries = await clock_skew.set_right(house.db, now, terms(house.settings))
    async with house.db.writing() as tx:
        mails = await queue.set_right(tx, now)
    if deliveries or mails:
        log.warning("the clock was ahead: what it put off is due now", deliveries=deliveries, mails=mails)


async def _files(house: House) -> None:
    if gone := await clear_unreferenced(house.db, house.files, house.clock.now()):
        log.info("unused files are cleared away", count=gone)


async def _rows(house: House) -> None:
    if gone := await clear_ended(house.db, house.clock.now()):
        log.info("old rows of datasources are cleared away", count=gone)


async def _uploads(house: House) -> None:
    await uploads.clear_idle(house.db, house.files, house.clock.now())


async def _mails(house: House) -> None:
    await mail.forget(house.db, house.clock.now())
    await asyncio.to_thread(house.carrier.forget, house.clock.now() - mail.KEPT_MS)


async def _throttles(house: House) -> None:
    await throttling.forget(house.db, house.clock.now())


async def _replies(house: House) -> None:
    await idempotency.forget(house.db, house.clock.now())


async def clear_events(house: House) -> None:
    """Clear old events, and the log of old deliveries."""
    keep = house.settings
    events, deliveries = await cleanup.clear(
        house.db, house.clock.now(), events_ms=keep.event_days * _DAY_MS, tries_ms=keep.delivery_days * _DAY_MS
    )
    if events or deliveries:
        log.info("old events and deliveries are cleared away", events=events, deliveries=deliveries)
