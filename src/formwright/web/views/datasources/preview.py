"""The preview of a file before it is imported, and the progress of reading and importing it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.errors import ValidationFault
from formwright.core.sizes import format_size
from formwright.core.tables.base import BadRow
from formwright.core.tables.numbers import MARK_NAMES
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import CellType, Column, Datasource, ImportMode
from formwright.domain.datasources.staged_files.models import Preview, Upload, UploadState
from formwright.web.http import Response
from formwright.web.page import Page
from formwright.web.views.datasources.labels import (
    NUMBER_TYPES,
    TYPE_LABELS,
    decimal_mark_options,
    delimiter_options,
    encoding_options,
    list_examples,
)

_UNREADABLE = ("table.html", "table.kind", "table.empty", "table.zip_bomb", "table.too_large")
"""Errors that no other options can fix: it takes another file."""


@dataclass(frozen=True, slots=True)
class ProgressPage:
    """The view model of an upload that is being read or imported. `source` is None for a new data source."""

    source: Datasource | None
    upload: Upload
    title: str
    is_importing: bool


@dataclass(frozen=True, slots=True)
class ImportInput:
    """The input for the import: whether it skips invalid rows and deletes missing ones, and a new source's name.

    `unconfirmed` is “skip” or “delete” if that must be confirmed before the import.
    """

    name: str
    name_fault: str = ""
    skip_bad: bool = False
    delete: bool = False
    unconfirmed: str = ""


@dataclass(frozen=True, slots=True)
class PreviewColumn:
    """A column of the file, with examples of its values; `index` is its position in the cells of a row."""

    index: int
    name: str
    type: CellType
    type_label: str
    is_fixed: bool
    is_number: bool
    is_key: bool
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One of the first rows of the file. `bad` says what is wrong with it; it may have no cells then."""

    line: int
    cells: Sequence[str]
    bad: BadRow | None

    @property
    def is_bad(self) -> bool:
        return self.bad is not None


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """The view model of the preview. `source` is None for a new data source.

    `preview` is what was read from the file, with the counts of what the import would do.
    """

    source: Datasource | None
    upload: Upload
    title: str
    size: str
    preview: Preview
    entered: ImportInput
    faults: Sequence[str]
    is_readable: bool
    is_interrupted: bool
    is_upsert: bool
    delimiters: Sequence[tuple[str, str]]
    encodings: Sequence[tuple[str, str]]
    decimal_marks: Sequence[tuple[str, str]]
    decimal_mark: str
    columns: Sequence[PreviewColumn]
    types: Mapping[CellType, str]
    rows: Sequence[PreviewRow]
    valid_rows: int
    more_bad_rows: int


async def render_preview(page: Page, upload: Upload, entered: ImportInput | None = None) -> Response:
    """Render the progress of an upload, or its preview once it has been read."""
    source = None
    if not upload.is_new:
        source = await datasources.get(page.tx, page.actor, datasource_id=upload.datasource_id)
    title = _page_title(upload, source.name if source else "")
    if upload.is_active(page.ctx.clock.now()):
        progress = ProgressPage(source, upload, title, is_importing=upload.state is UploadState.IMPORTING)
        return page.render("datasources/progress.html", progress, section="Data sources")
    preview = upload.preview
    detected, chosen = preview.dialect, upload.choices.dialect
    view_model = PreviewPage(
        source=source,
        upload=upload,
        title=title,
        size=format_size(upload.size),
        preview=preview,
        entered=entered or _current_input(upload),
        faults=[fault.detail for fault in preview.faults if not is_name_fault(fault)],
        is_readable=not any(fault.code in _UNREADABLE for fault in preview.faults),
        is_interrupted=upload.state is not UploadState.LOOKED,
        is_upsert=upload.choices.mode is ImportMode.UPSERT,
        delimiters=delimiter_options(detected.delimiter, chosen.delimiter, undetected="one column"),
        encodings=encoding_options(detected.encoding, chosen.encoding),
        decimal_marks=decimal_mark_options(None),
        decimal_mark=MARK_NAMES[chosen.decimal_mark] if chosen.decimal_mark else "",
        columns=[_column_view(preview, index, column) for index, column in enumerate(preview.columns)],
        types=TYPE_LABELS,
        rows=_row_views(preview),
        valid_rows=preview.total - preview.counts.skipped,
        more_bad_rows=preview.counts.skipped - len(preview.bad),
    )
    status = 422 if entered else 200
    return page.render("datasources/preview.html", view_model, section="Data sources", status=status)


def _page_title(upload: Upload, name: str) -> str:
    if upload.is_new:
        return "Add data source"
    if upload.choices.mode is ImportMode.UPSERT:
        return f"Add and update rows of “{name}”"
    return f"Replace rows of “{name}”"


def is_name_fault(fault: ValidationFault) -> bool:
    """Whether another name fixes the error."""
    return fault.code in ("datasource.name", "datasource.name_taken")


def _current_input(upload: Upload) -> ImportInput:
    name_fault = next((fault.detail for fault in upload.preview.faults if is_name_fault(fault)), "")
    return ImportInput(upload.choices.name, name_fault, skip_bad=upload.choices.skip_bad)


def _column_view(preview: Preview, index: int, column: Column) -> PreviewColumn:
    return PreviewColumn(
        index=index,
        name=column.name,
        type=column.type,
        type_label=TYPE_LABELS[column.type],
        is_fixed=column.fixed,
        is_number=column.type in NUMBER_TYPES,
        is_key=column.name == preview.key_column,
        examples=list_examples((cells for _, cells in preview.rows), index),
    )


def _row_views(preview: Preview) -> list[PreviewRow]:
    bad_by_line = {row.line: row for row in preview.bad}
    return [PreviewRow(line, cells, bad_by_line.get(line)) for line, cells in preview.rows]
