"""Submissions as lines of JSON, each as the API of version 1.0 shows it."""

import msgspec

from formwright.core.clock import rfc3339
from formwright.domain.submissions.models import Submission

_NO_LOOKUPS = msgspec.Raw(b"[]")


def format_line(record: Submission) -> bytes:
    """One submission, with the end of its line. Its answers pass through as they are stored."""
    shown = {
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
    return msgspec.json.encode(shown) + b"\n"
