"""What the page of a file of rows shows before anything is written, and while it is."""

from typing import Any

from litestar import Request
from litestar.response import Response

from formwright.core.errors import ValidationFault
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Column, ImportMode
from formwright.domain.datasources.staged_files.models import Preview, Upload, UploadState
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import render_page
from formwright.web.views.datasources.labels import DELIMITERS, ENCODINGS, NUMBER_TYPES, TYPE_LABELS, encoding_name

_KIB = 1024
_UNREADABLE = ("table.html", "table.kind", "table.empty", "table.zip_bomb", "table.too_large")
"""With these, no way of reading helps: it takes another file."""
_MAX_EXAMPLES = 3
_MAX_EXAMPLE_LENGTH = 40


async def render_preview(
    request: Request[Any, Any, Any], visitor: Visitor, upload: Upload, status: int = 200, **said: Any
) -> Response[str]:
    """What is in the file and what would happen, or how far the work on it is.

    `unsaid` is what must be said before its rows are taken in.
    """
    ctx = get_app_context(request)
    now = ctx.clock.now()
    of = None
    if not upload.is_new:
        async with ctx.db.reading() as tx:
            of = await datasources.get(tx, visitor.actor, datasource_id=upload.datasource_id)
    context: dict[str, Any] = {
        "of": of,
        "upload": upload,
        "size": _format_size(upload.size),
        "title": _page_title(upload, of.name if of else ""),
        "back": f"/datasources/{of.id}" if of else "/datasources/new",
    }
    if upload.is_active(now):
        importing = upload.state is UploadState.IMPORTING
        return render_page(
            request,
            "datasources/working.html",
            place="Data sources",
            importing=importing,
            **context,
            **visitor.template_frame,
        )
    shown = upload.preview
    return render_page(
        request,
        "datasources/preview.html",
        status,
        place="Data sources",
        found=shown,
        interrupted=upload.state is not UploadState.LOOKED,
        upserts=upload.choices.mode is ImportMode.UPSERT,
        delimiters=_delimiter_options(upload),
        encodings=_encoding_options(upload),
        sheets=shown.sheets,
        columns=[_column_view(shown, index, column) for index, column in enumerate(shown.columns)],
        rows=_row_views(shown),
        more_bad=shown.counts.skipped - len(shown.bad),
        good=shown.total - shown.counts.skipped,
        types=TYPE_LABELS.items(),
        readable=not any(fault.code in _UNREADABLE for fault in shown.faults),
        faults=[fault.detail for fault in shown.faults if not is_name_fault(fault)],
        **(_current_choices(upload) | said),
        **context,
        **visitor.template_frame,
    )


def _page_title(upload: Upload, name: str) -> str:
    if upload.is_new:
        return "Add data source"
    if upload.choices.mode is ImportMode.UPSERT:
        return f"Add and update rows of “{name}”"
    return f"Replace rows of “{name}”"


def _format_size(size: int) -> str:
    if size < _KIB:
        return f"{size} bytes"
    return f"{size / _KIB:,.0f} KiB" if size < _KIB**2 else f"{size / _KIB**2:,.1f} MiB"


def is_name_fault(fault: ValidationFault) -> bool:
    """Whether the fault goes with another name."""
    return fault.code in ("datasource.name", "datasource.name_taken")


def _current_choices(upload: Upload) -> dict[str, Any]:
    name_fault = next((fault.detail for fault in upload.preview.faults if is_name_fault(fault)), "")
    chosen = upload.choices
    return {"unsaid": "", "skip": chosen.skip_bad, "delete": False, "name": chosen.name, "name_fault": name_fault}


def _delimiter_options(upload: Upload) -> list[dict[str, Any]]:
    """To choose from: first what was found, which stays open."""
    found, chosen = upload.preview.dialect.delimiter, upload.choices.dialect.delimiter
    word = DELIMITERS.get(found, found) if found else "one column"
    first = "Automatic" if chosen else f"Automatic: {word}"
    known = DELIMITERS | ({chosen: chosen} if chosen and chosen not in DELIMITERS else {})
    return [_option("", first, chosen is None), *(_option(one, name, one == chosen) for one, name in known.items())]


def _encoding_options(upload: Upload) -> list[dict[str, Any]]:
    found, chosen = upload.preview.dialect.encoding, upload.choices.dialect.encoding
    first = "Automatic" if chosen or not found else f"Automatic: {encoding_name(found)}"
    return [_option("", first, chosen is None), *(_option(one, name, one == chosen) for one, name in ENCODINGS.items())]


def _option(value: str, name: str, selected: bool) -> dict[str, Any]:
    return {"value": value, "name": name, "selected": selected}


def _column_view(shown: Preview, index: int, column: Column) -> dict[str, Any]:
    cells = [cells[index] for _, cells in shown.rows if index < len(cells) and cells[index]]
    return {
        "index": index,
        "name": column.name,
        "word": TYPE_LABELS[column.type],
        "type": column.type,
        "fixed": column.fixed,
        "number": column.type in NUMBER_TYPES,
        "key": column.name == shown.key_column,
        "examples": [cell[:_MAX_EXAMPLE_LENGTH] for cell in dict.fromkeys(cells)][:_MAX_EXAMPLES],
    }


def _row_views(shown: Preview) -> list[dict[str, Any]]:
    bad = {row.line: row for row in shown.bad}
    return [{"line": line, "cells": cells, "bad": bad.get(line)} for line, cells in shown.rows]
