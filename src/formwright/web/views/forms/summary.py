"""The summary of a form's submissions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

import structlog
from markupsafe import Markup, escape

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.saved_views.list_query import ListQuery
from formwright.domain.saved_views.models import ViewTab
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, SubmissionFilter
from formwright.domain.summaries import service as summaries
from formwright.domain.summaries.fields import list_splits
from formwright.domain.summaries.models import FormSummary
from formwright.domain.summaries.service import SummaryPlan
from formwright.web.http import Response, Stream, get
from formwright.web.page import Page
from formwright.web.templating import PAGE_HEADERS, template_environment
from formwright.web.views.form_head import FormHead
from formwright.web.views.forms.filtered_tab import load_filtered_tab
from formwright.web.views.forms.summary_cards import ChartSettings, SummaryView, build_view
from formwright.web.views.list_pages import FilterField
from formwright.web.views.submissions.detail import FileLink, file_link
from formwright.web.views.submissions.list_filter import SubmissionFilterForm
from formwright.web.views.submissions.view_bar import ViewBar, load_view_bar

PATH = "/forms/{form_id:str}/summary"
_PLACE = Markup("<!-- figures -->")
_FIRST_WAIT_S, _PROGRESS_S = 0.3, 1.0
# The files of each submission are one statement.
_MAX_FILE_SUBMISSIONS = 60
_ALL_FIELDS = "all"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """The view model of the tab “Summary”, without its figures, which follow in the place of `place`."""

    head: FormHead
    views: ViewBar
    filter: SubmissionFilterForm
    fields_url: str
    """Where all fields are shown or, if `shows_all`, the chosen columns only. Empty without chosen columns."""
    shows_all: bool
    place: Markup = _PLACE


@dataclass(frozen=True, slots=True)
class OrderLink:
    """A link that shows the charts in another order."""

    name: str
    url: str
    is_current: bool


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
    orders: Sequence[OrderLink]


@get(PATH)
async def summary_page(page: Page, form_id: str) -> Response:
    """What the submissions of a form say about each field.

    The page is sent while the figures are computed, so it appears at once, with and without JavaScript.
    """
    allow(page.actor, Permission.SUBMISSIONS_READ)
    here = f"/forms/{form_id}/summary"
    tab = await load_filtered_tab(page.tx, page, form_id, here)
    plan = await summaries.plan(page.tx, page.actor, form_id=form_id)
    notice = page.query.get("view_done", "")
    views = await load_view_bar(page.tx, page.visitor, tab.query, tab=ViewTab.SUMMARY, notice=notice)
    query, language = tab.query, tab.context.display.language
    choices = [(name, label_text(label, (language,))) for name, label in list_splits(plan.fields)]
    split = query.split if query.split in dict(choices) else ""
    if split:
        plan = plan.split_by(split)
    names, shows_all = query.settings().answer_names, page.query.get("fields") == _ALL_FIELDS
    if names and not shows_all:
        plan = replace(plan, names=names)
    form = (
        tab.form.with_field(FilterField("split", "Compare by", choices, "Compare by…"), split) if choices else tab.form
    )
    kept = [*form.hidden, *([("fields", _ALL_FIELDS)] if shows_all else [])]
    view_model = SummaryPage(
        head=tab.head,
        views=views,
        filter=replace(form, hidden=kept),
        fields_url=replace(query, form="").url(here, **({} if shows_all else {"fields": _ALL_FIELDS})) if names else "",
        shows_all=shows_all,
    )
    html = page.render("forms/summary.html", view_model, section="Forms").content
    is_filtered = bool(query.status or query.person or query.has_period or query.answers or query.view)
    map_url = replace(query, form="").url(f"/forms/{form_id}/map")
    settings = ChartSettings(language, query.by_count)
    orders = _order_links(query, here, shows_all=shows_all)
    render = _Renderer(page, settings, is_filtered, here, map_url, orders)
    return Stream(_stream(html, plan, tab.filter, render), headers=PAGE_HEADERS | {"content-type": "text/html"})


def _order_links(query: ListQuery, path: str, *, shows_all: bool) -> list[OrderLink]:
    kept = {"fields": _ALL_FIELDS} if shows_all else {}
    return [
        OrderLink(name, replace(query, form="", by_count=by_count).url(path, **kept), query.by_count is by_count)
        for name, by_count in (("In form order", False), ("By count", True))
    ]


@dataclass(frozen=True, slots=True)
class _Renderer:
    """Renders the figures of one request."""

    page: Page
    settings: ChartSettings
    is_filtered: bool
    all_url: str
    map_url: str
    orders: Sequence[OrderLink]

    async def figures(self, found: FormSummary) -> str:
        """Return the figures as HTML."""
        view = build_view(found, self.settings)
        async with self.page.ctx.db.reading(long=True) as tx:
            links = await self._load_files(tx, view)
        template = template_environment().get_template("forms/_summary_figures.html")
        context = _Figures(
            found.form_id,
            view,
            links,
            is_empty=not found.submissions,
            is_filtered=self.is_filtered,
            all_url=self.all_url,
            map_url=self.map_url,
            orders=self.orders if view.has_order else (),
        )
        return template.render({name: getattr(context, name) for name in _Figures.__slots__})

    async def _load_files(self, tx: ReadTransaction, view: SummaryView) -> dict[str, FileLink]:
        """Return links to the newest files, by id. Files that were deleted have none."""
        cards = [*view.cards, *view.removed]
        ids = list(dict.fromkeys(item.submission_id for card in cards for item in card.files))
        window, links = Window(MAX_LIMIT), dict[str, FileLink]()
        for submission_id in ids[:_MAX_FILE_SUBMISSIONS]:
            found = await files.page_of_submission(tx, self.page.actor, window, submission_id=submission_id)
            links |= {file.id: file_link(self.page, file) for file in found.items}
        return links


async def _stream(html: str, plan: SummaryPlan, filter_: SubmissionFilter, render: _Renderer) -> AsyncIterator[str]:
    """Yield the page, with the progress and then the figures in their place. Styles hide all but the last of them."""
    before, _, after = html.partition(_PLACE)
    counts = [0]
    work = summaries.compute(render.page.ctx.db, render.page.actor, plan, filter_, counts.append)
    task = asyncio.create_task(work)
    try:
        # Small summaries are finished by then, so that their pages never show the progress.
        await asyncio.wait([task], timeout=_FIRST_WAIT_S)
        yield before
        while not task.done():
            progress = f"Counting… {counts[-1]:,} submissions" if counts[-1] else "Counting submissions…"
            yield f'<p class="progress" role="status">{progress}</p>'
            await asyncio.wait([task], timeout=_PROGRESS_S)
        yield await render.figures(await task)
    except (SearchNotReady, SearchTooBroad) as error:
        yield f'<p class="notice bad" role="alert">{escape(error.detail)}</p>'
    except Exception:
        # The response has started, so its status cannot change any more.
        log.exception("summary failed", form_id=plan.form_id)
        yield '<p class="notice bad" role="alert">The summary couldn’t be computed. Reload the page to try again.</p>'
    finally:
        # If the browser closes the connection, nobody needs the figures any more.
        task.cancel()
    yield after
