"""The list of submissions: its filter, its table and its toolbar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.core.file_uses import FileUse
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.bulk_changes.models import BulkChange
from formwright.domain.exports import downloads
from formwright.domain.exports.models import ExportRun
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.models import Form
from formwright.domain.saved_views.list_query import (
    FormContext,
    ListQuery,
    build_filter,
    load_form_context,
    resolve_view,
)
from formwright.domain.saved_views.models import ViewTab
from formwright.domain.submission_alerts import service as alerts
from formwright.domain.submission_alerts.models import AlertFrequency
from formwright.domain.submissions import list_columns as saved_columns
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.download_kinds import DOWNLOADS, DownloadKind
from formwright.web.views.folders import list_all_folders
from formwright.web.views.form_head import FormHead, build_form_head
from formwright.web.views.list_pages import Options
from formwright.web.views.submissions.alerts import FREQUENCIES, NOTICES
from formwright.web.views.submissions.answer_conditions import load_named_rows, parse_condition
from formwright.web.views.submissions.bulk import BULK_PATH, BulkNotice, describe_open, load_notice
from formwright.web.views.submissions.list_filter import FilterOptions, SubmissionFilterForm, build_filter_form
from formwright.web.views.submissions.list_query import is_demanding, list_people, read_list_query
from formwright.web.views.submissions.list_table import KnownNames, SubmissionTable, load_table
from formwright.web.views.submissions.view_bar import ViewBar, load_view_bar


@dataclass(frozen=True, slots=True)
class BulkBar:
    """What can be done with the ticked rows. `seen` is the account's last change that the page shows.

    `has_more` is whether more submissions match the filter than those on the page, and `total` how many, if counted.
    """

    post_url: str
    seen: int
    has_more: bool
    total: str
    may_edit: bool
    may_download: bool
    people: Options


@dataclass(frozen=True, slots=True)
class ListToolbar:
    """What the list offers besides its filter, and what was just done."""

    formats: Mapping[str, DownloadKind]
    exports: Sequence[ExportRun]
    gallery_url: str
    deleted: bool
    views: ViewBar
    bulk: BulkBar
    bulk_done: BulkNotice | None
    bulk_open: Sequence[tuple[str, str]]
    alert: str
    alert_frequencies: Mapping[str, str]
    alert_notice: str


@dataclass(frozen=True, slots=True)
class SubmissionListPage:
    """The view model of the list. `form` and its `head` are set if the list is a tab of a form the visitor may read."""

    query: ListQuery
    form: Form | None
    head: FormHead | None
    filter: SubmissionFilterForm
    table: SubmissionTable
    toolbar: ListToolbar


@get("/submissions", long=is_demanding, listing=True)
async def submissions_page(page: Page) -> Response:
    """The submissions of one form or of all, filtered, newest first, with the columns that the visitor chose."""
    query = await resolve_view(page.tx, page.visitor, read_list_query(page))
    context = await load_form_context(page.tx, page.visitor, query.form)
    if new_condition := _read_new_condition(page, context):
        return Redirect(replace(query, answers={**query.answers, **new_condition}).url())
    view_model = await _load_list(page, query, context)
    section = "Forms" if view_model.head else "Submissions"
    status = 400 if view_model.filter.is_invalid else 200
    return page.render("submissions/list.html", view_model, section=section, status=status)


def _read_new_condition(page: PublicPage, context: FormContext) -> Mapping[str, str]:
    """Return the condition that was entered under “Filter by answer”, as a query parameter; empty if there is none."""
    entered = page.query
    name, texts = entered.get("field", ""), [one for one in entered.getall("value", []) if one.strip()]
    if not name or not texts:
        return {}
    parameter, value = parse_condition(context.fields, name, entered.get("op", ""), texts, context.display)
    return {parameter: value}


async def _load_list(page: Page, query: ListQuery, context: FormContext) -> SubmissionListPage:
    filter_, faults = await build_filter(page.tx, page.visitor, query)
    display = await load_named_rows(page.tx, page.actor, query.answers, context.fields, context.display)
    context = replace(context, display=display)
    # Before the rows: what changes after this was not seen, and no change of all matching submissions may include it.
    seen, unfinished = await bulk_changes.load_start(page.tx, page.actor)
    people = await list_people(page.tx, page.visitor)
    listed = await _list_forms(page) if context.form is None else []
    own_columns, alert = await alerts.find_list_settings(page.tx, page.actor, form_id=query.form)
    table = await load_table(
        page, query, context, None if faults else filter_, own_columns, KnownNames(dict(listed), dict(people))
    )
    folders = await list_all_folders(page.tx, page.actor)
    form, found = context.form, [*faults, *([table.fault] if table.fault else [])]
    options = FilterOptions(people, listed, folders, _lookup_url(page, form))
    return SubmissionListPage(
        query=query,
        form=form,
        head=build_form_head(page.visitor, form, folders, query.params()) if form else None,
        filter=build_filter_form(query, context, found, options),
        table=table,
        toolbar=await load_toolbar(page, query, context, table, people, alert, seen, unfinished),
    )


def _lookup_url(page: Page, form: Form | None) -> str:
    may_search = form is not None and Permission.DATASOURCES_READ in page.actor.permissions
    return f"/submissions/choices?{urlencode({'kind': 'rows', 'form': form.id})}" if form and may_search else ""


async def _list_forms(page: Page) -> list[tuple[str, str]]:
    found = await forms.page(page.tx, page.actor, Window(MAX_LIMIT), newest_first=True)
    return [(form.id, form.name) for form in found.items]


async def load_toolbar(
    page: Page,
    query: ListQuery,
    context: FormContext,
    table: SubmissionTable,
    people: Options,
    alert: AlertFrequency | None,
    seen: int,
    unfinished: Sequence[BulkChange],
) -> ListToolbar:
    """Load what the list offers for its table. `seen` is the account's last change before the rows were read."""
    form, done = context.form, page.query
    exports = await downloads.list_by_user(page.tx, page.actor, page.ctx.clock.now())
    has_photos = any(field.file_use is FileUse.PHOTO for field in walk_fields(context.fields))
    return ListToolbar(
        formats=DOWNLOADS,
        exports=[run for run in exports if run.download and run.download.kind in DOWNLOADS],
        gallery_url=replace(query, form="").url(f"/forms/{form.id}/gallery") if form and has_photos else "",
        deleted=done.get("deleted") == "1",
        views=await load_view_bar(page.tx, page.visitor, query, tab=ViewTab.LIST, notice=done.get("view_done", "")),
        bulk=BulkBar(
            post_url=query.url(BULK_PATH),
            seen=seen,
            has_more=bool(table.older_url or table.newer_url),
            total=table.total,
            may_edit=_may_edit(page.visitor, form),
            may_download=form is not None,
            people=people,
        ),
        bulk_done=await load_notice(page.tx, page.visitor, done.get("bulk", "")),
        bulk_open=describe_open(unfinished),
        alert=alert or "",
        alert_frequencies=FREQUENCIES,
        alert_notice=NOTICES.get(done.get("alert", ""), ""),
    )


def _may_edit(visitor: Visitor, form: Form | None) -> bool:
    """Whether the visitor may review the submissions of the list, or of some forms in the list of all."""
    if form:
        return visitor.may(Permission.SUBMISSIONS_EDIT, form)
    return Permission.SUBMISSIONS_EDIT in visitor.actor.permissions


@post("/submissions/columns")
async def choose_columns(page: Page) -> Redirect:
    """Save the chosen columns for this person and form."""
    sent = await page.form()
    form_id = str(sent.get("form", ""))
    form_id = form_id if is_id(form_id, "frm") else ""
    names = [] if "reset" in sent else [str(value) for name, value in sent.multi_items() if name == "column"]
    async with page.writing() as tx:
        await saved_columns.save_columns(tx, page.actor, names, form_id=form_id)
    url = str(sent.get("here", ""))
    # Only to the list itself, so that no form can lead people to other sites.
    return Redirect(url if url.startswith("/submissions?") and url.isprintable() else "/submissions")
