"""The events of submissions."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.submissions.models import Comment, Submission


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


@dataclass(frozen=True, slots=True)
class CommentEvent(Event):
    """Base of the events of comments; `comment` is the state after the change."""

    comment: Comment

    @property
    def subject(self) -> tuple[str, str]:
        """The id of the comment and, as its name, the id of the submission."""
        return self.comment.id, self.comment.submission_id


@dataclass(frozen=True, slots=True)
class CommentCreated(CommentEvent):
    """A reviewer commented on a submission."""

    type = "comment.created"


@dataclass(frozen=True, slots=True)
class CommentDeleted(CommentEvent):
    """The author deleted a comment; `comment` is its last state. Deleting the submission records no such event."""

    type = "comment.deleted"
