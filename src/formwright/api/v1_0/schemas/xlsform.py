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


class XlsformNoteCounts(Resource):
    """How many notes of a report have each effect. Nothing is lost if `questions` and `rules` are 0."""

    questions: Annotated[int, Meta(ge=0, description="Questions or choices that are missing.")]
    rules: Annotated[int, Meta(ge=0, description="Rules or computed defaults that are missing.")]
    looks: Annotated[int, Meta(ge=0, description="Things that only look different.")]
    converted: Annotated[int, Meta(ge=0, description="Things that are expressed in another way.")]
    none: Annotated[int, Meta(ge=0, description="Things whose change nobody notices.")]


class ImportedForm(Form):
    """A form that was created from an XLSForm workbook."""

    counts: XlsformNoteCounts
    report: Annotated[list[XlsformNote], Meta(description="What was converted or could not be imported.")]


class XlsformExportReport(Resource):
    """What an XLSForm workbook of a version does not contain."""

    counts: XlsformNoteCounts
    report: Annotated[list[XlsformNote], Meta(description="What was converted or could not be exported.")]


def export_report(notes: Sequence[domain.Note]) -> XlsformExportReport:
    return XlsformExportReport(counts=_counts(notes), report=[*map(XlsformNote.of, notes)])


def _counts(notes: Sequence[domain.Note]) -> XlsformNoteCounts:
    return XlsformNoteCounts(**{effect.value: count for effect, count in domain.count_effects(notes).items()})


def imported_form(form: Form, notes: Sequence[domain.Note]) -> ImportedForm:
    return ImportedForm.of(form, counts=_counts(notes), report=[*map(XlsformNote.of, notes)])
