"""Changing many submissions at once from the list: approve, reject, assign, delete and download."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import structlog

from formwright.context import AppContext
from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, NotFound, Unavailable
from formwright.core.ids import is_id
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.bulk_changes.models import (
    MAX_NOTE,
    UNDOABLE,
    BulkAction,
    BulkChange,
    BulkChangeNotFound,
    NewChange,
    Progress,
    Target,
)
from formwright.domain.saved_views.list_query import ListQuery, build_filter
from formwright.web.background_tasks import get_task_runner
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.download_kinds import DOWNLOADS
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.submissions.list_query import list_people, read_list_query

BULK_PATH = "/submissions/bulk"
_CHANGE_PATH = BULK_PATH + "/{change_id:str}"
_STARTABLE = (BulkAction.APPROVE, BulkAction.REJECT, BulkAction.ASSIGN, BulkAction.DELETE)
_VERBS = {
    BulkAction.APPROVE: "Approve",
    BulkAction.REJECT: "Reject",
    BulkAction.ASSIGN: "Assign",
    BulkAction.DELETE: "Delete",
}
_DONE = {
    BulkAction.APPROVE: "approved",
    BulkAction.REJECT: "rejected",
    BulkAction.ASSIGN: "assigned",
    BulkAction.DELETE: "deleted",
    BulkAction.UNDO: "restored",
}
_REASONS = {
    "submission.changed": "Changed by someone else since you opened the list",
    "submission.not_submitted": "Not submitted yet",
    "submission.not_found": "Deleted, or of a form that you may not edit",
}
_MAX_LINKS = 100
_MARGIN_MS = 50

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Submissions that were left alone for the same reason. `urls` are the first of them."""

    reason: str
    count: int
    urls: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BulkNotice:
    """What a bulk change did, for the list and its own page. URLs are empty for what does not apply."""

    text: str
    url: str
    undo_url: str
    refused_count: int


@dataclass(frozen=True, slots=True)
class BulkPage:
    """The view model of a bulk change. `state` is “running”, “finished”, “stopped” or “interrupted”."""

    id: str
    url: str
    title: str
    state: str
    done: int
    total: int
    notice: BulkNotice
    refusals: Sequence[Refusal]
    back_url: str
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class ConfirmPage:
    """The view model of the page that asks for what a bulk change needs: a note, a person or only a confirmation."""

    action: BulkAction
    verb: str
    count: str
    is_all: bool
    rows: Sequence[str]
    seen: str
    post_url: str
    back_url: str
    note: str
    people: Sequence[tuple[str, str]]
    faults: Mapping[str, str]


@post(BULK_PATH)
async def start_bulk_change(page: Page) -> Response:
    """Start a bulk change of the ticked submissions, or of all that match the filter in the query."""
    sent, query = await page.form(), read_list_query(page)
    allow(page.actor, Permission.SUBMISSIONS_READ)
    rows = [str(value) for name, value in sent.multi_items() if name == "row"]
    is_all = sent.get("scope") == "all"
    if (extension := str(sent.get("download", ""))) in DOWNLOADS:
        return _redirect_to_download(query, rows, extension, is_all=is_all)
    text = str(sent.get("confirmed") or sent.get("action") or "")
    action = next((one for one in _STARTABLE if one == text), None)
    if action is None:
        return Redirect(query.url())
    confirm = _ConfirmRequest(action, rows, is_all, str(sent.get("seen", "")), read_text(sent, "note", MAX_NOTE + 1))
    if (action is not BulkAction.APPROVE or is_all) and "confirmed" not in sent:
        return await _render_confirm(page, query, confirm)
    assignee = str(sent.get("assignee", ""))
    page.ctx.check_space()
    try:
        targets = await _load_targets(page.ctx, page.visitor, query, confirm)
        new = NewChange(action, targets, confirm.note, assignee if is_id(assignee, "usr") else None, query.url(""))
        async with page.writing() as tx:
            change = await bulk_changes.start(tx, page.actor, new)
    except Invalid as error:
        return await _render_confirm(page, query, confirm, error)
    return await _run_and_redirect(page, change)


@dataclass(frozen=True, slots=True)
class _ConfirmRequest:
    """The input that starts a bulk change."""

    action: BulkAction
    rows: Sequence[str]
    is_all: bool
    seen: str
    note: str


