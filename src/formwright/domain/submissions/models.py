"""The records, filters and errors of submissions."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

import msgspec

from formwright.core.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from formwright.core.pagination import Position
from formwright.domain.submissions.answer_filters import Condition
from formwright.domain.submissions.answer_order import AnswerOrder


class SubmissionStatus(StrEnum):
    """The status of a submission. `STARTED`: answers have been saved, but not submitted yet. `SUBMITTED`: submitted,
    and not reviewed. `APPROVED` and `REJECTED`: reviewed.
    """

    STARTED = "STARTED"
    SUBMITTED = "SUBMITTED"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"


class SortOrder(StrEnum):
    """The order of a list of submissions, by the API's name; `-` means newest first."""

    SUBMITTED = "submitted"
    SUBMITTED_DESC = "-submitted"
    UPDATED = "updated"
    UPDATED_DESC = "-updated"

    @property
    def by_update(self) -> bool:
        """Whether the list is ordered by the time of the last change."""
        return self in (SortOrder.UPDATED, SortOrder.UPDATED_DESC)

    @property
    def column(self) -> str:
        """The name of the column to order by."""
        return "updated" if self.by_update else "at"

    @property
    def is_descending(self) -> bool:
        """Whether the newest submission comes first."""
        return self in (SortOrder.SUBMITTED_DESC, SortOrder.UPDATED_DESC)

    @property
    def reversed(self) -> "SortOrder":
        """The opposite order."""
        return SortOrder(self[1:] if self.is_descending else f"-{self}")


class Submission(msgspec.Struct, frozen=True, gc=False):
    """A filled-in form.

    `data` (the answers by field name) and `location` are JSON objects; `lookups` is the JSON returned by
    `lookup_snapshots.encode_snapshots`. Times are in milliseconds since 1970.

    `device_time` is the date and time, with its offset, that the person's device showed when the form was submitted,
    if rules of the form depend on it.

    `note` is the comment on the last change of the status. `updated_by` is the id of the user or API key that created
    this revision; None if the form was filled in through a link. `client_id` is the id that the page with the form
    chose, so that sending the form again is recognised.
    """

    # A struct and not a dataclass: a page of a list creates a thousand of them, in a seventh of the time.

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
    device_time: str | None = None

    @property
    def at(self) -> int:
        """The time by which lists are ordered: when it was submitted or, for a draft, started."""
        return self.started if self.submitted is None else self.submitted


@dataclass(frozen=True, slots=True)
class Revision:
    """The state of a submission between two changes. Drafts have no revisions."""

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


MAX_COMMENTS = 500
"""The number of comments that a submission can have."""


@dataclass(frozen=True, slots=True)
class NewComment:
    """A comment to create: plain text, and the ids of the users it mentions."""

    body: str
    mentions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a submission. `author_id` is the id of a user or an API key; `created` is in milliseconds."""

    id: str
    customer_id: str
    submission_id: str
    form_id: str
    author_id: str
    body: str
    mentions: tuple[str, ...]
    created: int


_NOT_CONDITIONS = ("form_ids", "order", "by_answer")


@dataclass(frozen=True, slots=True)
class SubmissionFilter:
    """A filter for submissions. Empty properties do not restrict the list; periods are half-open (from <= t < to)."""

    ids: Sequence[str] = ()
    form_ids: Sequence[str] = ()
    statuses: Sequence[SubmissionStatus] = ()
    user_id: str | None = None
    task_id: str | None = None
    invite_id: str | None = None
    external_ids: Sequence[str] = ()
    submitted_from: int | None = None
    submitted_to: int | None = None
    created_from: int | None = None
    created_to: int | None = None
    updated_from: int | None = None
    updated_to: int | None = None
    answers: Sequence[Condition] = ()
    words: Sequence[str] = ()
    """Normalised words that the text of a submission must contain, as `text_search.words.parse_words` returns them."""
    has_images: bool = False
    order: SortOrder = SortOrder.SUBMITTED
    by_answer: AnswerOrder | None = None
    """The order by an answer, instead of `order`."""
    matches_nothing: bool = False
    """Set if no submission can match, for example because a folder has no forms."""

    @property
    def has_conditions(self) -> bool:
        """Whether anything but their forms restricts the submissions."""
        values = (getattr(self, one.name) for one in fields(self) if one.name not in _NOT_CONDITIONS)
        # Not just whether they are true: 0 is the first millisecond of 1970.
        return any(value is not None and value is not False and value not in ((), []) for value in values)

    @property
    def reversed(self) -> "SubmissionFilter":
        """The same submissions in the opposite order."""
        by_answer = self.by_answer.reversed if self.by_answer else None
        return replace(self, order=self.order.reversed, by_answer=by_answer)

    def position(self, record: Submission) -> Position:
        """Return the position of a submission in the list."""
        if self.by_answer:
            return self.by_answer.position(record)
        return Position(record.updated if self.order.by_update else record.at, record.id)

    def restrict_to_forms(self, form_ids: Sequence[str]) -> "SubmissionFilter":
        """Return the filter restricted to these forms, in addition to the forms it names already."""
        both = [form_id for form_id in form_ids if not self.form_ids or form_id in self.form_ids]
        return replace(self, form_ids=both, matches_nothing=not both)


@dataclass(frozen=True, slots=True)
class SubmissionOrigin:
    """Who was asked to fill in the form, and by which task or invite. Empty if somebody used the form's public link."""

    user_id: str | None = None
    task_id: str | None = None
    invite_id: str | None = None
    device: str | None = None
    """The random id that the page has for this browser and form, if a form accepts one response per device."""

    @property
    def is_limited(self) -> bool:
        """Whether the limits of the form's public link apply: they do for everyone but the recipients of tasks."""
        return self.task_id is None


