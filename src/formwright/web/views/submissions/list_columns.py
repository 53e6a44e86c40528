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
from formwright.web.templating import moment
from formwright.web.views.submissions.answer_text import Manner, text_of

_USUAL = 4
_NUMBERS = IntegerField | DecimalField | RatingField | SliderField
_LONG = TextareaField | LocationField | PhotoField | SignatureField | FileField | RepeatField
OWN = {
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
        return isinstance(self.field, _NUMBERS)


def on_offer(fields: Sequence[AnyField], manner: Manner, *, of_one_form: bool) -> list[Column]:
    """Every column there is, in the order in which they are offered."""
    own = [Column(name, label) for name, label in OWN.items() if not (of_one_form and name == ".form")]
    asked = [field for field in flatten_sections(fields) if not isinstance(field, NoteField | SectionField)]
    return own + [Column(field.name, label_text(field.label, (manner.language,)), field) for field in asked]


def shown(offered: Sequence[Column], chosen: Sequence[str] | None) -> list[Column]:
    """Those that were chosen and are still there; else the time, the state, who, and the first short answers."""
    known = {column.name: column for column in offered}
    picked = [known[name] for name in chosen or () if name in known]
    if picked:
        return picked
    short = [column for column in offered if column.field and not isinstance(column.field, _LONG)][:_USUAL]
    own = [".submitted", ".status", ".who"] if ".form" not in known else [".form", ".status", ".submitted", ".who"]
    return [known[own[0]], *(known[name] for name in own[1:-1]), *short, known[own[-1]]]


@dataclass(frozen=True, slots=True)
class Names:
    """What ids of a page's submissions stand for, in words."""

    forms: dict[str, str]
    people: dict[str | None, str]


def cells(columns: Sequence[Column], submission: Submission, names: Names, manner: Manner) -> list[dict[str, Any]]:
    """What stands in the columns for one submission."""
    data = msgspec.json.decode(submission.data)
    if any(isinstance(column.field, LookupField) for column in columns):
        manner = manner.knowing(submission.lookups)
    return [_cell(column, submission, data, names, manner) for column in columns]


def _cell(column: Column, submission: Submission, data: dict[str, Any], names: Names, manner: Manner) -> dict[str, Any]:
    cell: dict[str, Any] = {"label": column.label, "number": column.is_number, "text": "", "time": None, "status": ""}
    match column.name:
        case ".submitted" if submission.submitted is not None:
            cell["time"] = moment(submission.submitted, manner.time_zone)
        case ".submitted":
            cell["text"] = "Not submitted"
        case ".updated":
            cell["time"] = moment(submission.updated, manner.time_zone)
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
            cell["text"] = text_of(column.field, data.get(name), manner)
    return cell
