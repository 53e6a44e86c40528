"""The preview of a file, in which people map its columns to fields, and starting its import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from formwright.asgi.timeouts import disable_timeout
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import ContentMissing
from formwright.core.errors import Conflict, DomainError, Invalid
from formwright.core.sizes import format_size
from formwright.core.tables.base import Dialect
from formwright.domain.forms import service as forms
from formwright.domain.forms.answer_fields import list_answer_fields
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports import staging
from formwright.domain.submissions.imports.columns import ANSWER_PREFIX, Property, normalize_newlines
from formwright.domain.submissions.imports.models import (
    ImportNotFound,
    ImportOptions,
    RejectedRow,
    SubmissionImportStatus,
    SubmissionsImport,
)
from formwright.domain.submissions.imports.reader import FileRow
from formwright.domain.submissions.imports.staging import Preview
from formwright.web.http import Redirect, Response, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import format_time
from formwright.web.views.datasources.labels import (
    DECIMAL_MARKS,
    DELIMITERS,
    decimal_mark_options,
    delimiter_options,
    encoding_name,
    encoding_options,
    list_examples,
)
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.submissions.imports.list import PATH, ImporterPage

_IMPORT_PATH = PATH + "/{import_id:str}"
_MAX_CELL_LENGTH = 300
_SELECT = "column:"
_PLAIN = DisplayContext("en", "UTC")
PROPERTY_LABELS: Mapping[Property, str] = {
    Property.EXTERNAL_ID: "External id",
    Property.SUBMITTED_AT: "Submitted at",
    Property.USER_ID: "User id",
    Property.LATITUDE: "Latitude",
    Property.LONGITUDE: "Longitude",
    Property.ACCURACY: "Accuracy (m)",
    Property.ID: "Id that connects sheets",
}
_DATE_ORDERS = {True: "Day first: 31/12/2026", False: "Month first: 12/31/2026"}


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the file, with examples of its cells. `target` is the name of its field or property, or empty."""

    index: int
    name: str
    target: str
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class RowView:
    """One of the first rows: its values as they would be read, and what is wrong with it."""

    line: int
    values: Sequence[str]
    wrong: Sequence[bool]
    problems: Sequence[RejectedRow]

    @property
    def is_bad(self) -> bool:
        return bool(self.problems)


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """The view model of the preview.

    `headings` are those of the mapped columns, in the order of the values of `rows`. `unmapped` are the labels of the
    fields that no column has.
    """

    head: FormHead
    record: SubmissionsImport
    size: str
    faults: Sequence[str]
    columns: Sequence[ColumnView]
    fields: Sequence[tuple[str, str]]
    properties: Sequence[tuple[str, str]]
    headings: Sequence[str]
    rows: Sequence[RowView]
    bad_rows: int
    unmapped: Sequence[str]
    previewed: str
    was_changed: bool
    may_silence: bool
    time_zone: str
    sheets: Sequence[str]
    sheet: str
    delimiters: Sequence[tuple[str, str]]
    encodings: Sequence[tuple[str, str]]
    encoding_sample: Sequence[str]
    decimal_marks: Sequence[tuple[str, str]]
    decimal_mark: str
    date_orders: Sequence[tuple[str, str]]
    date_order: str
    detected: str


async def render_preview(page: Page, head: FormHead, record: SubmissionsImport, fault: str = "") -> Response:
    """Render the preview of a staged file for the published version of the form."""
    disable_timeout()
    try:
        _, version = await forms.get_for_answering(page.tx, page.actor, form_id=record.form_id)
        record = replace(record, actor=page.actor, version_id=version.id)
        preview = await staging.load_preview(page.ctx.db, page.ctx.files, record, version)
        fields = list_answer_fields(version.definition.fields)
        context = DisplayContext(version.definition.settings.language, page.visitor.customer.time_zone)
    except ContentMissing:
        preview, fields, context = Preview(faults=["The file didn’t arrive completely. Upload it again."]), [], _PLAIN
    except Conflict as error:
        preview, fields, context = Preview(faults=[str(error)]), [], _PLAIN
    labels = _label_fields(fields, context.language)
    view_model = _build_page(page.visitor, head, record, preview, labels, _format_rows(preview, fields, context))
    view_model = replace(view_model, was_changed=page.query.get("changed") == "1")
    if fault:
        view_model = replace(view_model, faults=list(dict.fromkeys([fault, *view_model.faults])))
    return page.render(
        "submissions/imports/preview.html",
        view_model,
        section="Forms",
        status=422 if fault else 200,
    )


