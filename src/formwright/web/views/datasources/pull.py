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
from formwright.web.templating import moment
from formwright.web.views.datasources.detail import datasource_page
from formwright.web.views.datasources.list import EVERY, editor, new_datasource, reader
from formwright.web.views.header_fields import Row, headers_of, is_elsewhere, pressed, row_faults, rows_of, shown, told

HERE = "/datasources/{datasource_id:str}/schedule"
_LONGEST = 4000
"""Longer than an address may be, so that none is cut to one that leads elsewhere."""
_STATES: Mapping[PullStatus | None, tuple[str, str]] = {
    None: ("waiting", "Not pulled yet"),
    PullStatus.RUNNING: ("waiting", "Being pulled"),
    PullStatus.DONE: ("active", "Done"),
    PullStatus.UNCHANGED: ("active", "Nothing new"),
    PullStatus.FAILED: ("rejected", "Failed"),
}


@get(HERE)
async def schedule_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """How the last pull went, and what is set."""
    return await _page(request, await reader(request), datasource_id)


async def _page(
    request: Request[Any, Any, Any], who: Visitor, datasource_id: str, typed: "_Typed | None" = None
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        of = await datasources.get(tx, who.actor, datasource_id=datasource_id)
    context = _set(of.pull, typed or _typed_of(of.pull)) | {"saved": request.query_params.get("saved", "")}
    state = _state(who, of.pull, ctx.clock.now()) if of.pull else None
    status = 422 if typed and typed.found else 200
    return datasource_page(request, who, of, "datasources/pull.html", status, state=state, **context)


@dataclass(frozen=True, slots=True)
class _Typed:
    """What somebody typed, and all that is wrong with it."""

    url: str
    every: str
    rows: tuple[Row, ...]
    goes_on: bool = False
    found: Sequence[ValidationFault] = ()

    def wish(self) -> PullUpdate:
        return PullUpdate(self.url or None, headers_of(self.rows), self.every or None)


def _typed(form: Any) -> _Typed:
    return _Typed(_text(form, "url"), _text(form, "every"), *pressed(rows_of(form), _text(form, "row")))


def _typed_of(pull: Pull | None) -> _Typed:
    if pull is None:
        return _Typed("", "P1D", ())
    return _Typed(pull.url, format_duration(pull.every_s), tuple(Row(name) for name in pull.headers))


def _set(pull: Pull | None, typed: _Typed) -> dict[str, Any]:
    kept, elsewhere = (pull.headers, is_elsewhere(typed.url, pull.url)) if pull else ((), False)
    faults = told(typed.found, kept, elsewhere=elsewhere)
    return shown(typed.rows, kept, faults, goes_on=typed.goes_on) | {
        "url": typed.url,
        "every": typed.every,
        "choices": EVERY | ({} if typed.every in ("", *EVERY) else {typed.every: f"As set: {typed.every}"}),
        "most_headers": MAX_HEADERS,
    }


def _state(who: Visitor, pull: Pull, now: int) -> dict[str, Any]:
    sort, word = _STATES[pull.status]
    zone = who.customer.time_zone
    under_way = pull.status is PullStatus.RUNNING or (pull.due is not None and pull.due <= now)
    return {
        "sort": sort,
        "word": word,
        "under_way": under_way,
        "ended": moment(pull.ended, zone) if pull.ended else None,
        "seconds": pull.took / 1000 if pull.took is not None else None,
        "rows": pull.rows,
        "detail": pull.detail,
        "bad": pull.bad,
        "due": moment(pull.due, zone) if pull.due and not under_way else None,
    }


@post(HERE, status_code=303)
async def set_pull(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[Any]:
    """Set the address, its headers and how often; or stop."""
    who, form, ctx = await editor(request), await request.form(), get_app_context(request)
    typed, stops = _typed(form), form.get("stop") == "1"
    if typed.goes_on:
        return await _page(request, who, datasource_id, typed)
    setting = PullSettings(None if stops else typed.wish(), ctx.secret_box, ctx.address_policy.check_url)
    try:
        if not stops and (found := row_faults(typed.rows)):
            raise Invalid(found)
        await datasources.update(ctx.db, who.actor, DatasourceChanges(), setting, datasource_id=datasource_id)
    except (Invalid, Conflict) as error:
        return await _page(request, who, datasource_id, replace(typed, found=_faults(error)))
    return Redirect(f"/datasources/{datasource_id}/schedule?saved={'no' if stops else 'yes'}", status_code=303)


def _text(form: Any, name: str) -> str:
    return str(form.get(name, "")).strip()[:_LONGEST]


def _faults(error: Invalid | Conflict) -> list[ValidationFault]:
    """Each beside its field, or above all of them."""
    if isinstance(error, Conflict):
        return [ValidationFault("/all", error.code, str(error))]
    return [replace(fault, pointer=_place(fault.pointer.removeprefix("/pull"))) for fault in error.faults]


def _place(at: str) -> str:
    return at if at.startswith(("/url", "/every", "/headers", "/rows/")) else "/all"


@post(HERE + "/refresh", status_code=303)
async def refresh(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Redirect:
    """Pull it now."""
    who = await editor(request)
    async with get_app_context(request).db.writing() as tx:
        await sync.refresh(tx, who.actor, datasource_id=datasource_id)
    return Redirect(f"/datasources/{datasource_id}/schedule", status_code=303)


@post("/datasources/pulled", status_code=303)
async def add_pulled(request: Request[Any, Any, Any]) -> Response[Any]:
    """A new data source whose rows come from an address."""
    who, form, ctx = await editor(request), await request.form(), get_app_context(request)
    name, key, url = _text(form, "name"), _text(form, "key"), _text(form, "url")
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Write a name of 1 to {MAX_NAME} characters.")
        made: Datasource = await sync.create(
            ctx.db,
            who.actor,
            PullSettings(
                PullUpdate(url or None, None, _text(form, "every") or None),
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
        return await new_datasource(request, who, 422, pulled=typed)
    return Redirect(f"/datasources/{made.id}/schedule?saved=yes", status_code=303)


HANDLERS = [schedule_page, set_pull, refresh, add_pulled]
