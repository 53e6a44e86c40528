"""The JSON object of a submission in the API.

It is rendered when a submission is written and stored with it. A page of a thousand submissions is then read from the
database as one text, without any work per row.
"""

from collections.abc import Collection
from functools import lru_cache

import msgspec
from msgspec import UNSET, UnsetType

from formwright.core.clock import rfc3339
from formwright.domain.submissions.models import Submission, SubmissionStatus

_FORMAT = 1
"""Increase it with each change of `_Envelope`: JSON that was stored in another format is not used any more."""

RENDERED = f"CASE WHEN shown_as = updated * 1000 + {_FORMAT} THEN shown || data || '}}' END"
"""SQL expression for the JSON of a submission. NULL if the stored JSON is older than the last change or has another
format, because an older release wrote the row."""

# Formatting times is half of the work, and most of a submission's four times are equal.
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
    device_time: str | UnsetType = UNSET
    """Omitted for most submissions, whose stored JSON is therefore the same as before this property existed."""


def to_columns(submission: Submission) -> tuple[str, int]:
    """Return the columns `shown` and `shown_as`: the JSON up to the answers, and which change and format it is of."""
    return _render_envelope(submission).decode(), submission.updated * 1000 + _FORMAT


def render(submission: Submission) -> bytes:
    """Return the complete JSON object."""
    return b"%b%b}" % (_render_envelope(submission), submission.data.encode())


def select_answers(items: bytes, names: Collection[str]) -> bytes:
    """Return JSON objects, separated by commas, with only the answers to these fields and the rows they refer to."""
    objects = msgspec.json.decode(b"[%b]" % items, type=list[dict[str, msgspec.Raw]])
    for one in objects:
        data = msgspec.json.decode(one["data"], type=dict[str, msgspec.Raw])
        one["data"] = _encode({name: answer for name, answer in data.items() if name in names})
        rows = msgspec.json.decode(one["lookups"], type=list[dict[str, msgspec.Raw]])
        one["lookups"] = _encode([row for row in rows if _field_of(row["pointer"]) in names])
    return msgspec.json.encode(objects)[1:-1]


def _encode(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def _field_of(pointer: msgspec.Raw) -> str:
    """Return the name of the outermost field in a pointer such as `/data/visits/0/client`."""
    return msgspec.json.decode(pointer, type=str).split("/")[2]


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
        submission.device_time or UNSET,
    )
    return msgspec.json.encode(head)[:-1] + b',"data":'
