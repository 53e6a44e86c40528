"""The history of a submission: who changed what between its revisions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from formwright.domain.forms.fields import NoteField, SectionField, flatten_sections
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.fields.places import format_location
from formwright.domain.forms.models import Version
from formwright.domain.submissions.models import Revision, SubmissionStatus
from formwright.web.templating import DisplayTime, format_time

_STATUS_TITLES = {
    SubmissionStatus.SUBMITTED: "Resubmitted",
    SubmissionStatus.APPROVED: "Approved",
    SubmissionStatus.REJECTED: "Rejected",
}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The values of a field in two revisions, as text."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A revision. `look` is the status in lower case if it changed, for the style of the title, else empty."""

    title: str
    look: str
    author: str
    time: DisplayTime
    note: str
    changes: Sequence[FieldChange]


def history_entries(
    revisions: Sequence[Revision],
    versions: Mapping[str, Version],
    author_names: Mapping[str | None, str],
    context: DisplayContext,
) -> list[HistoryEntry]:
    """Return an entry for each revision, newest first. `versions` are those of the revisions, by id.

    `author_names` are by id; that of None is whoever changes submissions without an id, through a link.
    """
    first = [_history_entry(None, revision, [], author_names, context) for revision in revisions[:1]]
    later = [
        _history_entry(before, after, list(_iter_changes(before, after, versions, context)), author_names, context)
        for before, after in pairwise(revisions)
    ]
    return [*first, *later][::-1]


def _history_entry(
    before: Revision | None,
    after: Revision,
    changes: Sequence[FieldChange],
    author_names: Mapping[str | None, str],
    context: DisplayContext,
) -> HistoryEntry:
    new_note = before is None or before.note != after.note or before.status is not after.status
    return HistoryEntry(
        title=_entry_title(before, after),
        look="" if before and before.status is after.status else after.status.lower(),
        author=author_names.get(after.updated_by, "") if before or after.updated_by else "",
        time=format_time(after.updated, context.time_zone),
        note=(after.note or "") if new_note else "",
        changes=changes,
    )


def _entry_title(before: Revision | None, after: Revision) -> str:
    if before is None:
        return "Started" if after.status is SubmissionStatus.STARTED else "Received"
    if before.status is after.status:
        return "Edited"
    is_undo = after.status is SubmissionStatus.SUBMITTED and before.data == after.data
    return f"No longer {before.status.lower()}" if is_undo else _STATUS_TITLES[after.status]


def _iter_changes(
    before: Revision, after: Revision, versions: Mapping[str, Version], context: DisplayContext
) -> Iterator[FieldChange]:
    old, new = msgspec.json.decode(before.data), msgspec.json.decode(after.data)
    fields = {
        field.name: field
        for version in (versions[before.version_id], versions[after.version_id])
        for field in flatten_sections(version.definition.fields)
        if not isinstance(field, NoteField | SectionField)
    }
    for name, field in fields.items():
        if old.get(name) != new.get(name):
            old_text, new_text = (field.format_answer(data.get(name), context) for data in (old, new))
            if old_text or new_text:
                yield FieldChange(label_text(field.label, (context.language,)), old_text, new_text)
    for label, old_text, new_text in (
        ("External ID", before.external_id or "", after.external_id or ""),
        ("Location", _format_place(before.location), _format_place(after.location)),
        (
            "Submitted",
            _format_optional_time(before.submitted, context),
            _format_optional_time(after.submitted, context),
        ),
    ):
        if old_text != new_text:
            yield FieldChange(label, old_text, new_text)


def _format_place(text: str | None) -> str:
    return format_location(msgspec.json.decode(text)) if text else ""


def _format_optional_time(ms: int | None, context: DisplayContext) -> str:
    return "" if ms is None else format_time(ms, context.time_zone).text
