"""Clears away what nobody needs: files that no submission has named for a day, and contents that only they had."""

from formwright.core.auth.actor import Scope
from formwright.core.blobs import BlobStore
from formwright.core.db import account_lock
from formwright.core.db.interface import Database
from formwright.domain.files import store
from formwright.domain.files.models import UNUSED_MS

_AT_ONCE = 200


async def clear_unreferenced(db: Database, contents: BlobStore, now: int) -> int:
    """Answers how many files went. What is interrupted is finished by the next call."""
    before = now - UNUSED_MS
    async with db.reading() as tx:
        accounts = await store.accounts_with_idle(tx, before)
    gone = 0
    for customer_id in accounts:
        while count := await _clear_some(db, contents, Scope(customer_id), before):
            gone += count
    return gone


async def _clear_some(db: Database, contents: BlobStore, scope: Scope, before: int) -> int:
    """First they are out of reach, then their contents go, then their rows: each step can be done again."""
    async with db.writing() as tx:
        # Nobody of the account attaches or uploads a file until this is committed; from then on nobody can name these.
        await account_lock.next_timestamp(tx, scope.customer_id)
        files = await store.dismiss(tx, scope, before, _AT_ONCE)
        places = {file.place for file in files}
        lonely = places - await store.places_in_use(tx, scope, sorted(places))
    for place in sorted(lonely):
        await contents.remove(place)
    async with db.writing() as tx:
        await store.delete(tx, scope, [file.id for file in files])
    return len(files)
