"""The columns of the list of submissions: what can be seen of each, and what is seen where nobody chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.domain.forms.definition import (
    AnyField,
    DecimalField,
    FileField,
    IntegerField,
    LocationField,
    LookupField,
    NoteField,
    PhotoField,
    RatingField,
    RepeatField,
    SectionField,
    SignatureField,
    SliderField,
    TextareaField,
    flatten_sections,
    label_text,
)
from formwright.domain.submissions.models import Submission
from formwright.web.templating import format_time
from formwright.web.views.submissions.answer_text import DisplayContext, format_answer

_DEFAULT_ANSWERS = 4
_NUMBER_FIELDS = IntegerField | DecimalField | RatingField | SliderField
_LONG_FIELDS = TextareaField | LocationField | PhotoField | SignatureField | FileField | RepeatField
BUILT_IN_COLUMNS = {
    ".form": "Form",
    ".submitted": "Submitted",
    ".status": "Status",
    ".who": "Submitted by",
    ".updated": "Updated",
    ".externalId": "External ID",
    ".id": "ID",
}
"""What every submission has, beside its answers. A field's name has no dot."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what stands over it, and the field where it is an answer."""

    name: str
    label: str
    field: AnyField | None = None

    @property
    def is_number(self) -> bool:
        """Whether it stands at the right."""
        return isinstance(self.field, _NUMBER_FIELDS)


def available_columns(fields: Sequence[AnyField], context: DisplayContext, *, single_form: bool) -> list[Column]:
    """Every column there is, in the order in which they are offered."""
    own = [Column(name, label) for name, label in BUILT_IN_COLUMNS.items() if not (single_form and name == ".form")]
    asked = [field for field in flatten_sections(fields) if not isinstance(field, NoteField | SectionField)]
    return own + [Column(field.name, label_text(field.label, (context.language,)), field) for field in asked]


def select_columns(available: Sequence[Column], chosen: Sequence[str] | None) -> list[Column]:
    """Those that were chosen and are still there; else the time, the state, who, and the first short answers."""
    known = {column.name: column for column in available}
    picked = [known[name] for name in chosen or () if name in known]
    if picked:
        return picked
    short = [column for column in available if column.field and not isinstance(column.field, _LONG_FIELDS)][
        :_DEFAULT_ANSWERS
    ]
    own = [".submitted", ".status", ".who"] if ".form" not in known else [".form", ".status", ".submitted", ".who"]
    return [known[own[0]], *(known[name] for name in own[1:-1]), *short, known[own[-1]]]


@dataclass(frozen=True, slots=True)
class RowNames:
    """What ids of a page's submissions stand for, in words."""

    forms: dict[str, str]
    people: dict[str | None, str]


def render_cells(
    columns: Sequence[Column], submission: Submission, names: RowNames, context: DisplayContext
) -> list[dict[str, Any]]:
    """What stands in the columns for one submission."""
    data = msgspec.json.decode(submission.data)
    if any(isinstance(column.field, LookupField) for column in columns):
        context = context.with_lookups(submission.lookups)
    return [_render_cell(column, submission, data, names, context) for column in columns]


def _render_cell(
    column: Column, submission: Submission, data: dict[str, Any], names: RowNames, context: DisplayContext
) -> dict[str, Any]:
    cell: dict[str, Any] = {"label": column.label, "number": column.is_number, "text": "", "time": None, "status": ""}
    match column.name:
        case ".submitted" if submission.submitted is not None:
            cell["time"] = format_time(submission.submitted, context.time_zone)
        case ".submitted":
            cell["text"] = "Not submitted"
        case ".updated":
            cell["time"] = format_time(submission.updated, context.time_zone)
        case ".status":
            cell["status"] = submission.status
        case ".form":
            cell["text"] = names.forms.get(submission.form_id, "")
        case ".who":
            cell["text"] = names.people.get(submission.user_id, "")
        case ".externalId":
            cell["text"] = submission.external_id or ""
        case ".id":
            cell["text"] = submission.id
        case name if column.field:
            cell["text"] = format_answer(column.field, data.get(name), context)
    return cell
