"""The events of submissions."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.submissions.models import Submission


@dataclass(frozen=True, slots=True)
class SubmissionEvent(Event):
    """Base of the events; `submission` is the state after the change."""

    submission: Submission


@dataclass(frozen=True, slots=True)
class SubmissionStarted(SubmissionEvent):
    """The first answers were saved as a draft, or submitted at once."""

    type = "submission.started"


@dataclass(frozen=True, slots=True)
class SubmissionSubmitted(SubmissionEvent):
    """The form was submitted, also again after a rejection."""

    type = "submission.submitted"


@dataclass(frozen=True, slots=True)
class SubmissionUpdated(SubmissionEvent):
    """The submission was edited, approved or rejected."""

    type = "submission.updated"


@dataclass(frozen=True, slots=True)
class SubmissionDeleted(SubmissionEvent):
    """The submission was deleted; `submission` is its last state, without personal data if it was erased."""

    type = "submission.deleted"
