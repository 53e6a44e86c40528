"""Reading the submissions of an export, in batches.

Each batch is read in a transaction of its own, so that long exports don't keep a transaction open.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import Database
from formwright.core.errors import Unavailable
from formwright.core.offload import offload
from formwright.core.pagination import RenderedPage, Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.exports.formats import Format
from formwright.domain.exports.records import Batch
from formwright.domain.exports.table import Table
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter

_FIRST_ROWS, _MIN_ROWS, _MAX_ROWS = 500, 50, 4000
DOWNLOAD_TIMEOUT_S = 15 * 60.0
_BATCH_BYTES = 1024 * 1024
"""The size that batches aim at: decoding one takes a few milliseconds, however long the answers are."""


class ExportTimedOut(Unavailable):
    """Reading has taken longer than the timeout."""


async def iter_batches(
    db: Database, actor: Actor, format_: Format, table: Table, criteria: SubmissionFilter, *, timeout_s: float
) -> AsyncIterator[Batch]:
    """Yield the submissions as the format needs them, in the order of the filter.

    Raises `ExportTimedOut` after the timeout, so that the export fails instead of being cut off.
    """
    decode, names = format_.open_decoder(table), dict[str | None, str]()

    async def read(window: Window) -> RenderedPage:
        async with db.reading(long=True, listing=True) as tx:
            return await submissions.rendered_page(tx, actor, criteria, window)

    end = time.monotonic() + timeout_s
    limit = min(_FIRST_ROWS, _MAX_ROWS)
    reading: asyncio.Task[RenderedPage] | None = asyncio.create_task(read(Window(limit)))
    try:
        while reading:
            page = await reading
            if time.monotonic() > end:
                raise ExportTimedOut("The export takes too long. Filter by date or status to export a part.")
            # The database reads the next batch while this one is written.
            limit = max(min(limit * _BATCH_BYTES // max(len(page.items), 1), _MAX_ROWS), min(_MIN_ROWS, _MAX_ROWS))
            reading = asyncio.create_task(read(Window(limit, page.next))) if page.next else None
            records = await offload(decode, page.items)
            if format_.names_authors:
                unknown = {record.user_id for record in records} - names.keys()
                if unknown:
                    async with db.reading() as tx:
                        names |= await load_author_names(tx, actor, unknown)
            yield Batch(records, names)
    finally:
        if reading:
            # The next batch is read ahead. Its transaction must not outlive the export.
            reading.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await reading
