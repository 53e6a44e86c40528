"""What the API shows of a submission, as JSON. It is the contract, and so the same in every version.

It is put together when a submission is written and kept beside the answers: whoever reads a page of a thousand gets
them as one text from the database, with nothing to be made for each row.
"""

from functools import lru_cache

import msgspec

from formwright.core.clock import rfc3339
from formwright.domain.submissions.models import Submission, SubmissionStatus

_FORMAT = 1
"""Rises with each change of `_Head`: what was kept in another shape is shown no more."""

RENDERED = f"CASE WHEN shown_as = updated * 1000 + {_FORMAT} THEN shown || data || '}}' END"
"""In SQL: a submission as the API shows it. NULL where what was kept is not of its last change, or has another shape:
an older release wrote it."""

# To write times is half the work, and most of a submission's four are the same.
_format_time = lru_cache(maxsize=1024)(rfc3339)
_NO_ROWS = msgspec.Raw(b"[]")


class _Envelope(msgspec.Struct, rename="camel", gc=False):
    id: str
    customer_id: str
    form_id: str
    version_id: str
    status: SubmissionStatus
    external_id: str | None
    user_id: str | None
    task_id: str | None
    invite_id: str | None
    location: msgspec.Raw | None
    lookups: msgspec.Raw
    started_at: str
    submitted_at: str | None
    created: str
    updated: str
    revision: int
    note: str | None
    updated_by: str | None


def to_columns(submission: Submission) -> tuple[str, int]:
    """The columns `shown` and `shown_as`: all of the JSON but the answers, and of which change it is in which shape."""
    return _render_envelope(submission).decode(), submission.updated * 1000 + _FORMAT


def render(submission: Submission) -> bytes:
    """The whole of it."""
    return b"%b%b}" % (_render_envelope(submission), submission.data.encode())


def _render_envelope(submission: Submission) -> bytes:
    head = _Envelope(
        submission.id,
        submission.customer_id,
        submission.form_id,
        submission.version_id,
        submission.status,
        submission.external_id,
        submission.user_id,
        submission.task_id,
        submission.invite_id,
        msgspec.Raw(submission.location) if submission.location else None,
        msgspec.Raw(submission.lookups) if submission.lookups else _NO_ROWS,
        _format_time(submission.started),
        None if submission.submitted is None else _format_time(submission.submitted),
        _format_time(submission.created),
        _format_time(submission.updated),
        submission.revision,
        submission.note,
        submission.updated_by,
    )
    return msgspec.json.encode(head)[:-1] + b',"data":'