def _build_page(
    visitor: Visitor,
    head: FormHead,
    record: SubmissionsImport,
    preview: Preview,
    labels: Mapping[str, str],
    rows: Sequence[RowView],
) -> PreviewPage:
    options = record.options
    properties = {one.value: label for one, label in PROPERTY_LABELS.items()}
    names = {**labels, **properties}
    if record.kind == "csv":
        del properties[Property.ID.value]
    mapped = [*preview.targets.values(), *(ANSWER_PREFIX + name for name in preview.repeats)]
    return PreviewPage(
        head=head,
        record=record,
        size=format_size(record.size),
        faults=preview.faults,
        columns=[_column_view(preview, index, name) for index, name in enumerate(preview.header)],
        fields=list(labels.items()),
        properties=list(properties.items()),
        headings=[] if preview.faults else [names[name] for name in mapped],
        rows=rows,
        bad_rows=sum(1 for row in rows if row.problems),
        unmapped=[label for name, label in labels.items() if name not in mapped] if preview.header else [],
        previewed=msgspec.json.encode(
            {name: preview.header[index] for index, name in preview.targets.items()}
        ).decode(),
        was_changed=False,
        may_silence=visitor.may_everywhere(Permission.WEBHOOKS_MANAGE),
        time_zone=options.time_zone,
        sheets=preview.sheets,
        sheet=preview.dialect.sheet or "",
        delimiters=delimiter_options(preview.dialect.delimiter, options.delimiter),
        encodings=encoding_options(preview.dialect.encoding, options.encoding),
        encoding_sample=preview.encoding_sample,
        decimal_marks=decimal_mark_options(
            None if options.decimal_comma is not None else preview.notation.decimal_mark
        ),
        decimal_mark="" if options.decimal_comma is None else "comma" if options.decimal_comma else "point",
        date_orders=_date_order_options(preview.notation.day_first if options.day_first is None else None),
        date_order="" if options.day_first is None else "day" if options.day_first else "month",
        detected=_describe_reading(preview),
    )


def _date_order_options(detected: bool | None) -> list[tuple[str, str]]:
    """Return the orders of dates to choose from; the first option decides it, and says what was decided."""
    automatic = "Automatic" if detected is None else f"Automatic: {_DATE_ORDERS[detected]}"
    return [("", automatic), ("day", _DATE_ORDERS[True]), ("month", _DATE_ORDERS[False])]


def _describe_reading(preview: Preview) -> str:
    """Return how the file is read, such as “Semicolon ; · UTF-8 · Comma: 1234,5”; empty if nothing is to be said."""
    dialect, notation = preview.dialect, preview.notation
    parts = [
        DELIMITERS.get(dialect.delimiter, dialect.delimiter) if dialect.delimiter else "",
        encoding_name(dialect.encoding) if dialect.encoding else "",
        DECIMAL_MARKS[notation.decimal_mark] if notation.decimal_mark else "",
        "" if notation.day_first is None else _DATE_ORDERS[notation.day_first],
    ]
    return " · ".join(part for part in parts if part)


def _label_fields(fields: Sequence[AnyField], language: str) -> dict[str, str]:
    """Return the label of each field by the name of its target. Labels that fields share get the name of the field."""
    labels = {field.name: label_text(field.label, (language,)) or field.name for field in fields}
    texts = list(labels.values())
    return {
        ANSWER_PREFIX + name: f"{label} ({name})" if texts.count(label) > 1 else label for name, label in labels.items()
    }


def _column_view(preview: Preview, index: int, name: str) -> ColumnView:
    examples = list_examples((row.cells for row in preview.rows), index)
    return ColumnView(index, name, preview.targets.get(index, ""), examples)


def _format_rows(preview: Preview, fields: Sequence[AnyField], context: DisplayContext) -> list[RowView]:
    by_name = {field.name: field for field in fields}
    return [
        RowView(
            line=row.line,
            values=[
                *(_format_cell(row, index, name, by_name, context) for index, name in preview.targets.items()),
                *(_format_repeat(row, name, by_name, context) for name in preview.repeats),
            ],
            wrong=[preview.header[index] in {one.column for one in errors} for index in preview.targets]
            + [False] * len(preview.repeats),
            problems=errors,
        )
        for row, errors in zip(preview.rows, preview.errors, strict=True)
    ]


def _format_cell(row: FileRow, index: int, target: str, fields: Mapping[str, AnyField], context: DisplayContext) -> str:
    """Return a value as the import reads it; of a row that cannot be read, the cell as it is in the file."""
    cell = row.cells[index] if index < len(row.cells) else ""
    if row.payload is None:
        return _shorten(cell)
    if target.startswith(ANSWER_PREFIX):
        name = target.removeprefix(ANSWER_PREFIX)
        return _shorten(fields[name].format_answer(row.payload.data.get(name), context))
    if target == Property.SUBMITTED_AT and row.payload.submitted_at is not None:
        return format_time(row.payload.submitted_at, context.time_zone).text
    return _shorten(cell)


def _format_repeat(row: FileRow, name: str, fields: Mapping[str, AnyField], context: DisplayContext) -> str:
    return _shorten(fields[name].format_answer(row.payload.data.get(name), context)) if row.payload else ""


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_CELL_LENGTH else text[:_MAX_CELL_LENGTH] + "…"


