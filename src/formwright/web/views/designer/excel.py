"""Import and export of forms as Excel files (XLSForm), with reports of what could not be converted."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO, cast

from formwright.core.blobs import ContentTooLarge
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.tables.base import TableUnreadable
from formwright.domain.files import form_media
from formwright.domain.files.filenames import content_disposition
from formwright.domain.files.form_media import TooManyMedia
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.models import Form, NewForm
from formwright.domain.forms.xlsform import report as xlsform_report
from formwright.domain.forms.xlsform.choice_files import list_sources, open_choice_file
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_opened, open_xlsform
from formwright.domain.forms.xlsform.own_choices import OwnChoices, list_needed, provide_sources
from formwright.domain.forms.xlsform.report import Note, NoteEffect, count_effects
from formwright.domain.forms.xlsform.sheets import MAX_FILE_BYTES
from formwright.web.http import Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.templating import PAGE_HEADERS
from formwright.web.uploaded_files import iter_chunks
from formwright.web.views.designer.new import ImportFault, render_new_form

_MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_NO_FILE = ImportFault("", "Choose a file first.")
_MAX_NOTES = 200
_MAX_BODY = MAX_FILE_BYTES + form_media.MAX_TOTAL_SIZE


_GROUP_TITLES = {
    NoteEffect.QUESTIONS: "Questions that are missing",
    NoteEffect.RULES: "Rules that are missing",
    NoteEffect.LOOKS: "Things that look different",
    NoteEffect.CONVERTED: "Expressed in another way",
    NoteEffect.NONE: "Without effect for respondents",
}


@dataclass(frozen=True, slots=True)
class NoteGroup:
    """The notes with the same effect. Only those that respondents notice are open at first."""

    title: str
    count: int
    notes: Sequence[Note]
    is_open: bool


_LOSSES = (
    (NoteEffect.QUESTIONS, "1 question or choice is missing", "{} questions or choices are missing"),
    (NoteEffect.RULES, "1 rule is missing", "{} rules are missing"),
)
_CHANGES = (
    (NoteEffect.LOOKS, "1 thing looks different", "{} things look different"),
    (NoteEffect.CONVERTED, "1 is expressed in another way", "{} are expressed in another way"),
)


def _summarize(notes: Sequence[Note]) -> str:
    """Say what is lost, and apart from that, what only looks different or is expressed in another way."""
    losses = _write_counts(notes, _LOSSES) or "No question or rule is missing"
    changes = _write_counts(notes, _CHANGES)
    return f"{losses}. {changes}." if changes else f"{losses}."


def _write_counts(notes: Sequence[Note], texts: Sequence[tuple[NoteEffect, str, str]]) -> str:
    counts = count_effects(notes)
    parts = [(counts[effect], one, many) for effect, one, many in texts if counts[effect]]
    return " and ".join(one if count == 1 else many.format(count) for count, one, many in parts)


def _group_notes(notes: Sequence[Note]) -> list[NoteGroup]:
    found = [(effect, title, [n for n in notes if n.effect is effect]) for effect, title in _GROUP_TITLES.items()]
    return [
        NoteGroup(title, len(some), some[:_MAX_NOTES], is_open=effect is not NoteEffect.NONE)
        for effect, title, some in found
        if some
    ]


@dataclass(frozen=True, slots=True)
class ConversionReportPage:
    """The view model of a report. `more` is the number of notes it leaves out; `action` is the label of its button."""

    form: Form
    title: str
    introduction: str
    groups: Sequence[NoteGroup]
    more: int
    action: str
    action_url: str


@post("/forms/import", request_max_body_size=_MAX_BODY)
async def import_form(page: Page) -> Response:
    """Create a draft from an Excel file. Opens the report if parts of the file could not be converted."""
    sent = await page.form()
    file, folder = sent.get("file"), str(sent.get("folder", ""))
    content, file_name = (await file.read(), file.filename) if isinstance(file, UploadFile) else (b"", "")
    if not content:
        return await render_new_form(page, 422, import_faults=[_NO_FILE], folder=folder)
    try:
        imported = await _import_with_files(page, content, file_name, sent.getall("attached", []))
        async with page.writing() as tx:
            created = await forms.create(tx, page.actor, _draft(imported, folder))
        # After the form is committed: media belong to an existing form, and receiving files would keep the transaction
        # open.
        attached = await _attach_media(page, created.id, imported.media, sent.getall("attached", []))
        notes = imported.notes_for(created, attached)
        async with page.writing() as tx:
            await xlsform_report.save_report(tx, page.actor, form_id=created.id, notes=notes)
    except Invalid as error:
        faults = [_import_fault(fault) for fault in error.faults[:_MAX_NOTES]]
        return await render_new_form(page, 422, import_faults=faults, folder=folder)
    return Redirect(f"/forms/{created.id}/{'import' if notes else 'design'}")


async def _import_with_files(page: Page, content: bytes, file_name: str, attached: Sequence[Any]) -> ImportedForm:
    """Import the form. Choices in attached files or in the workbook become data sources, unless there are such already.

    Data sources that were created remain if the form is invalid: with the next try, the form finds them.
    """
    opened = await asyncio.to_thread(open_xlsform, content)
    own = opened.own_choices()
    for file in attached:
        name = file.filename if isinstance(file, UploadFile) else ""
        if name in opened.choice_files:
            choices = await _open_choices(name, opened.choice_files[name], file)
            own |= list_needed(name, choices, opened.choice_files)
    create_id = partial(page.ctx.ids.new, "dat")
    sources = await provide_sources(page.ctx.db, page.actor, opened.choice_files, own, create_id, opened.report)
    return await asyncio.to_thread(import_opened, opened, file_name, sources)


async def _attach_media(page: Page, form_id: str, wanted: Sequence[str], attached: Sequence[Any]) -> set[str]:
    """Add the attached files that the form needs to its media, and return their names. Others are reported later."""
    added = set()
    for file in attached:
        if not isinstance(file, UploadFile) or file.filename not in wanted:
            continue
        with suppress(Invalid, TooManyMedia, ContentTooLarge):
            async with page.ctx.files.receive(iter_chunks(file), form_media.MAX_SIZE) as received:
                stored = await form_media.add(
                    page.ctx.db, page.ctx.files, page.actor, received, form_id=form_id, name=file.filename, type_=""
                )
            added.add(stored.name)
    return added


async def _open_choices(name: str, key: str, file: UploadFile) -> OwnChoices:
    try:
        rows = await asyncio.to_thread(open_choice_file, name, cast("BinaryIO", file.file))
    except TableUnreadable as error:
        raise Invalid.at(f"/{name}", error.code, error.detail) from None
    except Invalid as error:
        faults = [replace(fault, pointer=f"/{name}/{fault.pointer.lstrip('/#')}") for fault in error.faults]
        raise Invalid(faults) from None
    return OwnChoices(rows, "survey", key)


@get("/forms/{form_id:str}/import")
async def import_report_page(page: Page, form_id: str) -> Response:
    """The report of the parts of the Excel file that could not be converted when the form was imported."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    notes = await xlsform_report.load_report(page.tx, page.actor, form_id=form.id)
    if not notes:
        return Redirect(f"/forms/{form.id}/design")
    view_model = ConversionReportPage(
        form=form,
        title=f"“{form.name}” imported from Excel",
        introduction=f"{_summarize(notes)} Everything else was imported as is.",
        groups=_group_notes(notes),
        more=sum(max(0, group.count - _MAX_NOTES) for group in _group_notes(notes)),
        action="Open form",
        action_url=f"/forms/{form.id}/design",
    )
    return page.render("designer/excel_report.html", view_model, section="Forms")


