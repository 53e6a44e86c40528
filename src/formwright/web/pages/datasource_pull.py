"""A data source's schedule: from where its rows are pulled, how often, and how that went."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.kernel.errors import Conflict, Fault, Invalid
from formwright.domain.datasources import pulls
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.model import Datasource
from formwright.domain.datasources.pull import Pull, PullStatus, PullWish, duration_of
from formwright.domain.datasources.pulls import Setting
from formwright.domain.datasources.service import Change
from formwright.web.pages.datasource import datasource_page
from formwright.web.pages.datasources import EVERY, editor, new_datasource, reader
from formwright.web.render import moment
from formwright.web.session import Visitor, house_of

HERE = "/datasources/{datasource_id:str}/schedule"
_EMPTY_HEADERS = 2
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
    request: Request[Any, Any, Any], who: Visitor, datasource_id: str, status: int = 200, **given: Any
) -> Response[str]:
    house = house_of(request)
    async with house.db.reading() as tx:
        of = await datasources.get(tx, who.actor, datasource_id=datasource_id)
    context = _set(of.pull) | {"faults": {}, "saved": request.query_params.get("saved", "")} | given
    shown = _state(who, of.pull, house.clock.now()) if of.pull else None
    return datasource_page(request, who, of, "datasource_pull.html", status, state=shown, **context)


def _set(pull: Pull | None) -> dict[str, Any]:
    every = duration_of(pull.every_s) if pull else "P1D"
    return {
        "url": pull.url if pull else "",
        "headers": [(name, "") for name in (pull.headers if pull else ())] + [("", "")] * _EMPTY_HEADERS,
        "kept": pull.headers if pull else (),
        "every": every,
        "choices": EVERY | ({} if every in EVERY else {every: f"As set: {every}"}),
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
    who, form = await editor(request), await request.form()
    wish = None if form.get("stop") == "1" else _wish(form)
    house = house_of(request)
    setting = Setting(wish, house.seal, house.wall.check_url)
    try:
        await datasources.alter(house.db, who.actor, Change(), setting, datasource_id=datasource_id)
    except (Invalid, Conflict) as error:
        headers = [*_pairs(form), *[("", "")] * _EMPTY_HEADERS]
        typed = {"url": _text(form, "url"), "headers": headers, "faults": _faults(error)}
        return await _page(request, who, datasource_id, 422, **typed)
    return Redirect(f"/datasources/{datasource_id}/schedule?saved={'no' if wish is None else 'yes'}", status_code=303)


def _text(form: Any, name: str) -> str:
    return str(form.get(name, "")).strip()[:2048]


def _pairs(form: Any) -> list[tuple[str, str]]:
    """Headers by name, without those whose name was cleared."""
    names, values = form.getall("header", []), form.getall("value", [])
    both = [(str(name).strip(), str(value)) for name, value in zip(names, values, strict=False)]
    return [(name, value) for name, value in both if name]


def _wish(form: Any) -> PullWish:
    """What is typed; a value left empty is the one that is there."""
    headers = {name: value or None for name, value in _pairs(form)}
    return PullWish(_text(form, "url") or None, headers, _text(form, "every") or None)


def _faults(error: Invalid | Conflict) -> dict[str, str]:
    found = error.faults if isinstance(error, Invalid) else [Fault("/", error.code, str(error))]
    return {_place(fault.pointer): _words(fault) for fault in found}


def _place(pointer: str) -> str:
    part = pointer.removeprefix("/pull/").partition("/")[0]
    return part if part in ("url", "every", "headers") else "all"


def _words(fault: Fault) -> str:
    name = fault.pointer.removeprefix("/pull/headers/")
    return f"{name}: {fault.detail}" if name != fault.pointer else fault.detail


@post(HERE + "/refresh", status_code=303)
async def refresh(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Redirect:
    """Pull it now."""
    who = await editor(request)
    async with house_of(request).db.writing() as tx:
        await pulls.refresh(tx, who.actor, datasource_id=datasource_id)
    return Redirect(f"/datasources/{datasource_id}/schedule", status_code=303)


@post("/datasources/pulled", status_code=303)
async def add_pulled(request: Request[Any, Any, Any]) -> Response[Any]:
    """A new data source whose rows come from an address."""
    who, form, house = await editor(request), await request.form(), house_of(request)
    name, key, url = _text(form, "name"), _text(form, "key"), _text(form, "url")
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Write a name of 1 to {MAX_NAME} characters.")
        made: Datasource = await pulls.create(
            house.db,
            who.actor,
            Setting(PullWish(url or None, None, _text(form, "every") or None), house.seal, house.wall.check_url),
            datasource_id=house.ids.new("dat"),
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
