"""Many changes of submissions in one transaction, by the service functions of the single changes."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.batch_writer import batch_writing
from formwright.core.db.interface import ReadTransaction, Row, Statement, WriteTransaction
from formwright.core.errors import DomainError, Unavailable
from formwright.domain.submissions import review, service, store
from formwright.domain.submissions.models import Submission, SubmissionImport
from formwright.domain.submissions.review import SubmissionEdit

MAX_CHANGES = 1000
_STEPS_AT_ONCE = 20
"""Changes after which other requests get a turn: on SQLite, nothing in a change waits."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A submission to create."""

    form_id: str
    payload: SubmissionImport


@dataclass(frozen=True, slots=True)
class Edit:
    """A submission to edit, approve or reject."""

    submission_id: str
    changes: SubmissionEdit


@dataclass(frozen=True, slots=True)
class Deletion:
    """A submission to delete. With `expected_revision`, it is left alone if it has another revision."""

    submission_id: str
    expected_revision: int | None = None


Change = Creation | Edit | Deletion
Outcome = Submission | DomainError | None
"""The changed submission, the error that rejected the change, or None for a deleted submission."""


async def apply(tx: WriteTransaction, actor: Actor, changes: Sequence[Change | DomainError]) -> list[Outcome]:
    """Apply the changes in their order, and return the outcome of each. A rejected change does not affect the others.

    Errors among the changes are returned in their place. Raises `Unavailable` if the database is.
    """
    outcomes: list[Outcome] = []
    async with batch_writing(tx, actor.customer_id) as batch:
        batch.prefetched = await _prefetch(tx, actor, changes)
        for number, change in enumerate(changes):
            if number % _STEPS_AT_ONCE == _STEPS_AT_ONCE - 1:
                await asyncio.sleep(0)
            try:
                if isinstance(change, DomainError):
                    raise change
                async with batch.step() as step:
                    outcomes.append(await _apply(step, actor, change))
            except Unavailable:
                raise
            except DomainError as error:
                outcomes.append(error)
    return outcomes


async def _apply(tx: WriteTransaction, actor: Actor, change: Change) -> Submission | None:
    match change:
        case Creation():
            return await service.import_submission(tx, actor, form_id=change.form_id, payload=change.payload)
        case Edit():
            return await review.edit(tx, actor, change.changes, submission_id=change.submission_id)
        case Deletion():
            expected = change.expected_revision
            await review.delete(tx, actor, submission_id=change.submission_id, expected_revision=expected)
            return None


async def _prefetch(
    tx: ReadTransaction, actor: Actor, changes: Sequence[Change | DomainError]
) -> dict[Statement, Row | None]:
    """Return rows that the changes will look up, but only those that no earlier change can have changed.

    These are submissions that one change names, and external ids that one change names and no submission has yet.
    """
    ids = Counter(one.submission_id for one in changes if isinstance(one, Edit | Deletion))
    external_ids = Counter(filter(None, map(_external_id, changes)))
    by_form: dict[str, list[str]] = {}
    for one in changes:
        if isinstance(one, Creation) and external_ids.get(one.payload.external_id or "") == 1:
            by_form.setdefault(one.form_id, []).append(one.payload.external_id or "")
    scope = Scope(actor.customer_id)
    found = await store.prefetch(tx, scope, [submission_id for submission_id, count in ids.items() if count == 1])
    for form_id, names in by_form.items():
        found |= await store.prefetch_unused_external_ids(tx, scope, form_id, names)
    return found


def _external_id(change: Change | DomainError) -> str | None:
    match change:
        case Creation():
            return change.payload.external_id
        case Edit():
            return change.changes.external_id or None
    return None
