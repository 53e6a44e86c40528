"""Submissions as NDJSON, in the format of API version 1.0."""

import msgspec

from formwright.core.clock import rfc3339
from formwright.domain.submissions.models import Submission

_NO_LOOKUPS = msgspec.Raw(b"[]")


def format_line(record: Submission) -> bytes:
    """Return a submission as a line of JSON. Its answers are copied as they are stored."""
    content = {
        "id": record.id,
        "customerId": record.customer_id,
        "formId": record.form_id,
        "versionId": record.version_id,
        "status": record.status,
        "data": msgspec.Raw(record.data.encode()),
        "externalId": record.external_id,
        "userId": record.user_id,
        "taskId": record.task_id,
        "inviteId": record.invite_id,
        "location": msgspec.Raw(record.location.encode()) if record.location else None,
        "lookups": msgspec.Raw(record.lookups.encode()) if record.lookups else _NO_LOOKUPS,
        "startedAt": rfc3339(record.started),
        "submittedAt": None if record.submitted is None else rfc3339(record.submitted),
        "created": rfc3339(record.created),
        "updated": rfc3339(record.updated),
        "revision": record.revision,
        "note": record.note,
        "updatedBy": record.updated_by,
    }
    return msgspec.json.encode(content) + b"\n"
