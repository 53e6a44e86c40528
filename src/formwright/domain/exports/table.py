"""The submissions of a form as a table for exports: its sheets, columns and headings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms.answer_fields import list_answer_fields, list_of_all_versions, list_repeats
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.models import Form
from formwright.domain.saved_views.models import ANSWER_PREFIX
from formwright.domain.submissions.imports.columns import ROW_HEADING, ROW_PREFIX

Picked = TypeVar("Picked")
BUILT_IN_HEADINGS = {
    "id": "Submission",
    "status": "Status",
    "submittedAt": "Submitted",
    "updated": "Changed",
    "userId": "Who",
    "externalId": "External id",
    "note": "Note",
    "latitude": "Latitude",
    "longitude": "Longitude",
    "accuracy": "Accuracy (m)",
}
"""The headings of the columns that every submission has, by name: those of saved views have the same names."""
IMPORTED_PROPERTIES = ("id", "externalId", "submittedAt", "userId", "latitude", "longitude", "accuracy")
"""The properties in a table for an import, which is also their heading."""
_FORM_COLUMN = "formId"
_FORM_HEADING = "Form"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: the built-in columns, then a column per field. With `path`, it has the rows of the last of these
    repeats, each of which contains the next one.
    """

    fields: Sequence[AnyField]
    path: Sequence[RepeatField] = ()

    @property
    def repeat(self) -> RepeatField | None:
        """The repeat whose rows the sheet has; None for the sheet of submissions."""
        return self.path[-1] if self.path else None


@dataclass(frozen=True, slots=True)
class OfficeLayout:
    """How an Excel file for people shows what other files have in one column: see `list_suffixes`.

    `origin` is the address of the pages, to which files link; without it, they are only counted.
    """

    origin: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A sheet of submissions, and one for each repeat of the form.

    `columns` are the names of the chosen columns in their order, as in saved views; empty means all of them. Then the
    fields of the main sheet are those among the columns.
    """

    main: Sheet
    repeats: Sequence[Sheet]
    context: DisplayContext
    columns: Sequence[str] = ()
    form_name: str = ""
    for_import: bool = False
    """Whether it is for an import: with names instead of labels, and cells that lose nothing."""
    layout: OfficeLayout | None = None
    """The layout of an Excel file that people download. Without it, each field has one column."""

    @property
    def answer_names(self) -> frozenset[str] | None:
        """The names of the fields among the chosen columns; None if all columns are."""
        return frozenset(field.name for field in self.main.fields) if self.columns else None


async def build_table(
    tx: ReadTransaction,
    actor: Actor,
    form: Form,
    published: Sequence[AnyField],
    display: DisplayContext,
    columns: Sequence[str] = (),
) -> Table:
    """Build the columns: the fields of the published version in their order, then those of earlier versions.

    With `columns`, the table has only these, as far as the form has or had them, or else the ids.
    """
    fields = await list_of_all_versions(tx, actor, published, form_id=form.id)
    if columns:
        names = {*BUILT_IN_HEADINGS, _FORM_COLUMN, *(ANSWER_PREFIX + field.name for field in fields)}
        columns = [name for name in columns if name in names] or ["id"]
        fields = [field for field in fields if ANSWER_PREFIX + field.name in columns]
    sheets = [Sheet(list_answer_fields(path[-1].fields), path) for path in list_repeats(fields)]
    return Table(Sheet(fields), sheets, display, columns, form.name)


def headings(table: Table, sheet: Sheet) -> list[str]:
    """Return the headings of a sheet. Labels that occur twice, apart from case, get the name of the field."""
    if table.for_import:
        answers = [ANSWER_PREFIX + field.name for field in sheet.fields]
        outer = [f"{ROW_PREFIX}{repeat.name}" for repeat in sheet.path[:-1]]
        return ["id", *outer, *answers] if sheet.repeat else [*IMPORTED_PROPERTIES, *answers]
    if table.columns and sheet.repeat is None:
        return pick_columns(table, [*_all_headings(table, sheet), _FORM_HEADING])
    return _all_headings(table, sheet)


def pick_columns(table: Table, cells: Sequence[Picked]) -> list[Picked]:
    """Return the chosen ones of a sheet's columns, given those of the built-in columns, all fields and the form."""
    answers = [ANSWER_PREFIX + field.name for field in table.main.fields for _ in list_suffixes(table, field)]
    cells_by_name: dict[str, list[Picked]] = {}
    for name, cell in zip([*BUILT_IN_HEADINGS, *answers, _FORM_COLUMN], cells, strict=True):
        cells_by_name.setdefault(name, []).append(cell)
    return [cell for name in table.columns for cell in cells_by_name[name]]


def list_suffixes(table: Table, field: AnyField) -> Sequence[str]:
    """Return what the headings of a field's columns have after its label, one for each of its columns."""
    if table.layout and field.answer_kind is AnswerKind.POSITION:
        return (", latitude", ", longitude", ", accuracy (m)")
    return ("", ", key") if table.layout and field.datasource_id else ("",)


def _all_headings(table: Table, sheet: Sheet) -> list[str]:
    columns = [
        (label_text(field.label, (table.context.language,)), field.name, suffix)
        for field in sheet.fields
        for suffix in list_suffixes(table, field)
    ]
    outer = [ROW_HEADING.format(repeat.name) for repeat in sheet.path[:-1]]
    built_in = ["Submission", *outer, "Row"] if sheet.repeat else [*BUILT_IN_HEADINGS.values()]
    labels = [f"{label}{suffix}" for label, _, suffix in columns]
    named = [f"{label} ({name}){suffix}" for label, name, suffix in columns]
    taken = [*built_in, _FORM_HEADING] if _FORM_COLUMN in table.columns else built_in
    return [*built_in, *_make_unique(labels, named, taken)]


def _make_unique(labels: Sequence[str], named: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the labels, and instead of those that occur more than once, apart from case, the ones with names."""
    found = list(labels)
    while True:
        counts = Counter(text.casefold() for text in (*taken, *found))
        # A label can look like another one with a name. Those with names differ from each other.
        again = [index for index, text in enumerate(found) if counts[text.casefold()] > 1 and text != named[index]]
        if not again:
            break
        for index in again:
            found[index] = named[index]
    # Names of fields of several versions may differ in case only.
    seen: Counter[str] = Counter()
    for index, text in enumerate(found):
        seen[text.casefold()] += 1
        found[index] = text if seen[text.casefold()] == 1 else f"{text} #{seen[text.casefold()]}"
    return found


def sheet_title(table: Table, sheet: Sheet) -> str:
    """Return the title of a sheet."""
    if table.for_import and sheet.repeat:
        return sheet.repeat.name
    return label_text(sheet.repeat.label, (table.context.language,)) if sheet.repeat else "Submissions"