NO_ORIGIN = SubmissionOrigin()


@dataclass(frozen=True, slots=True)
class SubmissionImport:
    """A complete submission created by another system. `location` is a JSON object, `submitted_at` in milliseconds.

    Without `version_id`, it is for the published version. If it `is_silent`, no webhooks are sent for it.
    """

    data: dict[str, object]
    external_id: str | None = None
    submitted_at: int | None = None
    user_id: str | None = None
    location: str | None = None
    version_id: str | None = None
    is_silent: bool = False
    device_time: str | None = None


class SubmissionNotFound(NotFound):
    """The account has no submission with this id, or the actor may not see it."""

    code = "submission.not_found"
    detail = "There is no such submission in this account."


class ExternalIdTaken(Conflict):
    """Another submission of the form has this external id: `existing_id`."""

    code = "submission.external_id_taken"
    detail = "This form already has a submission with this externalId."

    def __init__(self, existing_id: str) -> None:
        super().__init__()
        self.existing_id = existing_id


class AlreadySubmitted(Conflict):
    """The page has already submitted other answers under the same client id."""

    code = "submission.submitted_already"
    detail = "This was already submitted with other answers. Reload the page to fill in the form again."


class SubmissionNotSubmitted(Conflict):
    """The submission is a draft."""

    code = "submission.not_submitted"
    detail = "This submission is still a draft. It can be edited, approved or rejected once it has been submitted."


class SubmissionChanged(Conflict):
    """The submission has changed since the revision that the caller expected."""

    code = "submission.changed"
    detail = "Someone else changed this submission since you read it. Read it again and repeat your change."


class LinkChannel(StrEnum):
    """How a return link was given to the person: shown on a page, or sent by email.

    `FORMER_ID` is no link, but the id by which the page knew the draft before it got its link.
    """

    PAGE = "PAGE"
    EMAIL = "EMAIL"
    FORMER_ID = "FORMER_ID"


@dataclass(frozen=True, slots=True)
class LinkState:
    """The state of a return link.

    The link of a draft ends at `expires`, in milliseconds. `editor` is the random id of the open page that saved the
    answers last, and `position` the name of the page of the form on which the person was.
    """

    expires: int | None
    editor: str | None = None
    position: str | None = None


class LinkEnd(StrEnum):
    """Why a return link does not open the answers: the draft was not continued in time, the form does not let senders
    change what they have submitted, the time for that is over, or somebody has reviewed it. `DRAFT`: there is nothing
    to change yet.
    """

    EXPIRED = "EXPIRED"
    SUBMITTED = "SUBMITTED"
    OVER = "OVER"
    REVIEWED = "REVIEWED"
    DRAFT = "DRAFT"


class ReturnLinkEnded(Conflict):
    """A return link does not open the answers of `submission` any more."""

    code = "submission.link_ended"
    detail = "These answers can no longer be changed with this link. Reload the page: it says why."

    def __init__(self, end: LinkEnd, submission: Submission) -> None:
        super().__init__()
        self.end = end
        self.submission = submission


class SavedElsewhere(Conflict):
    """Another device, or another tab, has saved the draft since the page read it."""

    code = "submission.saved_elsewhere"
    detail = "These answers were changed on another device. Reload the page to go on with the changes from both."


class ContinuingNotAllowed(Conflict):
    """The form gives people no links to go on with unfinished answers."""

    code = "form.continue_later_off"
    detail = "This form does not offer links to continue later."


class SearchTooBroad(Conflict):
    """A search takes too long."""

    code = "submission.search_too_broad"
    detail = "This search takes too long. Add a longer word, or choose a form or a period."


class SearchNotReady(Unavailable):
    """The texts of some submissions have not been built yet, after an upgrade."""

    code = "submission.search_not_ready"
    detail = "Earlier submissions are still being prepared for search. Try again in a few minutes."


class BulkRejected(Invalid):
    """At least one of several changes that belong together was rejected."""

    code = "submission.bulk_rejected"
    detail = "Nothing was changed, because at least one item was rejected; see `errors`."


class CommentNotFound(NotFound):
    """The submission has no comment with this id."""

    code = "comment.not_found"
    detail = "This submission has no such comment."


class CommentByOther(Denied):
    """Somebody else wrote the comment."""

    code = "comment.by_other"
    detail = "Only the author of a comment can delete it."


class CommentLimitReached(Conflict):
    """The submission has as many comments as it can have."""

    code = "comment.limit_reached"
    detail = f"A submission can have {MAX_COMMENTS} comments. Delete one of yours first."
