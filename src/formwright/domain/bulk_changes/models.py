"""The records and errors of bulk changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import msgspec

from formwright.core.errors import NotFound

STEP_SIZE = 100
"""The number of submissions that are changed in one transaction."""
MAX_TOTAL = 100_000
MAX_NOTE = 2000
RETENTION_MS = 24 * 3600 * 1000
STALE_MS = 30_000
"""A change that has made no progress for this time was interrupted."""
UNDO_PERIOD_MS = 10_000
"""How long a deletion waits before it begins. Until then it can be undone: what is deleted cannot be restored."""
UNCHANGED = "unchanged"
"""The code of an outcome if the submission was already as it should become."""


class BulkAction(StrEnum):
    """What is done to the submissions. `UNDO` restores what they were before another bulk change."""

    APPROVE = "APPROVE"
    REJECT = "REJECT"
    ASSIGN = "ASSIGN"
    DELETE = "DELETE"
    UNDO = "UNDO"


UNDOABLE = (BulkAction.APPROVE, BulkAction.REJECT, BulkAction.ASSIGN)


class Target(msgspec.Struct, frozen=True, array_like=True):
    """A submission to change, and the revision that the user has seen: any other is left alone."""

    submission_id: str
    revision: int


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """The result for a target: its `revision` after the change, or the `code` of the error that rejected it.

    The code is empty for a changed submission, and `UNCHANGED` if there was nothing to change.
    """

    submission_id: str
    revision: int = 0
    code: str = ""
    detail: str = ""

    @property
    def is_refused(self) -> bool:
        return self.code not in ("", UNCHANGED)


@dataclass(frozen=True, slots=True)
class BulkChange:
    """A bulk change of one user. Times are in milliseconds; `touched` is the time of the last step.

    `origin` is the query string of the list that it was started from. `undone_id` is the bulk change that it undoes.
    """

    id: str
    customer_id: str
    user_id: str
    action: BulkAction
    is_stopped: bool
    note: str
    assignee_id: str | None
    undone_id: str | None
    origin: str
    total: int
    created: int
    touched: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bulk change is. `undo_id` is the bulk change that undoes it, if there is one."""

    change: BulkChange
    outcomes: Sequence[Outcome]
    undo_id: str | None

    @property
    def is_finished(self) -> bool:
        return len(self.outcomes) >= self.change.total

    @property
    def changed(self) -> Sequence[Outcome]:
        """The outcomes of the submissions that were changed."""
        return [outcome for outcome in self.outcomes if not outcome.code]

    @property
    def refused(self) -> Sequence[Outcome]:
        """The outcomes of the submissions that were left alone, although they were to be changed."""
        return [outcome for outcome in self.outcomes if outcome.is_refused]

    @property
    def unchanged_count(self) -> int:
        """How many submissions already were as they should become."""
        return sum(outcome.code == UNCHANGED for outcome in self.outcomes)

    def is_running(self, now: int) -> bool:
        """Whether steps are being done at this time (milliseconds)."""
        return not (self.is_finished or self.change.is_stopped) and now - self.change.touched < STALE_MS


@dataclass(frozen=True, slots=True)
class NewChange:
    """A bulk change to start."""

    action: BulkAction
    targets: Sequence[Target]
    note: str = ""
    assignee_id: str | None = None
    origin: str = ""
    undone_id: str | None = None


class BulkChangeNotFound(NotFound):
    """The user has no bulk change with this id, or it has expired."""

    code = "bulk_change.not_found"
    detail = "There is no such change. Bulk changes are listed for a day."
