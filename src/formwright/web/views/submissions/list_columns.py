"""The columns of the list of submissions, and the cells in them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from formwright.core.file_uses import FileUse
from formwright.core.ids import is_id
from formwright.domain.forms.fields import AnyField, flatten_sections
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.saved_views.list_query import FormContext, ListQuery
from formwright.domain.saved_views.models import ANSWER_PREFIX
from formwright.domain.submissions.lookup_snapshots import with_rows
from formwright.domain.submissions.models import SortOrder, Submission
from formwright.web.templating import DisplayTime, format_relative_time

_DEFAULT_ANSWERS = 4
BUILT_IN_COLUMNS = {
    ".form": "Form",
    ".submitted": "Submitted",
    ".status": "Status",
    ".who": "Submitted by",
    ".updated": "Updated",
    ".externalId": "External ID",
    ".id": "ID",
}
"""The columns that every submission has, besides its answers. The dot keeps them apart from the names of fields."""
FIRST_ANSWERS = ".answers"
"""A column of the list over all forms, by default. No view stores it; a view without columns shows it."""
_MAX_FIRST_ANSWERS = 3
_MAX_THUMBNAILS = 3
_NAMES_IN_VIEWS = {".submitted": "submittedAt", ".status": "status", ".who": "userId", ".form": "formId"}
_SORTED_BY = {".submitted": SortOrder.SUBMITTED_DESC, ".updated": SortOrder.UPDATED_DESC}


@dataclass(frozen=True, slots=True)
class Column:
    """A column with its heading; for an answer, with its field."""

    name: str
    label: str
    field: AnyField | None = None

    @property
    def name_in_views(self) -> str:
        """The name of the column in saved views and addresses."""
        return name_in_views(self.name)

    @property
    def is_number(self) -> bool:
        """Whether the column is aligned right."""
        return self.field is not None and self.field.answer_kind.is_number


@dataclass(frozen=True, slots=True)
class ColumnHeader:
    """The heading of a column. `sort_url` is empty if the list can't be sorted by it.

    `aria_sort` is “ascending” or “descending” if the list is sorted by it.
    """

    label: str
    is_number: bool
    sort_url: str
    aria_sort: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the list. At most one of `text`, `time` and `status` is set.

    `photos` are the URLs of the first photos, and `text` then says how many there are in all. In a search, `parts` are
    the parts of the text, each with whether it matches.
    """

    label: str
    is_number: bool
    text: str = ""
    time: DisplayTime | None = None
    status: str = ""
    photos: Sequence[str] = ()
    parts: Sequence[tuple[str, bool]] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.text or self.time or self.status)


@dataclass(frozen=True, slots=True)
class RowContext:
    """What the rows of a page show besides their answers: the names of forms and people, by id, and the time now.

    `fields` are those of the version of each form, by version id, in the list over all forms. `file_url` returns a
    temporary link to a file; without it, there are no thumbnails. Without `now`, times are not relative.
    """

    forms: Mapping[str, str]
    people: Mapping[str | None, str]
    fields: Mapping[str, Sequence[AnyField]] = field(default_factory=dict)
    file_url: Callable[[str], str] | None = None
    now: int = 0


def available_columns(context: FormContext) -> list[Column]:
    """Return every column, in the order in which they are offered. The form is one only in the list of all forms."""
    built_in = [
        Column(name, label) for name, label in BUILT_IN_COLUMNS.items() if not (context.form and name == ".form")
    ]
    fields = [field for field in flatten_sections(context.fields) if field.has_answer]
    language = context.display.language
    return built_in + [Column(field.name, label_text(field.label, (language,)), field) for field in fields]


def name_in_views(name: str) -> str:
    """Return the name that a column of the list has in saved views and addresses."""
    return _NAMES_IN_VIEWS.get(name, name[1:]) if name.startswith(".") else ANSWER_PREFIX + name


def list_names(columns: Sequence[str]) -> list[str]:
    """Return the names in the list of columns that are named as in saved views and addresses."""
    built_in = {name_in_views(name): name for name in BUILT_IN_COLUMNS}
    return [built_in.get(name, name.removeprefix(ANSWER_PREFIX)) for name in columns]


