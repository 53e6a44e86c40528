"""The list of exports, and the page of one with its runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.context import AppContext
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Window
from formwright.domain.exports import delivery
from formwright.domain.exports import service as exports
from formwright.domain.exports.models import (
    MAX_EXPORTS,
    Export,
    ExportInterval,
    ExportNoDestination,
    ExportRun,
    ExportRunning,
    ExportState,
    Schedule,
)
from formwright.domain.exports.owners import ExportRejected
from formwright.domain.forms import service as forms
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_optional_time, format_time

PATH = "/exports"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FORMAT_LABELS = {"CSV": "CSV", "XLSX": "Excel", "NDJSON": "NDJSON", "PARQUET": "Parquet"}
_MAX_RUNS = 50
_LOOKS = {
    ExportState.WAITING: "started",
    ExportState.RUNNING: "started",
    ExportState.COMPLETED: "approved",
    ExportState.FAILED: "rejected",
}


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file of a run. `url` is empty if it can't be downloaded any more."""

    name: str
    rows: int
    size: int
    url: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run on the page of its export."""

    begun: DisplayTime
    status: str
    look: str
    rows: int
    detail: str
    location: str
    is_active: bool
    files: Sequence[FileLink]


@dataclass(frozen=True, slots=True)
class ExportRow:
    """An export in the list."""

    page_url: str
    name: str
    content: str
    times: str
    next_run: DisplayTime | None
    latest: RunRow | None


@dataclass(frozen=True, slots=True)
class ExportListPage:
    """The list of exports."""

    here: str
    exports: Sequence[ExportRow]
    limit: int
    may_edit: bool


@dataclass(frozen=True, slots=True)
class ExportPage:
    """An export and its runs."""

    list_path: str
    export: ExportRow
    is_incremental: bool
    recipient_count: int
    runs: Sequence[RunRow]
    may_edit: bool
    is_active: bool
    destination: str
    error: str
    success: str
    removing: bool


@get(PATH)
async def exports_page(page: Page) -> Response:
    """The account's exports."""
    found = (await exports.page(page.tx, page.actor, Window(MAX_EXPORTS))).items
    runs = await exports.latest_runs(page.tx, page.actor, found)
    names = await forms.find_names(page.tx, page.actor, [one.form_id for one in found if one.form_id])
    rows = [_export_row(page.ctx, page.visitor, one, names, runs.get(one.latest_run_id or "")) for one in found]
    view_model = ExportListPage(PATH, rows, MAX_EXPORTS, _may_edit(page.visitor))
    return page.render("exports/list.html", view_model, section="Submissions")


def _may_edit(visitor: Visitor) -> bool:
    return Permission.SUBMISSIONS_EDIT in visitor.actor.permissions


@get(PATH + "/{export_id:str}")
async def export_page(page: Page, export_id: str) -> Response:
    """An export and its runs."""
    return await _render_export(page, export_id, removing=bool(page.query.get("remove")))


async def _render_export(
    page: Page,
    export_id: str,
    *,
    error: str = "",
    success: str = "",
    removing: bool = False,
    status: int = 200,
) -> Response:
    export = await exports.get(page.tx, page.actor, export_id=export_id)
    runs = (await exports.page_of_runs(page.tx, page.actor, Window(_MAX_RUNS), export_id=export_id)).items
    names = await forms.find_names(page.tx, page.actor, [export.form_id] if export.form_id else [])
    rows = [_run_row(page.ctx, page.visitor, run) for run in runs]
    view_model = ExportPage(
        list_path=PATH,
        export=_export_row(page.ctx, page.visitor, export, names, None),
        is_incremental=export.settings.incremental,
        recipient_count=len(export.settings.recipients),
        runs=rows,
        may_edit=_may_edit(page.visitor),
        is_active=any(row.is_active for row in rows),
        destination=to.location(export.customer_id, "") if (to := export.settings.destination) else "",
        error=error,
        success=success,
        removing=removing,
    )
    return page.render("exports/detail.html", view_model, section="Submissions", status=status)


@post(PATH + "/{export_id:str}/run")
async def run_export(page: Page, export_id: str) -> Response:
    """Run an export now."""
    try:
        async with page.writing() as tx:
            await exports.run(tx, page.actor, export_id=export_id)
    except ExportRunning as error:
        return await _render_export(page, export_id, error=str(error), status=409)
    return Redirect(f"{PATH}/{export_id}")


@post(PATH + "/{export_id:str}/test")
async def test_destination(page: Page, export_id: str) -> Response:
    """Write a small file to the destination of an export, and say whether that succeeded."""
    try:
        async with page.writing() as tx:
            export = await exports.begin_test(tx, page.actor, export_id=export_id)
        note = await delivery.verify_destination(page.ctx.destination_rules, export)
    except (ExportNoDestination, ExportRejected) as error:
        return await _render_export(page, export_id, error=str(error))
    return await _render_export(page, export_id, success=f"The test file was written. {note}".strip())


@post(PATH + "/{export_id:str}/delete")
async def delete_export(page: Page, export_id: str) -> Response:
    """Delete an export and its files."""
    async with page.writing() as tx:
        await exports.delete(tx, page.actor, export_id=export_id)
    return Redirect(PATH)


def _export_row(
    ctx: AppContext, visitor: Visitor, export: Export, names: dict[str, str], latest: ExportRun | None
) -> ExportRow:
    form = names.get(export.form_id, "a form") if export.form_id else "All forms"
    return ExportRow(
        page_url=f"{PATH}/{export.id}",
        name=export.name,
        content=f"{form}, {FORMAT_LABELS[export.settings.format]}",
        times=describe_schedule(export.settings.schedule),
        next_run=format_optional_time(export.due, visitor.customer.time_zone),
        latest=_run_row(ctx, visitor, latest) if latest else None,
    )


def describe_schedule(schedule: Schedule | None) -> str:
    """Return when an export runs, such as “Every Monday at 06:00”."""
    if schedule is None:
        return "Once"
    at = f"at {schedule.hour:02}:{schedule.minute:02}"
    match schedule.every:
        case ExportInterval.HOURLY:
            return f"Every hour, at minute {schedule.minute}"
        case ExportInterval.DAILY:
            return f"Every day {at}"
        case ExportInterval.WEEKLY:
            return f"Every {WEEKDAYS[schedule.weekday - 1]} {at}"
    return f"Every month on day {schedule.day} {at}"


def _run_row(ctx: AppContext, visitor: Visitor, run: ExportRun) -> RunRow:
    return RunRow(
        begun=format_time(run.started or run.created, visitor.customer.time_zone),
        status=run.state.value.capitalize(),
        look=_LOOKS[run.state],
        rows=run.rows,
        detail=run.detail,
        location=run.location or "",
        is_active=run.state in (ExportState.WAITING, ExportState.RUNNING),
        files=[
            FileLink(file.name, file.rows, file.size, _sign_link(ctx, run, number))
            for number, file in enumerate(run.files)
        ],
    )


def _sign_link(ctx: AppContext, run: ExportRun, number: int) -> str:
    now = ctx.clock.now()
    if not run.has_files(now):
        return ""
    name = f"{run.id}.{number}"
    return ctx.file_links.sign(run.customer_id, name, now).path(name)