def _redirect_to_download(query: ListQuery, rows: Sequence[str], extension: str, *, is_all: bool) -> Redirect:
    ids = () if is_all else tuple(target.submission_id for target in _parse_rows(rows))
    if not (ids or is_all):
        return Redirect(query.url())
    return Redirect(replace(query, ids=ids).url(f"/submissions/download.{extension}"))


def _parse_rows(rows: Sequence[str]) -> list[Target]:
    """Return the ticked rows; each is an id, a dot and the revision that the list showed."""
    found: dict[str, Target] = {}
    for row in rows:
        submission_id, _, revision = row.partition(".")
        if is_id(submission_id, "sub") and revision.isascii() and revision.isdecimal() and len(revision) < 16:
            found[submission_id] = Target(submission_id, int(revision))
    return list(found.values())


async def _load_targets(
    ctx: AppContext, visitor: Visitor, query: ListQuery, confirm: _ConfirmRequest
) -> Sequence[Target]:
    """Return the submissions to change.

    Of all that match the filter, those are left out that have changed or arrived since the list was opened: nobody has
    seen them.
    """
    if not confirm.is_all:
        return _parse_rows(confirm.rows)
    async with ctx.db.reading(long=True) as tx:
        filter_, faults = await build_filter(tx, visitor, query)
        if faults:
            raise Invalid(faults)
        if confirm.seen.isascii() and confirm.seen.isdecimal() and len(confirm.seen) < 16:
            # `updated_to` is exclusive, and the last change that the list showed belongs to the selection.
            filter_ = replace(filter_, updated_to=int(confirm.seen) + 1)
        return await bulk_changes.list_targets(tx, visitor.actor, filter_)


async def _render_confirm(
    page: Page, query: ListQuery, confirm: _ConfirmRequest, error: Invalid | None = None
) -> Response:
    count = len(_parse_rows(confirm.rows))
    people = await list_people(page.tx, page.visitor) if confirm.action is BulkAction.ASSIGN else []
    view_model = ConfirmPage(
        action=confirm.action,
        verb=_VERBS[confirm.action],
        count="all matching submissions" if confirm.is_all else count_submissions(count),
        is_all=confirm.is_all,
        rows=confirm.rows,
        seen=confirm.seen,
        post_url=query.url(BULK_PATH),
        back_url=query.url(),
        note=confirm.note,
        people=people,
        faults=fault_texts(faults_by_field(error) if error else None),
    )
    status = 422 if error else 200
    return page.render("submissions/bulk_confirm.html", view_model, section="Submissions", status=status)


def count_submissions(count: int) -> str:
    """Return a number of submissions in words."""
    return f"{count:,} submission{'' if count == 1 else 's'}"


async def _run_and_redirect(page: Page, change: BulkChange) -> Redirect:
    """Do the steps, and go back to the list if they are done within a second; else to the page with the progress."""
    # A deletion begins after ten seconds, in which it can be undone, so it is not worth waiting for.
    is_waiting = bulk_changes.wait_before(change, page.ctx.clock.now()) > 0
    await get_task_runner(page).start(_run_steps(page.ctx, page.actor, change), is_quick=not is_waiting)
    progress = await bulk_changes.get(page.tx, page.actor, change_id=change.id)
    if progress.is_finished:
        return Redirect(_list_url(change.origin, bulk=change.id))
    return Redirect(f"{BULK_PATH}/{change.id}")


async def _run_steps(ctx: AppContext, actor: Actor, change: BulkChange) -> None:
    """Do the steps until none is left. If the database fails, the page of the change offers to continue."""
    if wait_ms := bulk_changes.wait_before(change, ctx.clock.now()):
        await asyncio.sleep((wait_ms + _MARGIN_MS) / 1000)
    has_more = True
    while has_more:
        try:
            # A transaction for each step, so that others can write in between and a stop takes effect.
            async with ctx.db.writing() as tx:
                has_more = await bulk_changes.run_step(tx, actor, change_id=change.id)
        except (Unavailable, NotFound) as error:
            log.warning("a bulk change was interrupted", change=change.id, why=str(error))
            return


def _list_url(origin: str, **more: str) -> str:
    query = "&".join(part for part in (origin.removeprefix("?"), urlencode(more)) if part)
    return "/submissions" + (f"?{query}" if query else "")


