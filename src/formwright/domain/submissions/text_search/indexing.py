"""Builds the searchable texts of submissions, and the signatures of blocks of them.

A submission's text is written with it. A worker adds those of an earlier release, and a signature for every 250
submissions in the order of their last change. A later change moves a submission behind the last block, where each text
is compared.
"""

import structlog

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.offload import offload
from formwright.domain.forms import versions
from formwright.domain.forms.answers.validation import compile_version
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.text_search import store
from formwright.domain.submissions.text_search.document import build_text
from formwright.domain.submissions.text_search.signatures import build_signature

_BATCH_SIZE = 250

log = structlog.get_logger()


async def run_step(db: Database, customer_id: str) -> bool:
    """Build missing texts or the next signature of an account; returns False if nothing could be done."""
    scope = Scope(customer_id)
    async with db.reading() as tx:
        outdated = await store.list_outdated(tx, scope, _BATCH_SIZE)
        texts = [(one, await _build_text_or_none(tx, scope, one)) for one in outdated]
        block = None if outdated else await store.next_block(tx, scope)
    if not texts and block is None:
        return False
    bits = await offload(build_signature, block.texts) if block else b""
    async with db.writing() as tx:
        if texts:
            await store.save_texts(tx, scope, texts)
        if block:
            await store.insert_block(tx, scope, block, bits)
    return True


async def _build_text_or_none(tx: ReadTransaction, scope: Scope, submission: Submission) -> str:
    """Return the text. If it cannot be built, return none of it, so that the other submissions can be searched."""
    try:
        version = await versions.find(tx, scope, form_id=submission.form_id, version_id=submission.version_id)
        return await build_text(tx, compile_version(version), submission) if version else ""
    except (TypeError, ValueError, KeyError, AttributeError):
        log.exception("cannot index the text of a submission", customer=scope.customer_id, submission=submission.id)
        return ""


async def has_unfinished(tx: ReadTransaction, customer_id: str) -> bool:
    """Return whether `run_step` has more to do."""
    scope = Scope(customer_id)
    return await store.has_outdated(tx, scope) or await store.needs_block(tx, scope)


async def find_due_accounts(tx: ReadTransaction) -> list[str]:
    """Return the ids of all accounts with submissions whose text has to be built."""
    return await store.find_outdated_accounts(tx)
