"""Searches: which submissions can contain the words, and the time limit of a search."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad
from formwright.domain.submissions.text_search import signatures, store
from formwright.domain.submissions.text_search.store import Ranges

_MAX_SECONDS = 8.0


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
