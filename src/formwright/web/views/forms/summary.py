"""The summary of a form's submissions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import structlog
from litestar import Request, get
from litestar.params import FromPath
from litestar.response import Response, Stream
from markupsafe import Markup

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import label_text
from formwright.domain.saved_views.models import ViewTab
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus
from formwright.domain.summaries import service as summaries
from formwright.domain.summaries.fields import list_splits
from formwright.domain.summaries.models import FormSummary
from formwright.domain.summaries.service import SummaryPlan
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import PAGE_HEADERS, render_view, template_environment
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.forms.summary_cards import SummaryView, build_view
from formwright.web.views.submissions.answer_conditions import ConditionRow, condition_rows
from formwright.web.views.submissions.detail import FileLink, file_link
from formwright.web.views.submissions.list_query import (
    ListQuery,
    build_filter,
    list_people,
    list_periods,
    load_form_context,
    read_list_query,
    resolve_view,
)
from formwright.web.views.submissions.view_bar import ViewBar, load_view_bar

PATH = "/forms/{form_id:str}/summary"
_PLACE = Markup("<!-- figures -->")
_FIRST_WAIT_S, _PROGRESS_S = 0.3, 1.0
_MAX_FILE_SUBMISSIONS = 60
_IN_FILTER_LINE = ("status", "person", "days", "from", "to", "split")
_ALL_FIELDS = "all"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """The view model of the tab “Summary”, without its figures, which follow in the place of `place`."""

    head: FormHead
    views: ViewBar
    query: ListQuery
    rest: Sequence[tuple[str, str]]
    statuses: Sequence[tuple[str, str]]
    people: Sequence[tuple[str, str]]
    periods: Sequence[tuple[str, str]]
    conditions: Sequence[ConditionRow]
    faults: Sequence[str]
    all_url: str
    choices: Sequence[tuple[str, str]]
    """The names and labels of the single choices by which the submissions can be split; `split` is the chosen one."""
    split: str
    fields_url: str
    """Where all fields are shown or, if `shows_all`, the chosen columns only. Empty without chosen columns."""
    shows_all: bool
    place: Markup = _PLACE


@dataclass(frozen=True, slots=True)
class _Figures:
    """The variables of the figures. `files` are links to files by id, and `shown` is empty without submissions."""

    form_id: str
    view: SummaryView
    files: dict[str, FileLink]
    is_empty: bool
    is_filtered: bool
    all_url: str
    map_url: str


@get(PATH)
async def summary_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[Any]:
    """What the submissions of a form say about each field.

    The page is sent while the figures are computed, so it appears at once, with and without JavaScript.
    """
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.SUBMISSIONS_READ)
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        query = await resolve_view(tx, visitor, replace(read_list_query(request), form=form_id, folder=""))
        context = await load_form_context(tx, visitor, form_id)
        filter_, faults = await build_filter(tx, visitor, query)
        plan = await summaries.plan(tx, visitor.actor, form_id=form_id)
        head = await load_form_head(tx, visitor, form, query.params())
        people = await list_people(tx, visitor)
        notice = request.query_params.get("view_done", "")
        views = await load_view_bar(tx, visitor, query, tab=ViewTab.SUMMARY, notice=notice)
    here = f"/forms/{form.id}/summary"
    choices = [(name, label_text(label, (context.display.language,))) for name, label in list_splits(plan.fields)]
    split = query.split if query.split in dict(choices) else ""
    if split:
        plan = plan.split_by(split)
    names, shows_all = query.settings().answer_names, request.query_params.get("fields") == _ALL_FIELDS
    if names and not shows_all:
        plan = replace(plan, names=names)
    rest = [(name, value) for name, value in query.exact_params() if name not in ("form", *_IN_FILTER_LINE)]
    rest += [("fields", _ALL_FIELDS)] if shows_all else []
    view_model = SummaryPage(
        head=head,
        views=views,
        query=query,
        rest=rest,
        statuses=[(status.value, status.capitalize()) for status in SubmissionStatus],
        people=people,
        periods=list_periods(query),
        conditions=[
            replace(row, remove_url=row.remove_url.replace("/submissions?", f"{here}?", 1))
            for row in condition_rows(query, context.fields, faults, context.display)
        ],
        faults=[fault.detail for fault in query.faults],
        all_url=here,
        choices=choices,
        split=split,
        fields_url=replace(query, form="").url(here, **({} if shows_all else {"fields": _ALL_FIELDS})) if names else "",
        shows_all=shows_all,
    )
    page = render_view(request, "forms/summary.html", view_model, visitor=visitor, section="Forms").content
    if faults or query.faults:
        filter_ = replace(filter_, matches_nothing=True)
    is_filtered = bool(query.status or query.person or query.has_period or query.answers or query.view)
    map_url = replace(query, form="").url(f"/forms/{form.id}/map")
    render = _Renderer(request, visitor, context.display.language, is_filtered, here, map_url)
    return Stream(_stream(page, plan, filter_, render), headers=PAGE_HEADERS | {"content-type": "text/html"})


@dataclass(frozen=True, slots=True)
class _Renderer:
    """Renders the figures of one request."""

    request: Request[Any, Any, Any]
    visitor: Visitor
    language: str
    is_filtered: bool
    all_url: str
    map_url: str

    @property
    def ctx(self) -> AppContext:
        return get_app_context(self.request)

    async def figures(self, found: FormSummary) -> str:
        """Return the figures as HTML."""
        view = build_view(found, self.language)
        async with self.ctx.db.reading(long=True) as tx:
            links = await self._load_files(tx, view)
        template = template_environment().get_template("forms/_summary_figures.html")
        is_empty = not found.submissions
        context = _Figures(found.form_id, view, links, is_empty, self.is_filtered, self.all_url, self.map_url)
        return template.render({name: getattr(context, name) for name in _Figures.__slots__})

    async def _load_files(self, tx: ReadTransaction, view: SummaryView) -> dict[str, FileLink]:
        """Return links to the newest files, by id. Files that were deleted have none."""
        cards = [*view.cards, *view.removed]
        ids = list(dict.fromkeys(item.submission_id for card in cards for item in card.files))
        window, links = Window(MAX_LIMIT), dict[str, FileLink]()
        for submission_id in ids[:_MAX_FILE_SUBMISSIONS]:
            page = await files.page_of_submission(tx, self.visitor.actor, window, submission_id=submission_id)
            links |= {file.id: file_link(self.request, file) for file in page.items}
        return links


async def _stream(page: str, plan: SummaryPlan, filter_: SubmissionFilter, render: _Renderer) -> AsyncIterator[str]:
    """Yield the page, with the progress and then the figures in their place. Styles hide all but the last of them."""
    before, _, after = page.partition(_PLACE)
    counts = [0]
    work = summaries.compute(render.ctx.db, render.visitor.actor, plan, filter_, counts.append)
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=_FIRST_WAIT_S)
        yield before
        while not task.done():
            yield f'<p class="progress" role="status">Counting… {counts[-1]:,} submissions</p>'
            await asyncio.wait([task], timeout=_PROGRESS_S)
        yield await render.figures(await task)
    except Exception:
        # The response has started, so its status cannot change any more.
        log.exception("summary_failed", form_id=plan.form_id)
        yield '<p class="notice bad" role="alert">The summary couldn’t be computed. Reload the page to try again.</p>'
    finally:
        task.cancel()
    yield after


HANDLERS = [summary_page]
