"""Schemas of forms imported from XLSForm workbooks, and of the reports of imports and exports."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    FolderId,
    Name,
    Resource,
)
from formwright.api.v1_0.schemas.forms import Form
from formwright.domain.forms.xlsform import report as domain
from formwright.domain.forms.xlsform.report import NoteEffect, NoteKind


class FormImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """Properties of an imported form."""

    name: Annotated[Name | None, Meta(description="The name of the form. Default: the title in the workbook.")] = None
    folder_id: Annotated[FolderId | None, Meta(description="The folder for the form. Default: the top level.")] = None
    publish: Annotated[bool, Meta(description="Publish the form; otherwise it is a draft.")] = False


class XlsformNote(Resource):
    """Something that was converted, or could not be, between a form and an XLSForm workbook."""

    kind: NoteKind
    effect: NoteEffect
    sheet: Annotated[str, Meta(description="The name of the sheet.")]
    row: Annotated[int | None, Meta(description="The row, counted from 1; null if the note concerns none.")]
    column: Annotated[str | None, Meta(description="The name of the column; null if the note concerns none.")]
    code: Annotated[str, Meta(description="A stable code, which begins with `xlsform.`.")]
    detail: Annotated[str, Meta(description="An explanation for people.")]


class ImportedForm(Form):
    """A form that was created from an XLSForm workbook."""

    report: Annotated[list[XlsformNote], Meta(description="What was converted or could not be imported.")]


class XlsformExportReport(Resource):
    """What an XLSForm workbook of a version does not contain."""

    report: Annotated[list[XlsformNote], Meta(description="What was converted or could not be exported.")]


def note(record: domain.Note) -> XlsformNote:
    return XlsformNote(
        kind=record.kind,
        effect=record.effect,
        sheet=record.sheet,
        row=record.row,
        column=record.column,
        code=record.code,
        detail=record.detail,
    )


def imported_form(form: Form, notes: Sequence[domain.Note]) -> ImportedForm:
    return ImportedForm(**msgspec.structs.asdict(form), report=[note(record) for record in notes])
