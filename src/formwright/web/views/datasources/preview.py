"""What the page of a file of rows shows before anything is written, and while it is."""

from typing import Any

from litestar import Request
from litestar.response import Response

from formwright.core.errors import ValidationFault
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Column, ImportMode
from formwright.domain.datasources.staged_files.models import Preview, Upload, UploadState
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import page
from formwright.web.views.datasources.labels import DELIMITERS, ENCODINGS, NUMBERS, TYPES, encoding_name

_KIB = 1024
_NO_TABLE = ("table.html", "table.kind", "table.empty", "table.zip_bomb", "table.too_large")
"""With these, no way of reading helps: it takes another file."""
_EXAMPLES = 3
_LONGEST_EXAMPLE = 40


async def preview_page(
    request: Request[Any, Any, Any], who: Visitor, upload: Upload, status: int = 200, **said: Any
) -> Response[str]:
    """What is in the file and what would happen, or how far the work on it is.

    `unsaid` is what must be said before its rows are taken in.
    """
    ctx = get_app_context(request)
    now = ctx.clock.now()
    of = None
    if not upload.is_new:
        async with ctx.db.reading() as tx:
            of = await datasources.get(tx, who.actor, datasource_id=upload.datasource_id)
    context: dict[str, Any] = {
        "of": of,
        "upload": upload,
        "size": _size(upload.size),
        "title": _title(upload, of.name if of else ""),
        "back": f"/datasources/{of.id}" if of else "/datasources/new",
    }
    if upload.is_active(now):
        importing = upload.state is UploadState.IMPORTING
        return page(
            request, "datasources/working.html", place="Data sources", importing=importing, **context, **who.frame
        )
    shown = upload.preview
    return page(
        request,
        "datasources/preview.html",
        status,
        place="Data sources",
        found=shown,
        interrupted=upload.state is not UploadState.LOOKED,
        upserts=upload.choices.mode is ImportMode.UPSERT,
        delimiters=_delimiters(upload),
        encodings=_encodings(upload),
        sheets=shown.sheets,
        columns=[_column(shown, index, column) for index, column in enumerate(shown.columns)],
        rows=_rows(shown),
        more_bad=shown.counts.skipped - len(shown.bad),
        good=shown.total - shown.counts.skipped,
        types=TYPES.items(),
        readable=not any(fault.code in _NO_TABLE for fault in shown.faults),
        faults=[fault.detail for fault in shown.faults if not of_name(fault)],
        **(_said(upload) | said),
        **context,
        **who.frame,
    )


def _title(upload: Upload, name: str) -> str:
    if upload.is_new:
        return "Add data source"
    if upload.choices.mode is ImportMode.UPSERT:
        return f"Add or change rows of “{name}”"
    return f"Replace the rows of “{name}”"


def _size(size: int) -> str:
    if size < _KIB:
        return f"{size} bytes"
    return f"{size / _KIB:,.0f} KiB" if size < _KIB**2 else f"{size / _KIB**2:,.1f} MiB"


def of_name(fault: ValidationFault) -> bool:
    """Whether the fault goes with another name."""
    return fault.code in ("datasource.name", "datasource.name_taken")


def _said(upload: Upload) -> dict[str, Any]:
    name_fault = next((fault.detail for fault in upload.preview.faults if of_name(fault)), "")
    chosen = upload.choices
    return {"unsaid": "", "skip": chosen.skip_bad, "delete": False, "name": chosen.name, "name_fault": name_fault}


def _delimiters(upload: Upload) -> list[dict[str, Any]]:
    """To choose from: first what was found, which stays open."""
    found, chosen = upload.preview.dialect.delimiter, upload.choices.dialect.delimiter
    word = DELIMITERS.get(found, found) if found else "one column"
    first = "Found by itself" if chosen else f"Found: {word}"
    known = DELIMITERS | ({chosen: chosen} if chosen and chosen not in DELIMITERS else {})
    return [_option("", first, chosen is None), *(_option(one, name, one == chosen) for one, name in known.items())]


def _encodings(upload: Upload) -> list[dict[str, Any]]:
    found, chosen = upload.preview.dialect.encoding, upload.choices.dialect.encoding
    first = "Found by itself" if chosen or not found else f"Found: {encoding_name(found)}"
    return [_option("", first, chosen is None), *(_option(one, name, one == chosen) for one, name in ENCODINGS.items())]


def _option(value: str, name: str, selected: bool) -> dict[str, Any]:
    return {"value": value, "name": name, "selected": selected}


def _column(shown: Preview, index: int, column: Column) -> dict[str, Any]:
    cells = [cells[index] for _, cells in shown.rows if index < len(cells) and cells[index]]
    return {
        "index": index,
        "name": column.name,
        "word": TYPES[column.type],
        "type": column.type,
        "fixed": column.fixed,
        "number": column.type in NUMBERS,
        "key": column.name == shown.key_column,
        "examples": [cell[:_LONGEST_EXAMPLE] for cell in dict.fromkeys(cells)][:_EXAMPLES],
    }


def _rows(shown: Preview) -> list[dict[str, Any]]:
    bad = {row.line: row for row in shown.bad}
    return [{"line": line, "cells": cells, "bad": bad.get(line)} for line, cells in shown.rows]
