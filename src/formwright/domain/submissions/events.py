"""What can happen to submissions."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.submissions.models import Submission


@dataclass(frozen=True, slots=True)
class SubmissionEvent(Event):
    """What all of them carry: the submission as it is from then on."""

    submission: Submission


@dataclass(frozen=True, slots=True)
class SubmissionStarted(SubmissionEvent):
    """Its first answer was saved."""

    type = "submission.started"


@dataclass(frozen=True, slots=True)
class SubmissionSubmitted(SubmissionEvent):
    """It came in, filled."""

    type = "submission.submitted"


@dataclass(frozen=True, slots=True)
class SubmissionUpdated(SubmissionEvent):
    """It was corrected, approved or rejected."""

    type = "submission.updated"


@dataclass(frozen=True, slots=True)
class SubmissionDeleted(SubmissionEvent):
    """It was taken away; it is told as it was last."""

    type = "submission.deleted"
