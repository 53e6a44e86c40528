"""The list of submissions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Denied, NotFound, ValidationFault
from formwright.core.file_uses import FileUse
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.exports import downloads
from formwright.domain.exports.models import ExportRun
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, SectionField, flatten_sections, walk_fields
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.saved_views.models import ViewTab
from formwright.domain.submission_alerts import service as alerts
from formwright.domain.submissions import list_columns as saved_columns
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_filters import Operator
from formwright.domain.submissions.answer_order import list_sortable
from formwright.domain.submissions.models import (
    SearchNotReady,
    SearchTooBroad,
    Submission,
    SubmissionFilter,
    SubmissionStatus,
)
from formwright.domain.submissions.text_search.words import split_matches
from formwright.web.file_urls import sign_thumbnail_url
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.download_kinds import DOWNLOADS, DownloadKind
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.list_urls import format_position
from formwright.web.views.submissions.alerts import FREQUENCIES, NOTICES
from formwright.web.views.submissions.answer_conditions import (
    OPERATOR_LABELS,
    ConditionRow,
    FilterableAnswer,
    condition_rows,
    filterable_answers,
    parse_condition,
)
from formwright.web.views.submissions.bulk import BULK_PATH, BulkNotice, load_notice, load_open_notices
from formwright.web.views.submissions.list_columns import (
    Cell,
    Column,
    ColumnHeader,
    RowContext,
    available_columns,
    column_header,
    list_names,
    render_cells,
    select_columns,
)
from formwright.web.views.submissions.list_query import (
    FormContext,
    ListQuery,
    build_filter,
    list_people,
    list_periods,
    load_form_context,
    read_list_query,
    resolve_view,
    row_url,
)
from formwright.web.views.submissions.view_bar import ViewBar, load_view_bar

_PAGE_SIZE = 50
MAX_COUNT = 10_000

Options = Sequence[tuple[str, str]]
"""The options of a filter: each with its value and its label."""


@dataclass(frozen=True, slots=True)
class Row:
    """A submission in the table. `label` names it for people who do not see the table."""

    id: str
    revision: int
    label: str
    url: str
    cells: Sequence[Cell]


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
class SubmissionListPage:
    """The view model of the list. `form` and its `head` are set if the list is a tab of a form the visitor may read.

    `forms` are the options of the filter, which the tab of one form doesn't have. `all_url` is the list without
    filters, of the form if there is one; `is_filtered` is whether it leaves something out.
    `total` is empty if submissions are not counted: with invalid filters, with a search and with filters on answers.
    """

    query: ListQuery
    form: Form | None
    head: FormHead | None
    all_url: str
    is_filtered: bool
    forms: Options
    folders: Options
    people: Options
    periods: Options
    statuses: Options
    conditions: Sequence[ConditionRow]
    filterable_answers: Sequence[FilterableAnswer]
    operators: Mapping[Operator, str]
    faults: Mapping[str, str]
    available_columns: Sequence[Column]
    columns: Sequence[Column]
    headers: Sequence[ColumnHeader]
    rows: Sequence[Row]
    total: str
    older_url: str
    newer_url: str
    formats: Mapping[str, DownloadKind]
    exports: Sequence[ExportRun]
    gallery_url: str
    import_url: str
    deleted: bool
    views: ViewBar
    bulk: BulkBar
    bulk_done: BulkNotice | None
    bulk_open: Sequence[tuple[str, str]]
    alert: str
    alert_frequencies: Mapping[str, str]
    alert_notice: str


@get("/submissions", long=True, listing=True)
async def submissions_page(page: Page) -> Response:
    """The submissions of one form or of all, filtered, newest first, with the columns that the visitor chose."""
    given = read_list_query(page)
    file_url = partial(sign_thumbnail_url, page.ctx, page.visitor.customer.id)
    exports = await downloads.list_by_user(page.tx, page.actor, page.ctx.clock.now())
    query = await resolve_view(page.tx, page.visitor, given)
    context = await load_form_context(page.tx, page.visitor, query.form)
    if new_condition := _read_new_condition(page, context):
        return Redirect(replace(query, answers={**query.answers, **new_condition}).url())
    view_model = await _load_list(page.tx, page.visitor, query, context, exports, page.query, file_url)
    status = 400 if view_model.faults else 200
    return page.render(
        "submissions/list.html",
        view_model,
        section="Forms" if view_model.head else "Submissions",
        status=status,
    )


def _read_new_condition(page: PublicPage, context: FormContext) -> Mapping[str, str]:
    """Return the condition that was entered under “Filter by answer”, as a query parameter; empty if there is none."""
    entered = page.query
    name, text = entered.get("field", ""), entered.get("value", "")
    if not name or not text.strip():
        return {}
    parameter, value = parse_condition(context.fields, name, entered.get("op", ""), text, context.display)
    return {parameter: value}


async def _load_list(
    tx: ReadTransaction,
    visitor: Visitor,
    query: ListQuery,
    context: FormContext,
    exports: Sequence[ExportRun],
    done: Mapping[str, str],
    file_url: Callable[[str], str],
) -> SubmissionListPage:
    filter_, faults = await build_filter(tx, visitor, query)
    page = _PageOfSubmissions([])
    try:
        page = page if faults else await _load_page(tx, visitor, filter_, query)
    except (SearchNotReady, SearchTooBroad) as error:
        faults = [ValidationFault("?q", error.code, error.detail)]
    is_counted = not faults and not query.answers and not query.q

    available = available_columns(context)
    own_columns = await saved_columns.find_columns(tx, visitor.actor, form_id=query.form)
    columns = select_columns(available, list_names(query.columns) or own_columns, context.title)
    names = [column.name for column in columns if column.field]
    sortable = await list_sortable(tx, visitor.actor, names, form_id=context.form.id) if context.form else set()
    row = RowContext(
        forms={} if context.form else await _load_form_names(tx, visitor, {record.form_id for record in page.items}),
        people=await load_author_names(tx, visitor.actor, [record.user_id for record in page.items]),
        fields={} if context.form else await _load_fields(tx, visitor, page.items),
        file_url=file_url,
        now=query.now,
    )

    form = context.form
    people = await list_people(tx, visitor)
    total = await _count(tx, visitor, filter_) if is_counted else ""
    all_submissions = ListQuery(form=form.id if form else "")
    listed_forms = [] if form else (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items

    has_photos = any(field.file_use is FileUse.PHOTO for field in walk_fields(context.fields))
    return SubmissionListPage(
        query=query,
        form=form,
        head=await load_form_head(tx, visitor, form, query.params()) if form else None,
        all_url=all_submissions.url(),
        is_filtered=replace(query, form="").is_filtered if form else query.is_filtered,
        forms=[(one.id, one.name) for one in listed_forms],
        folders=folder_options(await list_all_folders(tx, visitor.actor)),
        people=people,
        periods=list_periods(query),
        statuses=[(status.value, status.capitalize()) for status in SubmissionStatus],
        conditions=condition_rows(query, context.fields, faults, context.display),
        filterable_answers=filterable_answers(context.fields, context.display) if form else [],
        operators=OPERATOR_LABELS,
        faults={fault.pointer: fault.detail for fault in faults},
        available_columns=available,
        columns=columns,
        headers=[column_header(column, query, sortable) for column in columns],
        rows=[_row(columns, record, row, context, query, filter_.words) for record in page.items],
        total=total,
        older_url=query.url(after=format_position(page.older)) if page.older else "",
        newer_url=query.url(before=format_position(page.newer)) if page.newer else "",
        formats=DOWNLOADS,
        exports=[run for run in exports if run.download and run.download.kind in DOWNLOADS],
        gallery_url=replace(query, form="").url(f"/forms/{form.id}/gallery") if form and has_photos else "",
        import_url=f"/forms/{form.id}/imports" if form and visitor.may(Permission.SUBMISSIONS_CREATE, form) else "",
        deleted=done.get("deleted") == "1",
        views=await load_view_bar(tx, visitor, query, tab=ViewTab.LIST, notice=done.get("view_done", "")),
        bulk=BulkBar(
            post_url=query.url(BULK_PATH),
            seen=(await account_lock.change_stamp(tx, visitor.customer.id))[1],
            has_more=bool(page.older or page.newer),
            total=total,
            may_edit=_may_edit(visitor, form),
            may_download=form is not None,
            people=people,
        ),
        bulk_done=await load_notice(tx, visitor, done.get("bulk", "")),
        bulk_open=await load_open_notices(tx, visitor),
        alert=(await alerts.find_frequency(tx, visitor.actor, form_id=form.id) or "") if form else "",
        alert_frequencies=FREQUENCIES,
        alert_notice=NOTICES.get(done.get("alert", ""), ""),
    )


def _may_edit(visitor: Visitor, form: Form | None) -> bool:
    """Whether the visitor may review the submissions of the list, or of some forms in the list of all."""
    if form:
        return visitor.may(Permission.SUBMISSIONS_EDIT, form)
    return Permission.SUBMISSIONS_EDIT in visitor.actor.permissions


def _row(
    columns: Sequence[Column],
    record: Submission,
    row: RowContext,
    context: FormContext,
    query: ListQuery,
    words: Sequence[str],
) -> Row:
    cells = render_cells(columns, record, row, context.display)
    if words:
        cells = [replace(cell, parts=split_matches(cell.text, words)) for cell in cells]
    texts = [cell.time.text if cell.time else cell.status or cell.text for cell in cells]
    label = ", ".join(text for text in texts[:3] if text)
    return Row(record.id, record.revision, label, row_url(record, query), cells)


@dataclass(frozen=True, slots=True)
class _PageOfSubmissions:
    """One page of the list, in its order, and the positions of the pages before and after it."""

    items: Sequence[Submission]
    newer: Position | None = None
    older: Position | None = None


async def _load_page(
    tx: ReadTransaction, visitor: Visitor, filter_: SubmissionFilter, query: ListQuery
) -> _PageOfSubmissions:
    position = filter_.position
    if query.before is None:
        page = await submissions.page(tx, visitor.actor, filter_, Window(_PAGE_SIZE, query.after))
        newer = position(page.items[0]) if query.after and page.items else None
        return _PageOfSubmissions(page.items, newer, page.next)
    page = await submissions.previous_page(tx, visitor.actor, filter_, Window(_PAGE_SIZE, query.before))
    newer = position(page.items[0]) if page.next else None
    older = position(page.items[-1]) if page.items else None
    return _PageOfSubmissions(page.items, newer, older)


async def _load_form_names(tx: ReadTransaction, visitor: Visitor, form_ids: Iterable[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for form_id in form_ids:
        try:
            names[form_id] = (await forms.get(tx, visitor.actor, form_id=form_id)).name
        except FormNotFound:
            names[form_id] = "Restricted form"
    return names


def _with_title_first(definition: Definition) -> list[AnyField]:
    title = definition.settings.title_field
    fields = [field for field in flatten_sections(definition.fields) if not isinstance(field, SectionField)]
    return sorted(fields, key=lambda field: field.name != title)


async def _load_fields(
    tx: ReadTransaction, visitor: Visitor, records: Sequence[Submission]
) -> dict[str, Sequence[AnyField]]:
    """Return the fields of the forms of these submissions, by version id; none of forms that the visitor can't read."""
    found: dict[str, Sequence[AnyField]] = {}
    for version_id, form_id in {record.version_id: record.form_id for record in records}.items():
        try:
            version = await versions.get(tx, visitor.actor, form_id=form_id, version_id=version_id)
            found[version_id] = _with_title_first(version.definition)
        except (Denied, NotFound):
            found[version_id] = []
    return found


async def _count(tx: ReadTransaction, visitor: Visitor, filter_: SubmissionFilter) -> str:
    count = await submissions.count(tx, visitor.actor, filter_, limit=MAX_COUNT + 1)
    if count > MAX_COUNT:
        return f"More than {MAX_COUNT:,} submissions"
    return f"{count:,} submission" + ("" if count == 1 else "s")


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
    return Redirect(url if url.startswith("/submissions?") and url.isprintable() else "/submissions")


HANDLERS = [submissions_page, choose_columns]
