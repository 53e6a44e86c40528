"""Forms from Excel files (XLSForm) and back, each with a report of what is not as it was."""

import asyncio
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from litestar import Request, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import NewForm
from formwright.domain.forms.xlsform import report as xlsform_report
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform
from formwright.domain.forms.xlsform.report import Note
from formwright.web.session import get_app_context, require_visitor
from formwright.web.templating import PAGE_HEADERS, render_page
from formwright.web.views.designer.new import render_new_form

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_NO_FILE = {"where": "", "detail": "Choose a file first."}
_MAX_NOTES = 200


@post("/forms/import", status_code=303)
async def import_form(request: Request[Any, Any, Any]) -> Response[Any]:
    """A form from an Excel file: its draft, or first the report of what could not be carried as it was."""
    visitor, sent = await require_visitor(request), await request.form()
    file, folder = sent.get("file"), str(sent.get("folder", ""))
    content = await file.read() if isinstance(file, UploadFile) else b""
    if not content:
        return await render_new_form(request, 422, excel=[_NO_FILE], folder=folder)
    try:
        found = await asyncio.to_thread(import_xlsform, content)
        async with get_app_context(request).db.writing() as tx:
            made = await forms.create(tx, visitor.actor, _draft(found, folder))
            await xlsform_report.save_report(tx, visitor.actor, form_id=made.id, notes=found.report)
    except Invalid as error:
        return await render_new_form(
            request, 422, excel=[_fault_view(fault) for fault in error.faults[:_MAX_NOTES]], folder=folder
        )
    return Redirect(f"/forms/{made.id}/{'import' if found.report else 'design'}", status_code=303)


@get("/forms/{form_id:str}/import")
async def import_report_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[Any]:
    """What of the file a form was made from is not as it was."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        notes = await xlsform_report.load_report(tx, visitor.actor, form_id=form.id)
    if not notes:
        return Redirect(f"/forms/{form.id}/design", status_code=303)
    return render_page(
        request,
        "designer/excel_report.html",
        place="Forms",
        form=form,
        title=f"“{form.name}” imported from Excel",
        about="These parts of the file were changed or left out. Everything else was imported as is.",
        notes=_note_rows(notes),
        more=max(0, len(notes) - _MAX_NOTES),
        go={"text": "Open form", "url": f"/forms/{form.id}/design"},
        **visitor.template_frame,
    )


def _draft(found: ImportedForm, folder: str) -> NewForm:
    return NewForm(
        name=found.name,
        description="",
        tags=(),
        fields=found.definition_fields,
        settings=found.settings,
        publish=False,
        folder_id=folder or None,
    )


def _fault_view(fault: ValidationFault) -> dict[str, str]:
    """Where a fault is, as one finds it in a spreadsheet."""
    sheet, row, column = ([*fault.pointer.split("/")[1:], "", "", ""])[:3]
    return {"where": _cell_position(sheet, row, column), "detail": fault.detail}


def _cell_position(sheet: str, row: str, column: str) -> str:
    parts = [f"sheet {sheet}" if sheet else "", f"row {row}" if row else "", f"column {column}" if column else ""]
    return ", ".join(part for part in parts if part)


def _note_rows(notes: Sequence[Note]) -> list[dict[str, str]]:
    return [
        {"sheet": one.sheet, "row": str(one.row or ""), "column": one.column or "", "detail": one.detail}
        for one in notes[:_MAX_NOTES]
    ]


@get("/forms/{form_id:str}/versions/{version_id:str}/excel")
async def export_version(
    request: Request[Any, Any, Any], form_id: FromPath[str], version_id: FromPath[str]
) -> Response[Any]:
    """The version as an Excel file; what such a file cannot say is reported first, until `?anyway=1`."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        version = await versions.get(tx, visitor.actor, form_id=form.id, version_id=version_id)
    content, notes = await asyncio.to_thread(export_xlsform, form.name, version.definition)
    if notes and request.query_params.get("anyway") != "1":
        return render_page(
            request,
            "designer/excel_report.html",
            place="Forms",
            form=form,
            title=f"“{form.name}” as Excel",
            about="These parts of the form can’t be expressed as an XLSForm and are changed or left out of the file.",
            notes=_note_rows(notes),
            more=max(0, len(notes) - _MAX_NOTES),
            go={"text": "Download", "url": f"{request.scope['path']}?anyway=1"},
            **visitor.template_frame,
        )
    name = quote(f"{form.name} {version.number}.xlsx", safe="")
    headers = PAGE_HEADERS | {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(content, media_type=_MEDIA_TYPE, headers=headers)


HANDLERS = [import_form, import_report_page, export_version]
