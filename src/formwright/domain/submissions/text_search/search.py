"""Searches: which submissions can contain the words, and what a search may take."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.work_kinds import WorkKind
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, Submission
from formwright.domain.submissions.text_search import signatures, store
from formwright.domain.submissions.text_search.store import Ranges

_MAX_SECONDS = 8.0
_WAKE_EVERY = 32


@asynccontextmanager
async def limit(tx: ReadTransaction, scope: Scope, words: Sequence[str]) -> AsyncIterator[None]:
    """Limit the time of a search. Raises `SearchTooBroad`, or `SearchNotReady` while texts are missing."""
    if not words:
        yield
        return
    if await store.has_outdated(tx, scope):
        raise SearchNotReady()
    try:
        async with asyncio.timeout(_MAX_SECONDS):
            yield
    except TimeoutError:
        raise SearchTooBroad() from None


async def find_ranges(tx: ReadTransaction, scope: Scope, words: Sequence[str]) -> Ranges | None:
    """Return where submissions with these words can be; None if the list is better read in its order."""
    return await store.find_ranges(tx, scope, signatures.find_bits(words))


def schedule_indexing(tx: WriteTransaction, submission: Submission) -> None:
    """Have a worker check whether there is enough for another block.

    Only about one change in 32 does, because scheduling is a statement of its own.
    """
    if submission.updated % _WAKE_EVERY == 0:
        tx.schedule(WorkKind.INDEX, submission.customer_id, submission.updated)
