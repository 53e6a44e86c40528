"""What happened to a submission, newest first: who did it, and what changed between two revisions."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from formwright.domain.forms.definition import NoteField, SectionField, flatten_sections, label_text
from formwright.domain.forms.models import Version
from formwright.domain.submissions.models import Revision, SubmissionStatus
from formwright.web.templating import moment
from formwright.web.views.submissions.answer_text import Manner, place_text, text_of

_DONE = {
    SubmissionStatus.SUBMITTED: "Resubmitted",
    SubmissionStatus.APPROVED: "Approved",
    SubmissionStatus.REJECTED: "Rejected",
}


def told(
    revisions: Sequence[Revision],
    versions: Mapping[str, Version],
    names: Mapping[str | None, str],
    manner: Manner,
) -> list[dict[str, Any]]:
    """A line for each revision."""
    first = [_line(None, one, [], names, manner) for one in revisions[:1]]
    later = [
        _line(before, after, list(_changes(before, after, versions, manner)), names, manner)
        for before, after in pairwise(revisions)
    ]
    return [*first, *later][::-1]


def _line(
    before: Revision | None,
    after: Revision,
    changes: list[dict[str, str]],
    names: Mapping[str | None, str],
    manner: Manner,
) -> dict[str, Any]:
    new_note = before is None or before.note != after.note or before.status is not after.status
    return {
        "what": _what(before, after),
        "look": "" if before and before.status is after.status else after.status.lower(),
        "who": names.get(after.updated_by, ""),
        "when": moment(after.updated, manner.time_zone),
        "note": (after.note or "") if new_note else "",
        "changes": changes,
    }


def _what(before: Revision | None, after: Revision) -> str:
    if before is None:
        return "Started" if after.status is SubmissionStatus.STARTED else "Received"
    if before.status is after.status:
        return "Edited"
    taken_back = after.status is SubmissionStatus.SUBMITTED and before.data == after.data
    return f"No longer {before.status.lower()}" if taken_back else _DONE[after.status]


def _changes(
    before: Revision, after: Revision, versions: Mapping[str, Version], manner: Manner
) -> Iterator[dict[str, str]]:
    old, new = msgspec.json.decode(before.data), msgspec.json.decode(after.data)
    fields = {
        field.name: field
        for version in (versions[before.version_id], versions[after.version_id])
        for field in flatten_sections(version.definition.fields)
        if not isinstance(field, NoteField | SectionField)
    }
    for name, field in fields.items():
        if old.get(name) != new.get(name):
            was, now = (text_of(field, data.get(name), manner) for data in (old, new))
            if was or now:
                yield {"label": label_text(field.label, (manner.language,)), "was": was, "now": now}
    for label, was, now in (
        ("External ID", before.external_id or "", after.external_id or ""),
        ("Location", _place(before.location), _place(after.location)),
        ("Submitted", _time(before.submitted, manner), _time(after.submitted, manner)),
    ):
        if was != now:
            yield {"label": label, "was": was, "now": now}


def _place(text: str | None) -> str:
    return place_text(msgspec.json.decode(text)) if text else ""


def _time(ms: int | None, manner: Manner) -> str:
    return "" if ms is None else moment(ms, manner.time_zone)["text"]
