"""Imports forms from XLSForm workbooks (https://xlsform.org), and exports them."""

import asyncio
from functools import partial

from formwright.api.binary_bodies import XlsxDownload, XlsxUpload
from formwright.api.context import RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import forms as schemas
from formwright.api.v1_0.schemas import xlsform as xlsform_wire
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import NewForm, VersionNotFound
from formwright.domain.forms.xlsform import report as xlsform_report
from formwright.domain.forms.xlsform.choice_files import list_sources
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_opened, open_xlsform
from formwright.domain.forms.xlsform.own_choices import provide_sources
from formwright.domain.forms.xlsform.report import Note

_FORMS = "/forms/customer/{customerId}/forms"
_XLSFORM = _FORMS + "/{formId}/versions/{versionId}/xlsform"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("POST", ("importForm", _FORMS + "/import"), location=_FORMS + "/{id}", raises=(Invalid,))
async def import_form(
    call: RequestContext, query: xlsform_wire.FormImportQuery, body: XlsxUpload
) -> xlsform_wire.ImportedForm:
    """Import a form.

    Creates a form from an XLSForm workbook (.xlsx, .xlsm or .xls). `report` lists, by sheet and row, everything that
    was converted or could not be imported. Without `publish`, the first version is a draft. Questions with choices in
    files (`select_one_from_file`) look up the rows of the data source that is named like the file: create it first.
    Lists in the sheet `external_choices`, and lists of more than 1,000 choices, become data sources if you may create
    some, unless the account has one with such a name and exactly these rows.

    Records the event `form.created` and, with `publish`, `form.published`.
    """
    opened = await asyncio.to_thread(open_xlsform, body.content)
    # Data sources are committed before the form: if the form is invalid, the next try finds them.
    sources = await provide_sources(
        call.db, call.actor, opened.choice_files, opened.own_choices(), partial(call.ctx.ids.new, "dat"), opened.report
    )
    read = await asyncio.to_thread(import_opened, opened, sources=sources)
    draft = NewForm(
        name=query.name or read.name,
        description="",
        tags=(),
        fields=read.definition_fields,
        settings=read.settings,
        publish=query.publish,
        folder_id=query.folder_id,
        similar_xform_id=read.form_id,
    )
    async with call.writing() as tx:
        await _check_folder(tx, call, query.folder_id)
        record = await forms.create(tx, call.actor, draft)
        notes = read.notes_for(record)
        await xlsform_report.save_report(tx, call.actor, form_id=record.id, notes=notes)
    return xlsform_wire.imported_form(schemas.form(record), notes)


async def _check_folder(tx: ReadTransaction, call: RequestContext, folder_id: str | None) -> None:
    if folder_id is not None and not await folders.list_descendants(tx, call.actor, folder_id=folder_id):
        raise Invalid.at("?folderId", FolderNotFound.code, FolderNotFound.detail)


@OPERATIONS.declare("GET", ("exportFormVersion", _XLSFORM), raises=(VersionNotFound,))
async def export_form_version(call: RequestContext, form_id: str, version_id: str) -> XlsxDownload:
    """Export a form version.

    Returns an XLSForm workbook (.xlsx). Get its export report for what the workbook cannot express.
    """
    name, (content, _) = await _exported(call, form_id, version_id)
    return XlsxDownload(content, name)


@OPERATIONS.declare("GET", ("getFormVersionExportReport", _XLSFORM + "/report"), raises=(VersionNotFound,))
async def get_form_version_export_report(
    call: RequestContext, form_id: str, version_id: str
) -> xlsform_wire.XlsformExportReport:
    """Get the export report of a form version.

    Lists what the XLSForm workbook of the version cannot express.
    """
    _, (_, notes) = await _exported(call, form_id, version_id)
    return xlsform_wire.export_report(notes)


async def _exported(call: RequestContext, form_id: str, version_id: str) -> tuple[str, tuple[bytes, list[Note]]]:
    async with call.reading() as tx:
        version = await versions.get(tx, call.actor, form_id=form_id, version_id=version_id)
        form = await forms.get(tx, call.actor, form_id=form_id)
        sources = await list_sources(tx, call.actor, version.definition)
    return form.name, await asyncio.to_thread(export_xlsform, form.name, version.definition, form.xform_id, sources)