async def load_notice(tx: ReadTransaction, visitor: Visitor, change_id: str) -> BulkNotice | None:
    """Return what a bulk change did, if the visitor has started one with this id."""
    if not is_id(change_id, "blk") or Permission.SUBMISSIONS_EDIT not in visitor.actor.permissions:
        return None
    try:
        return _notice(await bulk_changes.get(tx, visitor.actor, change_id=change_id))
    except BulkChangeNotFound:
        return None


def describe_open(unfinished: Sequence[BulkChange]) -> list[tuple[str, str]]:
    """Return the URL and the description of each bulk change that is not finished."""
    return [(f"{BULK_PATH}/{change.id}", f"{_title(change)} is not finished") for change in unfinished]


def _title(change: BulkChange) -> str:
    return f"{_VERBS.get(change.action, 'Restore')} {count_submissions(change.total)}"


def _notice(progress: Progress) -> BulkNotice:
    change, done = progress.change, len(progress.changed)
    if change.action is BulkAction.DELETE and not change.total:
        return BulkNotice("Nothing was deleted.", url="", undo_url="", refused_count=0)
    texts = [f"{count_submissions(done)} {_DONE[change.action]}."]
    if progress.unchanged_count:
        texts.append(f"{progress.unchanged_count:,} already {_DONE[change.action]}.")
    if refused := len(progress.refused):
        texts.append(f"{refused:,} left unchanged.")
    is_undoable = change.action in UNDOABLE and done and not progress.undo_id
    is_undoable = is_undoable or (change.action is BulkAction.DELETE and not progress.is_finished)
    return BulkNotice(
        text=" ".join(texts),
        url=f"{BULK_PATH}/{change.id}" if refused else "",
        undo_url=f"{BULK_PATH}/{change.id}/undo" if is_undoable else "",
        refused_count=refused,
    )


@get(_CHANGE_PATH)
async def bulk_change_page(page: Page, change_id: str) -> Response:
    """How far a bulk change is, and what it left unchanged, with the reasons."""
    progress = await bulk_changes.get(page.tx, page.actor, change_id=change_id)
    change = progress.change
    view_model = BulkPage(
        id=change.id,
        url=f"{BULK_PATH}/{change.id}",
        title=_title(change),
        state=_state(progress, page.ctx.clock.now()),
        done=len(progress.outcomes),
        total=change.total,
        notice=_notice(progress),
        refusals=_refusals(progress),
        back_url=_list_url(change.origin),
        is_waiting=bulk_changes.wait_before(change, page.ctx.clock.now()) > 0,
    )
    return page.render("submissions/bulk.html", view_model, section="Submissions")


def _state(progress: Progress, now: int) -> str:
    if progress.is_finished:
        return "finished"
    if progress.is_running(now):
        return "running"
    return "stopped" if progress.change.is_stopped else "interrupted"


def _refusals(progress: Progress) -> list[Refusal]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for outcome in progress.refused:
        by_reason[_REASONS.get(outcome.code, outcome.detail)].append(outcome.submission_id)
    return [
        Refusal(reason, len(ids), [(one, f"/submissions/{one}") for one in ids[:_MAX_LINKS]])
        for reason, ids in by_reason.items()
    ]


@post(_CHANGE_PATH + "/undo")
async def undo_bulk_change(page: Page, change_id: str) -> Response:
    """Restore what the submissions were before, except those that somebody has changed since; or end a deletion."""
    async with page.writing() as tx:
        change = await bulk_changes.undo(tx, page.actor, change_id=change_id)
    if change.action is BulkAction.DELETE:
        return Redirect(_list_url(change.origin, bulk=change.id))
    return await _run_and_redirect(page, change)


@post(_CHANGE_PATH + "/stop")
async def stop_bulk_change(page: Page, change_id: str) -> Redirect:
    """Stop a bulk change after the current step. It can be continued."""
    async with page.writing() as tx:
        await bulk_changes.stop(tx, page.actor, change_id=change_id)
    return Redirect(f"{BULK_PATH}/{change_id}")


@post(_CHANGE_PATH + "/continue")
async def continue_bulk_change(page: Page, change_id: str) -> Response:
    """Do the steps that are left of a bulk change that was stopped or interrupted."""
    async with page.writing() as tx:
        change = await bulk_changes.resume(tx, page.actor, change_id=change_id)
    return await _run_and_redirect(page, change)