def select_columns(available: Sequence[Column], chosen: Sequence[str] | None, title: str = "") -> list[Column]:
    """Return the chosen columns that still exist.

    Without any, return the default: the answer `title`, the form or the time, the status, the first short answers, and
    the person. The list over all forms has one column for the first answers of each row.
    """
    by_name = {column.name: column for column in available}
    first_answers = [Column(FIRST_ANSWERS, "First answers")] if ".form" in by_name else []
    selected = [by_name[name] for name in chosen or () if name in by_name]
    if selected:
        return selected
    short = [column for column in available if column.field and column.field.is_listed]
    first = [".form", ".status", ".submitted"] if ".form" in by_name else [".submitted", ".status"]
    first = [title, *first] if title in by_name else first
    short = [column for column in short if column.name != title]
    return [*(by_name[name] for name in first), *first_answers, *short[:_DEFAULT_ANSWERS], by_name[".who"]]


def column_header(column: Column, query: ListQuery, sortable: Collection[str]) -> ColumnHeader:
    """Return the heading of a column. Columns with a time and `sortable` fields link to the list sorted by them."""
    if column.field and column.name in sortable:
        ascending = name_in_views(column.name)
        aria_sort = {ascending: "ascending", f"-{ascending}": "descending"}.get(query.sort, "")
        return ColumnHeader(column.label, column.is_number, query.answer_sort_url(column.name), aria_sort)
    descending = _SORTED_BY.get(column.name)
    if descending is None:
        return ColumnHeader(column.label, column.is_number, "", "")
    words = {descending: "descending", descending.reversed: "ascending"}
    aria_sort = "" if query.sort else words.get(query.order, "")
    return ColumnHeader(column.label, column.is_number, query.sort_url(descending), aria_sort)


def render_cells(
    columns: Sequence[Column], submission: Submission, row: RowContext, context: DisplayContext
) -> list[Cell]:
    """Return the cells of one submission, in the order of the columns."""
    data = msgspec.json.decode(submission.data)
    if row.fields or any(column.field and column.field.datasource_id for column in columns):
        context = with_rows(context, submission.lookups)
    return [_render_cell(column, submission, data, row, context) for column in columns]


def _render_cell(
    column: Column, submission: Submission, data: dict[str, Any], row: RowContext, context: DisplayContext
) -> Cell:
    text, time, status = "", None, ""
    photos: Sequence[str] = ()
    match column.name:
        case ".submitted" if submission.submitted is not None:
            time = format_relative_time(submission.submitted, row.now, context.time_zone)
        case ".submitted":
            text = "Not submitted"
        case ".updated":
            time = format_relative_time(submission.updated, row.now, context.time_zone)
        case ".status":
            status = submission.status.value
        case ".form":
            text = row.forms.get(submission.form_id, "")
        case ".who":
            text = row.people.get(submission.user_id, "")
        case ".externalId":
            text = submission.external_id or ""
        case ".id":
            text = submission.id
        case name if name == FIRST_ANSWERS:
            text = _first_answers(row.fields.get(submission.version_id, ()), data, context)
        case name if column.field:
            text = column.field.format_answer(data.get(name), context)
            photos = _thumbnails(data.get(name), row) if column.field.file_use is FileUse.PHOTO else ()
    return Cell(column.label, column.is_number, text, time, status, photos)


def _first_answers(fields: Sequence[AnyField], data: dict[str, Any], context: DisplayContext) -> str:
    """Return the first short answers, each with its label."""
    texts = []
    for each in flatten_sections(fields):
        is_short = each.is_listed and not each.file_use
        if is_short and (text := each.format_answer(data.get(each.name), context)):
            texts.append(f"{label_text(each.label, (context.language,))}: {text}")
    return " · ".join(texts[:_MAX_FIRST_ANSWERS])


def _thumbnails(value: Any, row: RowContext) -> Sequence[str]:
    ids = value if isinstance(value, list) else []
    shown = [one for one in ids[:_MAX_THUMBNAILS] if isinstance(one, str) and is_id(one, "fil")]
    return [row.file_url(one) for one in shown] if row.file_url else []
