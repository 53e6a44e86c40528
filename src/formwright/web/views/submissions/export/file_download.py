"""The list of submissions as a file that is only whole at its end: Excel, Parquet.

What takes longer than a second is made beside the requests. Its page
says how far it is, and hands the file out when it is ready.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import IO, Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response, Stream
from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.errors import Unavailable
from formwright.domain.files.filenames import disposition
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.web.background_jobs import Export, Exports, Job, Stage, make, running_of
from formwright.web.session import Visitor, exports_of, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views.submissions.export.formats import FORMATS
from formwright.web.views.submissions.export.streaming_download import HEADERS, kind_of, pieces, ready
from formwright.web.views.submissions.export.table import Table
from formwright.web.views.submissions.list_query import read_view

_EXPORT = "/submissions/exports/{export_id:str}"
_PIECE = 256 * 1024


@get(["/submissions/download.xlsx", "/submissions/download.parquet"])
async def download_whole(request: Request[Any, Any, Any]) -> Response[Any]:
    """At once, or where its page says how far it is."""
    who = await visitor(request)
    asked = await ready(request, who)
    if isinstance(asked, Redirect):
        return asked
    table, wanted, form = asked
    kept, kind, query = exports_of(request), kind_of(request), read_view(request).url("")
    known = await asyncio.to_thread(kept.of, who.user.id)
    if same := next((one for one in known if one.working and (one.kind, one.query) == (kind, query)), None):
        return _to(same)
    made = await asyncio.to_thread(kept.begin, who.user.id, form.id, kind, form.name, query)
    await running_of(request).start(_make(get_app_context(request), who, kept, made, table, wanted))
    now = await asyncio.to_thread(kept.find, who.user.id, made.id)
    if now is None or now.working:
        return _to(made)
    return await _at_once(kept, now)


def _to(export: Export) -> Redirect:
    return Redirect(f"/submissions/exports/{export.id}", status_code=303)


async def _at_once(kept: Exports, export: Export) -> Response[Any]:
    """What came of it; nobody has to come back for it."""
    try:
        if export.stage is Stage.FAILED:
            raise Unavailable(export.fault)
        return await _handed(kept, export)
    finally:
        await asyncio.to_thread(kept.remove, export)


async def _handed(kept: Exports, export: Export) -> Response[Any]:
    return await handed(kept, export, FORMATS[export.kind].media)


async def handed(kept: Exports, export: Export, media: str) -> Response[Any]:
    """The file of one that is ready."""
    file = await asyncio.to_thread(kept.file(export).open, "rb")
    size = file.seek(0, 2)
    headers = HEADERS | {"content-type": media, "content-disposition": disposition(f"{export.name}.{export.kind}")}
    return Stream(_sent(file), headers=headers | {"content-length": str(size)})


async def _sent(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while chunk := await asyncio.to_thread(file.read, _PIECE):
            yield chunk


async def _make(
    ctx: AppContext, who: Visitor, kept: Exports, export: Export, table: Table, wanted: SubmissionFilter
) -> None:
    await make(kept, export, lambda making: _write(ctx, who, kept, making, table, wanted))


async def _write(
    ctx: AppContext, who: Visitor, kept: Exports, making: Job, table: Table, wanted: SubmissionFilter
) -> None:
    path, opens = kept.file(making.export), FORMATS[making.export.kind].opens
    with await asyncio.to_thread(path.open, "w+b") as file:
        writer = await asyncio.to_thread(opens, file, table, path.parent)
        try:
            async for piece in pieces(ctx, who, wanted):
                await asyncio.to_thread(writer.add, piece)
                making.export = replace(making.export, rows=making.export.rows + len(piece))
            making.export = replace(making.export, stage=Stage.WRITING)
            await asyncio.to_thread(writer.close)
        except BaseException:
            writer.abandon()
            raise


async def _hers(request: Request[Any, Any, Any], export_id: str) -> tuple[Visitor, Export | None]:
    """Who asks, and her file; none where it is another's, is gone, or is of a form that she may no longer read."""
    who = await visitor(request)
    allow(who.actor, Permission.SUBMISSIONS_READ)
    found = await asyncio.to_thread(exports_of(request).find, who.user.id, export_id)
    if found is None or found.kind not in FORMATS:
        return who, None
    try:
        async with get_app_context(request).db.reading() as tx:
            form = await forms.get(tx, who.actor, form_id=found.form_id)
    except FormNotFound:
        return who, None
    return who, found if who.may(Permission.SUBMISSIONS_READ, form) else None


def _page(request: Request[Any, Any, Any], who: Visitor, export: Export | None) -> Response[str]:
    status = 200 if export else 404
    made = FORMATS[export.kind] if export else None
    return page(request, "submissions/export.html", status, place="Submissions", export=export, made=made, **who.frame)


@get(_EXPORT)
async def export_page(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[str]:
    """How far the file is; or the file; or why there is none, and how to begin again."""
    return _page(request, *await _hers(request, export_id))


@get(_EXPORT + "/file")
async def export_file(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """The file, as often as it is wanted."""
    who, export = await _hers(request, export_id)
    if export and export.stage is Stage.READY:
        with suppress(FileNotFoundError):  # Removed this moment.
            return await _handed(exports_of(request), export)
    return _page(request, who, None)


@post(_EXPORT + "/remove", status_code=303)
async def remove_export(request: Request[Any, Any, Any], export_id: FromPath[str]) -> Response[Any]:
    """Make it no further, or keep it no longer."""
    who, export = await _hers(request, export_id)
    if export is None:
        return _page(request, who, None)
    await asyncio.to_thread(exports_of(request).remove, export)
    return Redirect(f"/submissions{export.query}", status_code=303)


HANDLERS = [download_whole, export_page, export_file, remove_export]
