"""A data source's schedule: from where its rows are pulled, how often, and how that went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.errors import Conflict, Invalid, ValidationFault
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import MAX_HEADERS, Datasource, Pull, PullStatus, PullUpdate, format_duration
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.sync import service as sync
from formwright.domain.datasources.sync.service import PullSettings
from formwright.web.session import Visitor, get_app_context
from formwright.web.templating import format_time
from formwright.web.views.datasources.detail import render_datasource_page
from formwright.web.views.datasources.list import (
    SCHEDULE_LABELS,
    render_new_datasource,
    require_datasource_editor,
    require_datasource_reader,
)
from formwright.web.views.header_fields import (
    HeaderRow,
    apply_row_button,
    find_row_faults,
    header_fault_texts,
    header_form,
    headers_by_name,
    is_other_server,
    read_header_rows,
)

PATH = "/datasources/{datasource_id:str}/schedule"
_MAX_TEXT = 4000
"""Longer than an address may be, so that none is cut to one that leads elsewhere."""
_STATUS_LABELS: Mapping[PullStatus | None, tuple[str, str]] = {
    None: ("waiting", "Not run yet"),
    PullStatus.RUNNING: ("waiting", "Running"),
    PullStatus.DONE: ("active", "Done"),
    PullStatus.UNCHANGED: ("active", "No changes"),
    PullStatus.FAILED: ("rejected", "Failed"),
}


@get(PATH)
async def schedule_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """How the last pull went, and what is set."""
    return await _render(request, await require_datasource_reader(request), datasource_id)


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, datasource_id: str, typed: "_PullForm | None" = None
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
    context = _form_view(of.pull, typed or _form_of(of.pull)) | {"saved": request.query_params.get("saved", "")}
    state = _status_view(visitor, of.pull, ctx.clock.now()) if of.pull else None
    status = 422 if typed and typed.faults else 200
    return render_datasource_page(request, visitor, of, "datasources/pull.html", status, state=state, **context)


@dataclass(frozen=True, slots=True)
class _PullForm:
    """What somebody typed, and all that is wrong with it."""

    url: str
    every: str
    rows: tuple[HeaderRow, ...]
    rows_changed: bool = False
    faults: Sequence[ValidationFault] = ()

    def to_request(self) -> PullUpdate:
        return PullUpdate(self.url or None, headers_by_name(self.rows), self.every or None)


def _read_form(form: Any) -> _PullForm:
    return _PullForm(
        _read_text(form, "url"),
        _read_text(form, "every"),
        *apply_row_button(read_header_rows(form), _read_text(form, "row")),
    )


def _form_of(pull: Pull | None) -> _PullForm:
    if pull is None:
        return _PullForm("", "P1D", ())
    return _PullForm(pull.url, format_duration(pull.every_s), tuple(HeaderRow(name) for name in pull.headers))


def _form_view(pull: Pull | None, typed: _PullForm) -> dict[str, Any]:
    kept, elsewhere = (pull.headers, is_other_server(typed.url, pull.url)) if pull else ((), False)
    faults = header_fault_texts(typed.faults, kept, other_server=elsewhere)
    headers = header_form(typed.rows, kept, faults, rows_changed=typed.rows_changed)
    return {
        "rows": headers.rows,
        "faults": headers.faults,
        "focus": headers.focus,
        "url": typed.url,
        "every": typed.every,
        "choices": SCHEDULE_LABELS
        | ({} if typed.every in ("", *SCHEDULE_LABELS) else {typed.every: f"Custom: {typed.every}"}),
        "most_headers": MAX_HEADERS,
    }


def _status_view(visitor: Visitor, pull: Pull, now: int) -> dict[str, Any]:
    sort, word = _STATUS_LABELS[pull.status]
    zone = visitor.customer.time_zone
    under_way = pull.status is PullStatus.RUNNING or (pull.due is not None and pull.due <= now)
    return {
        "sort": sort,
        "word": word,
        "under_way": under_way,
        "ended": format_time(pull.ended, zone) if pull.ended else None,
        "seconds": pull.took / 1000 if pull.took is not None else None,
        "rows": pull.rows,
        "detail": pull.detail,
        "bad": pull.bad,
        "due": format_time(pull.due, zone) if pull.due and not under_way else None,
    }


@post(PATH, status_code=303)
async def save_schedule(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Set the address, its headers and how often; or stop."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    typed, stops = _read_form(form), form.get("stop") == "1"
    if typed.rows_changed:
        return await _render(request, visitor, datasource_id, typed)
    setting = PullSettings(None if stops else typed.to_request(), ctx.secret_box, ctx.address_policy.check_url)
    try:
        if not stops and (found := find_row_faults(typed.rows)):
            raise Invalid(found)
        await datasources.update(ctx.db, visitor.actor, DatasourceChanges(), setting, datasource_id=datasource_id)
    except (Invalid, Conflict) as error:
        return await _render(request, visitor, datasource_id, replace(typed, faults=_faults_by_input(error)))
    return Redirect(f"/datasources/{datasource_id}/schedule?saved={'no' if stops else 'yes'}", status_code=303)


def _read_text(form: Any, name: str) -> str:
    return str(form.get(name, "")).strip()[:_MAX_TEXT]


def _faults_by_input(error: Invalid | Conflict) -> list[ValidationFault]:
    """Each beside its field, or above all of them."""
    if isinstance(error, Conflict):
        return [ValidationFault("/all", error.code, str(error))]
    return [replace(fault, pointer=_known_pointer(fault.pointer.removeprefix("/pull"))) for fault in error.faults]


def _known_pointer(at: str) -> str:
    return at if at.startswith(("/url", "/every", "/headers", "/rows/")) else "/all"


@post(PATH + "/refresh", status_code=303)
async def refresh_now(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Redirect:
    """Pull it now."""
    visitor = await require_datasource_editor(request)
    async with get_app_context(request).db.writing() as tx:
        await sync.refresh(tx, visitor.actor, datasource_id=datasource_id)
    return Redirect(f"/datasources/{datasource_id}/schedule", status_code=303)


@post("/datasources/pulled", status_code=303)
async def add_pulled_datasource(request: Request[Any, Any, Any]) -> Response[Any]:
    """A new data source whose rows come from an address."""
    visitor, form, ctx = await require_datasource_editor(request), await request.form(), get_app_context(request)
    name, key, url = _read_text(form, "name"), _read_text(form, "key"), _read_text(form, "url")
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Write a name of 1 to {MAX_NAME} characters.")
        made: Datasource = await sync.create(
            ctx.db,
            visitor.actor,
            PullSettings(
                PullUpdate(url or None, None, _read_text(form, "every") or None),
                ctx.secret_box,
                ctx.address_policy.check_url,
            ),
            datasource_id=ctx.ids.new("dat"),
            name=name,
            key_column=key,
            columns=(),
            types={},
            dry_run=False,
        )
    except (Invalid, Conflict) as error:
        words = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        typed = {"name": name, "key": key, "url": url, "fault": words}
        return await render_new_datasource(request, visitor, 422, pulled=typed)
    return Redirect(f"/datasources/{made.id}/schedule?saved=yes", status_code=303)


HANDLERS = [schedule_page, save_schedule, refresh_now, add_pulled_datasource]