def _draft(imported: ImportedForm, folder: str) -> NewForm:
    return NewForm(
        name=imported.name,
        description="",
        tags=(),
        fields=imported.definition_fields,
        settings=imported.settings,
        publish=False,
        folder_id=folder or None,
        similar_xform_id=imported.form_id,
    )


def _import_fault(fault: ValidationFault) -> ImportFault:
    """Return an error with its position in the spreadsheet, for example “sheet survey, row 3”."""
    sheet, row, column = ([*fault.pointer.split("/")[1:], "", "", ""])[:3]
    return ImportFault(_cell_position(sheet, row, column), fault.detail)


def _cell_position(sheet: str, row: str, column: str) -> str:
    parts = [f"sheet {sheet}" if sheet else "", f"row {row}" if row else "", f"column {column}" if column else ""]
    return ", ".join(part for part in parts if part)


@get("/forms/{form_id:str}/versions/{version_id:str}/excel")
async def export_version(page: Page, form_id: str, version_id: str) -> Response:
    """The version as an Excel file. Without `?anyway=1`, a report comes first if parts of it can't be converted."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get(page.tx, page.actor, form_id=form.id, version_id=version_id)
    sources = await list_sources(page.tx, page.actor, version.definition)
    content, notes = await asyncio.to_thread(export_xlsform, form.name, version.definition, form.xform_id, sources)
    if notes and page.query.get("anyway") != "1":
        view_model = ConversionReportPage(
            form=form,
            title=f"“{form.name}” as Excel",
            introduction=f"{_summarize(notes)} The file contains everything else as it is.",
            groups=_group_notes(notes),
            more=sum(max(0, group.count - _MAX_NOTES) for group in _group_notes(notes)),
            action="Download",
            action_url=f"{page.scope['path']}?anyway=1",
        )
        return page.render("designer/excel_report.html", view_model, section="Forms")
    return xlsx_response(f"{form.name} {version.number}.xlsx", content)


def xlsx_response(name: str, content: bytes) -> Response:
    """Return a workbook that browsers save with this name."""
    headers = PAGE_HEADERS | {"content-disposition": content_disposition(name)}
    return Response(content, media_type=_MEDIA_TYPE, headers=headers)