@post(_IMPORT_PATH + "/preview")
async def preview_again(page: ImporterPage, form_id: str, import_id: str) -> Response:
    """Save the mapping and the options, and show the preview with them."""
    sent = await page.form()
    record, _ = await _load_staged(page, form_id, import_id)
    if record.status is SubmissionImportStatus.ARRIVING:
        await _save(page, record, _read_options(record, sent))
    return _redirect(record)


@post(_IMPORT_PATH + "/start")
async def start_import(page: ImporterPage, form_id: str, import_id: str) -> Response:
    """Start the import as previewed. If something has changed since, show the new preview first."""
    disable_timeout()
    sent = await page.form()
    record, head = await _load_staged(page, form_id, import_id)
    if record.status is not SubmissionImportStatus.ARRIVING:
        return _redirect(record)
    options = _read_options(record, sent)
    if not _matches_preview(record, sent, options) or sent.get("version") != head.form.published_version_id:
        await _save(page, record, options)
        return Redirect(f"{_url(record)}?changed=1")
    try:
        await _save(page, record, options)
        await staging.start(page.ctx.db, page.ctx.files, page.actor, options, import_id=record.id)
    except (Invalid, Conflict, ContentMissing) as error:
        return await render_preview(page, head, replace(record, options=options), _first_detail(error))
    return _redirect(record)


@post(_IMPORT_PATH + "/discard")
async def discard_file(page: ImporterPage, form_id: str, import_id: str) -> Redirect:
    """Delete the file, and open the page to choose another one."""
    record, _ = await _load_staged(page, form_id, import_id)
    if record.status is SubmissionImportStatus.ARRIVING:
        await staging.discard(page.ctx.db, page.ctx.files, page.actor, import_id=record.id)
    return Redirect(f"/forms/{form_id}/imports")


def _first_detail(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


def _url(record: SubmissionsImport) -> str:
    return f"/forms/{record.form_id}/imports/{record.id}"


def _redirect(record: SubmissionsImport) -> Redirect:
    return Redirect(_url(record))


async def _load_staged(page: Page, form_id: str, import_id: str) -> tuple[SubmissionsImport, FormHead]:
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    record = await imports.get(page.tx, page.actor, import_id=import_id)
    if record.form_id != form_id:
        raise ImportNotFound()
    return record, await load_form_head(page.tx, page.visitor, form)


async def _save(page: Page, record: SubmissionsImport, options: ImportOptions) -> None:
    await staging.save_options(page.ctx.db, page.actor, options, import_id=record.id)


def _read_options(record: SubmissionsImport, sent: Any) -> ImportOptions:
    """Read the options from the form."""
    before = record.options

    def read(name: str) -> str | None:
        return str(sent.get(name, "")) or None

    decimal_mark, date_order = read("decimal_mark"), read("date_order")
    dialect = Dialect(read("encoding"), (read("delimiter") or "")[:1] or None, read("sheet"))
    # Read in another way, the file has other columns, which are mapped by their names first.
    is_same = dialect == Dialect(before.encoding, before.delimiter, before.sheet or sent.get("previewed_sheet") or None)
    return replace(
        before,
        columns=_read_columns(sent) if is_same else None,
        skip_bad=sent.get("bad_rows") == "skip",
        silent=sent.get("silent") == "1",
        encoding=dialect.encoding,
        delimiter=dialect.delimiter,
        sheet=dialect.sheet,
        decimal_comma=None if decimal_mark is None else decimal_mark == "comma",
        day_first=None if date_order is None else date_order == "day",
    )


def _read_columns(sent: Any) -> dict[str, str] | None:
    """Return the column of each target.

    If two columns have the same target, the one whose select was changed has it.
    """
    before = _previewed_columns(sent)
    chosen: dict[str, str] = {}
    selects = [(str(name), str(target)) for name, target in sent.multi_items() if str(name).startswith(_SELECT)]
    for name, target in selects:
        column = name.removeprefix(_SELECT)
        if target and (target not in chosen or before.get(target) != column):
            chosen[target] = column
    return chosen if selects else None


def _previewed_columns(sent: Any) -> dict[str, str]:
    """Return the column of each target in the preview from which the form was sent."""
    try:
        columns = msgspec.json.decode(str(sent.get("previewed", "")), type=dict[str, str])
    except msgspec.DecodeError:
        return {}
    return {target: normalize_newlines(column) for target, column in columns.items()}


def _matches_preview(record: SubmissionsImport, sent: Any, options: ImportOptions) -> bool:
    """Whether the preview was made with these options. What happens to invalid rows and webhooks does not affect it."""
    same = replace(options, columns=None, skip_bad=False, silent=False, sheet=None) == replace(
        record.options, columns=None, skip_bad=False, silent=False, sheet=None
    )
    return same and options.columns == _previewed_columns(sent)
