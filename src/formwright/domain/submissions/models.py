"""Submissions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from formwright.core.errors import Conflict, NotFound
from formwright.domain.submissions.answer_filters import Condition


class SubmissionStatus(StrEnum):
    """How far a submission has come."""

    STARTED = "STARTED"
    SUBMITTED = "SUBMITTED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


class SortOrder(StrEnum):
    """How a list of submissions is ordered; `-` is newest first."""

    SUBMITTED = "submitted"
    SUBMITTED_DESC = "-submitted"
    UPDATED = "updated"
    UPDATED_DESC = "-updated"

    @property
    def by_update(self) -> bool:
        """Whether by the time of the last change."""
        return self in (SortOrder.UPDATED, SortOrder.UPDATED_DESC)

    @property
    def column(self) -> str:
        """The column of that time."""
        return "updated" if self.by_update else "at"

    @property
    def is_descending(self) -> bool:
        """Whether the newest comes first."""
        return self in (SortOrder.SUBMITTED_DESC, SortOrder.UPDATED_DESC)

    @property
    def reversed(self) -> "SortOrder":
        """The same, from the other end."""
        return SortOrder(self[1:] if self.is_descending else f"-{self}")


class Submission(msgspec.Struct, frozen=True, gc=False):
    """One filled form. A struct and no dataclass: pages make a thousand of them, and this takes a seventh of the time.

    `data` (answers by field name) and `location` are JSON objects; times in milliseconds.

    `note` is what was said when its status was changed; `updated_by` the person or the key that made this revision,
    None for who filled it in by a link. `lookups` is what `lookups.kept` made of the rows that it named.
    """

    id: str
    customer_id: str
    form_id: str
    version_id: str
    status: SubmissionStatus
    data: str
    external_id: str | None
    user_id: str | None
    task_id: str | None
    client_id: str | None
    location: str | None
    lookups: str | None
    started: int
    submitted: int | None
    created: int
    updated: int
    revision: int
    note: str | None = None
    updated_by: str | None = None
    invite_id: str | None = None

    @property
    def at(self) -> int:
        """Its time in lists: when it was submitted or, until then, started."""
        return self.started if self.submitted is None else self.submitted


@dataclass(frozen=True, slots=True)
class Revision:
    """What a submission was from one change to the next. Those before it was sent are not kept."""

    submission_id: str
    revision: int
    version_id: str
    status: SubmissionStatus
    data: str
    external_id: str | None
    user_id: str | None
    location: str | None
    submitted: int | None
    note: str | None
    updated_by: str | None
    updated: int


@dataclass(frozen=True, slots=True)
class SubmissionFilter:
    """Which submissions are meant; periods are half-open (from <= t < to), nothing given means any."""

    form_ids: Sequence[str] = ()
    statuses: Sequence[SubmissionStatus] = ()
    user_id: str | None = None
    task_id: str | None = None
    invite_id: str | None = None
    submitted_from: int | None = None
    submitted_to: int | None = None
    updated_from: int | None = None
    updated_to: int | None = None
    answers: Sequence[Condition] = ()
    order: SortOrder = SortOrder.SUBMITTED
    matches_nothing: bool = False
    """Nothing can fit."""

    @property
    def reversed(self) -> "SubmissionFilter":
        """The same submissions from the other end."""
        return replace(self, order=self.order.reversed)

    def restrict_to_forms(self, form_ids: Sequence[str]) -> "SubmissionFilter":
        """The same, of these forms alone."""
        both = [form_id for form_id in form_ids if not self.form_ids or form_id in self.form_ids]
        return replace(self, form_ids=both, matches_nothing=not both)


@dataclass(frozen=True, slots=True)
class SubmissionOrigin:
    """Who was asked to fill a form, and by what; nothing of it where somebody just has the form's link."""

    user_id: str | None = None
    task_id: str | None = None
    invite_id: str | None = None


NO_ORIGIN = SubmissionOrigin()


@dataclass(frozen=True, slots=True)
class SubmissionImport:
    """A submission that a system hands in."""

    data: dict[str, object]
    external_id: str | None = None
    submitted_at: int | None = None
    user_id: str | None = None
    location: str | None = None


class SubmissionNotFound(NotFound):
    """No such submission in this account."""

    code = "submission.not_found"
    detail = "There is no such submission in this account."


class ExternalIdTaken(Conflict):
    """The form has a submission with this external id."""

    code = "submission.external_id_taken"
    detail = "This form has a submission with this externalId already."


class AlreadySubmitted(Conflict):
    """It was submitted with other answers."""

    code = "submission.submitted_already"
    detail = "This was sent already, with other answers. Load the page again to fill the form once more."


class SubmissionNotSubmitted(Conflict):
    """It is still being filled in."""

    code = "submission.not_submitted"
    detail = "This was only begun. It can be changed and judged once it has been sent."


class SubmissionChanged(Conflict):
    """Somebody else was first."""

    code = "submission.changed"
    detail = "Someone else changed this since you read it. Read it again."
