"""What became of a form on its way from or to an Excel file."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.wire.basics import Name, Resource
from formwright.api.v1_0.wire.forms import Form
from formwright.api.v1_0.wire.ids import FolderId
from formwright.domain.forms.xlsform import report as domain
from formwright.domain.forms.xlsform.report import NoteKind


class ImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """What becomes of the file."""

    name: Annotated[Name | None, Meta(description="The form's name; the file's title, where it is left out.")] = None
    folder_id: FolderId | None = None
    publish: Annotated[bool, Meta(description="Open the form to be filled at once.")] = False


class ReportNote(Resource):
    """One thing that is not as it was."""

    kind: NoteKind
    sheet: str
    row: Annotated[int | None, Meta(description="As the spreadsheet counts, from 1.")]
    column: str | None
    code: str
    detail: str


class FormImported(Form):
    """The new form, and what was changed or could not be carried."""

    report: list[ReportNote]


class ExportReport(Resource):
    """What the file does not carry."""

    report: list[ReportNote]


def note(record: domain.Note) -> ReportNote:
    """The note as the API shows it."""
    return ReportNote(
        kind=record.kind,
        sheet=record.sheet,
        row=record.row,
        column=record.column,
        code=record.code,
        detail=record.detail,
    )


def imported(form: Form, notes: Sequence[domain.Note]) -> FormImported:
    """The form with its report."""
    return FormImported(**msgspec.structs.asdict(form), report=[note(one) for one in notes])
