"""The export of a person's data, except the contents of submissions."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.clock import rfc3339
from formwright.core.db.interface import ReadTransaction
from formwright.domain.privacy import store
from formwright.domain.privacy.discovery import get_user, require_permissions
from formwright.domain.privacy.models import PersonalData
from formwright.domain.submissions.models import Revision


async def collect(tx: ReadTransaction, actor: Actor, personal_data: PersonalData) -> Mapping[str, Any]:
    """Return the data by kind, mostly as lists of records, with times in RFC 3339 and UTC."""
    scope = require_permissions(actor)
    data: dict[str, Any] = {
        "submissions": list(personal_data.submission_ids),
        "deleted": list(personal_data.deleted_submission_ids),
    }
    if personal_data.user_id:
        details = await get_user(tx, actor, personal_data.user_id)
        user = details.user
        data["person"] = {
            "id": user.id,
            "email": user.email,
            "name": user.name,
            "language": user.language,
            "status": user.status,
            "externalId": user.external_id,
            "created": rfc3339(user.created),
            "updated": rfc3339(user.updated),
            "groups": list(details.group_ids),
            "grants": [[grant.role_id, grant.resource_type, grant.resource_id] for grant in details.grants],
        }
    for name, (columns, rows) in (await store.load_records(tx, scope, personal_data)).items():
        data[name] = [_to_record(columns, row) for row in rows]
    return data


def _to_record(columns: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    return {name: _to_json_value(name, value) for name, value in zip(columns, row, strict=True)}


_TIMES = frozenset({"at", "created", "ends", "seen", "sent", "opened", "started", "completed", "expires"})


def _to_json_value(name: str, value: Any) -> Any:
    if name in _TIMES and isinstance(value, int):
        return rfc3339(value)
    return msgspec.json.decode(value) if name == "data" else value


def render_revision(revision: Revision) -> bytes:
    """Return a revision of a submission as a JSON object, without a line break."""
    fields = {
        "submissionId": revision.submission_id,
        "revision": revision.revision,
        "versionId": revision.version_id,
        "status": revision.status,
        "data": msgspec.Raw(revision.data.encode()),
        "externalId": revision.external_id,
        "userId": revision.user_id,
        "location": msgspec.Raw(revision.location.encode()) if revision.location else None,
        "submittedAt": None if revision.submitted is None else rfc3339(revision.submitted),
        "note": revision.note,
        "updatedBy": revision.updated_by,
        "updated": rfc3339(revision.updated),
    }
    return msgspec.json.encode(fields)
