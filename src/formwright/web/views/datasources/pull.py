"""The schedule of a data source: the URL from which its rows are imported, how often, and the last result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from formwright.core.errors import Conflict, Invalid, ValidationFault
from formwright.core.tables.base import BadRow
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.limits import MAX_NAME
from formwright.domain.datasources.models import (
    MAX_HEADERS,
    Datasource,
    Pull,
    PullStatus,
    PullUpdate,
    format_duration,
)
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.datasources.sync import service as sync
from formwright.domain.datasources.sync.service import PullSettings
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_optional_time, format_time
from formwright.web.views.datasources.detail import DatasourceView, datasource_view
from formwright.web.views.datasources.list import (
    SCHEDULE_LABELS,
    DatasourceEditorPage,
    DatasourcePage,
    ScheduledInput,
    render_new_datasource,
)
from formwright.web.views.header_fields import (
    HeaderForm,
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
"""Longer than a URL may be, so that no URL is cut to a valid one."""
_STATUS_LABELS: Mapping[PullStatus | None, tuple[str, str]] = {
    None: ("waiting", "Not run yet"),
    PullStatus.RUNNING: ("waiting", "Running"),
    PullStatus.DONE: ("active", "Done"),
    PullStatus.UNCHANGED: ("active", "No changes"),
    PullStatus.FAILED: ("rejected", "Failed"),
}


@dataclass(frozen=True, slots=True)
class PullState:
    """The result of the last import, and the time of the next one. `seconds` is its duration."""

    sort: str
    label: str
    is_in_progress: bool
    ended: DisplayTime | None
    seconds: float | None
    rows: int | None
    detail: str
    bad_rows: Sequence[BadRow]
    due: DisplayTime | None


@dataclass(frozen=True, slots=True)
class SchedulePage:
    """The view model of the schedule. `state` is None without a schedule; `saved` is “no” after stopping one."""

    source: DatasourceView
    state: PullState | None
    url: str
    every: str
    schedules: Mapping[str, str]
    headers: HeaderForm
    max_headers: int
    saved: str


@get(PATH)
async def schedule_page(page: DatasourcePage, datasource_id: str) -> Response:
    """The schedule with its last result."""
    return await _render(page, datasource_id)


async def _render(page: Page, datasource_id: str, entered: "_PullForm | None" = None) -> Response:
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    form = entered or _stored_form(source.pull)
    custom = {} if form.every in ("", *SCHEDULE_LABELS) else {form.every: f"Custom: {form.every}"}
    view_model = SchedulePage(
        source=datasource_view(page.visitor, source),
        state=_pull_state(page.visitor, source.pull, page.ctx.clock.now()) if source.pull else None,
        url=form.url,
        every=form.every,
        schedules=SCHEDULE_LABELS | custom,
        headers=_header_form(source.pull, form),
        max_headers=MAX_HEADERS,
        saved=page.query.get("saved", ""),
    )
    status = 422 if form.faults else 200
    return page.render("datasources/schedule.html", view_model, section="Data sources", status=status)


@dataclass(frozen=True, slots=True)
class _PullForm:
    """The input of the schedule form, and its errors."""

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


def _stored_form(pull: Pull | None) -> _PullForm:
    if pull is None:
        return _PullForm("", "P1D", ())
    return _PullForm(pull.url, format_duration(pull.every_s), tuple(HeaderRow(name) for name in pull.headers))


def _header_form(pull: Pull | None, form: _PullForm) -> HeaderForm:
    stored, other_server = (pull.headers, is_other_server(form.url, pull.url)) if pull else ((), False)
    faults = header_fault_texts(form.faults, stored, other_server=other_server)
    return header_form(form.rows, stored, faults, rows_changed=form.rows_changed)


def _pull_state(visitor: Visitor, pull: Pull, now: int) -> PullState:
    sort, label = _STATUS_LABELS[pull.status]
    zone = visitor.customer.time_zone
    is_in_progress = pull.status is PullStatus.RUNNING or (pull.due is not None and pull.due <= now)
    return PullState(
        sort=sort,
        label=label,
        is_in_progress=is_in_progress,
        ended=format_optional_time(pull.ended, zone),
        seconds=pull.took / 1000 if pull.took is not None else None,
        rows=pull.rows,
        detail=pull.detail,
        bad_rows=pull.bad,
        due=format_time(pull.due, zone) if pull.due and not is_in_progress else None,
    )


@post(PATH)
async def save_schedule(page: DatasourceEditorPage, datasource_id: str) -> Response:
    """Save the URL, its headers and the frequency, or stop the schedule."""
    form = await page.form()
    entered, is_stopped = _read_form(form), form.get("stop") == "1"
    if entered.rows_changed:
        return await _render(page, datasource_id, entered)
    update = None if is_stopped else entered.to_request()
    settings = PullSettings(update, page.ctx.secret_box, page.ctx.address_policy.check_url)
    try:
        if not is_stopped and (faults := find_row_faults(entered.rows)):
            raise Invalid(faults)
        await datasources.update(page.ctx.db, page.actor, DatasourceChanges(), settings, datasource_id=datasource_id)
    except (Invalid, Conflict) as error:
        return await _render(page, datasource_id, replace(entered, faults=_faults_by_input(error)))
    return Redirect(f"/datasources/{datasource_id}/schedule?saved={'no' if is_stopped else 'yes'}")


def _read_text(form: Any, name: str) -> str:
    return str(form.get(name, "")).strip()[:_MAX_TEXT]


def _faults_by_input(error: Invalid | Conflict) -> list[ValidationFault]:
    """Return the errors with the pointers of their inputs; `/all` for those that concern no input."""
    if isinstance(error, Conflict):
        return [ValidationFault("/all", error.code, str(error))]
    return [replace(fault, pointer=_known_pointer(fault.pointer.removeprefix("/pull"))) for fault in error.faults]


def _known_pointer(pointer: str) -> str:
    return pointer if pointer.startswith(("/url", "/every", "/headers", "/rows/")) else "/all"


@post(PATH + "/refresh")
async def refresh_now(page: DatasourceEditorPage, datasource_id: str) -> Redirect:
    """Start the import now."""
    async with page.writing() as tx:
        await sync.refresh(tx, page.actor, datasource_id=datasource_id)
    return Redirect(f"/datasources/{datasource_id}/schedule")


@post("/datasources/pulled")
async def add_pulled_datasource(page: DatasourceEditorPage) -> Response:
    """Create a data source whose rows are imported from a URL."""
    form = await page.form()
    name, key, url = _read_text(form, "name"), _read_text(form, "key"), _read_text(form, "url")
    try:
        if not 0 < len(name) <= MAX_NAME:
            raise Invalid.at("/name", "datasource.name", f"Enter a name (up to {MAX_NAME} characters).")
        created: Datasource = await sync.create(
            page.ctx.db,
            page.actor,
            PullSettings(
                PullUpdate(url or None, None, _read_text(form, "every") or None),
                page.ctx.secret_box,
                page.ctx.address_policy.check_url,
            ),
            datasource_id=page.ctx.ids.new("dat"),
            name=name,
            key_column=key,
            columns=(),
            types={},
            dry_run=False,
        )
    except (Invalid, Conflict) as error:
        fault = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        return render_new_datasource(page, 422, scheduled=ScheduledInput(name, key, url, fault))
    return Redirect(f"/datasources/{created.id}/schedule?saved=yes")
