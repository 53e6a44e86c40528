"""The submissions of a form on a map."""

import zlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import msgspec

from formwright.context import AppContext
from formwright.core.auth.actor import Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction
from formwright.core.ids import is_id
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.core.pagination import Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField, Shape, walk_fields
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.location_fields import OWN_LOCATION, LocationPath, default_path, location_paths
from formwright.domain.forms.models import Form
from formwright.domain.saved_views.list_query import FormContext, ListQuery, build_filter, load_form_context
from formwright.domain.saved_views.models import ViewTab
from formwright.domain.submissions import list_columns as saved_columns
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.geojson import placed
from formwright.domain.submissions.models import (
    SearchNotReady,
    SearchTooBroad,
    Submission,
    SubmissionFilter,
    SubmissionNotFound,
)
from formwright.web.basemap import Basemap, allow_basemap, basemap
from formwright.web.http import JsonResponse, Response, Stream, get
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.templating import format_time
from formwright.web.views.form_head import FormHead
from formwright.web.views.forms.filtered_tab import load_filtered_tab
from formwright.web.views.list_pages import FilterField
from formwright.web.views.submissions.list_columns import (
    RowContext,
    available_columns,
    list_names,
    render_cells,
    select_columns,
)
from formwright.web.views.submissions.list_filter import SubmissionFilterForm
from formwright.web.views.submissions.list_query import read_list_query
from formwright.web.views.submissions.view_bar import ViewBar, load_view_bar

PATH = "/forms/{form_id:str}/map"
MAX_SUBMISSIONS = 200_000
"""How many submissions a map shows: the newest ones, or the first ones of another order."""
_BATCH = 5000
MAX_DETAILS = 20
_OWN_LOCATION_NAME = "_location"
_CACHED_BYTES = 4 * 1024 * 1024

_cache = LRUCache[str, list[bytes]](4)
"""Compressed positions by account, scope, filter and change of the account."""


@dataclass(frozen=True, slots=True)
class MapPage:
    """The view model of the tab “Map”."""

    head: FormHead
    views: ViewBar
    basemap: Basemap
    points_url: str
    details_url: str
    filter: SubmissionFilterForm
    max_submissions: int


@get(PATH)
async def map_page(page: Page, form_id: str) -> Response:
    """The submissions of a form that match the filter, on a map."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    settings, here = page.ctx.settings, f"/forms/{form_id}/map"
    tab = await load_filtered_tab(page.tx, page, form_id, here)
    notice = page.query.get("view_done", "")
    views = await load_view_bar(page.tx, page.visitor, tab.query, tab=ViewTab.MAP, notice=notice)
    fields, field = _field_options(tab.context), _field_name(_find_path(page, tab.context.fields))
    details = [("field", field), *(("column", name) for name in tab.query.columns)]
    view_model = MapPage(
        head=tab.head,
        views=views,
        basemap=basemap(settings),
        points_url=_url(tab.query, f"{here}/points", field=field),
        details_url=f"{here}/submissions?{urlencode(details)}",
        filter=tab.form.with_field(FilterField("field", "Positions", fields), field) if len(fields) > 1 else tab.form,
        max_submissions=MAX_SUBMISSIONS,
    )
    response = page.render("forms/map.html", view_model, section="Forms")
    allow_basemap(response, settings)
    return response


def _read_query(page: PublicPage, form_id: str) -> ListQuery:
    return replace(read_list_query(page), form=form_id, folder="")


def _url(query: ListQuery, path: str, **more: str) -> str:
    return replace(query, form="").url(path, **more)


def _find_path(page: PublicPage, fields: Sequence[AnyField]) -> LocationPath:
    """Return the location field that the query names, or the default if the form has no such field."""
    name = page.query.get("field", "")
    if name == _OWN_LOCATION_NAME:
        return OWN_LOCATION
    return next((path for path in location_paths(fields) if path.field == name), default_path(fields))


def _field_name(path: LocationPath) -> str:
    return path.field or _OWN_LOCATION_NAME


def _field_options(context: FormContext) -> list[tuple[str, str]]:
    labels = {field.name: label_text(field.label, (context.display.language,)) for field in walk_fields(context.fields)}
    return [
        *((path.field, labels[path.field]) for path in location_paths(context.fields)),
        (_OWN_LOCATION_NAME, "Submitted from"),
    ]


@get(PATH + "/points")
async def map_points(page: Page, form_id: str) -> Response:
    """The positions of the submissions that match the filter, as gzipped JSON: see `submissions.positions_page`.

    Batches are read in transactions of their own, and are sent at once, so the memory does not depend on their number.
    """
    scope = allow(page.actor, Permission.SUBMISSIONS_READ)
    await forms.get(page.tx, page.actor, form_id=form_id)
    context = await load_form_context(page.tx, page.visitor, form_id)
    filter_, faults = await build_filter(page.tx, page.visitor, _read_query(page, form_id))
    # Before the positions are read: a change in between makes the cached response outdated, never an outdated one
    # current.
    stamp = await account_lock.change_stamp(page.tx, scope.customer_id)
    path = _find_path(page, context.fields)
    key = _cache_key(scope, filter_, path, stamp)
    if faults:
        filter_ = replace(filter_, matches_nothing=True)
    cached = _cache.get(key)
    chunks = _iter_list(cached) if cached else _stream(page.ctx, page.visitor, filter_, path, key)
    headers = {"cache-control": "no-store", "content-encoding": "gzip", "content-type": "application/json"}
    return Stream(chunks, headers=headers)


def _cache_key(scope: Scope, filter_: SubmissionFilter, path: LocationPath, stamp: tuple[int, int]) -> str:
    return repr((scope, filter_, path, stamp))


async def _iter_list(chunks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def _stream(
    ctx: AppContext, visitor: Visitor, filter_: SubmissionFilter, path: LocationPath, key: str
) -> AsyncIterator[bytes]:
    """Yield the compressed response, and cache it if it is small enough."""
    # 31 selects the gzip format with the largest window (zlib manual, `deflateInit2`).
    compressor = zlib.compressobj(1, wbits=31)
    chunks: list[bytes] = []
    size = 0
    try:
        async for text in _iter_json(ctx, visitor, filter_, path):
            if chunk := await offload(compressor.compress, text):
                size += len(chunk)
                if size <= _CACHED_BYTES:
                    chunks.append(chunk)
                else:
                    chunks.clear()
                yield chunk
    except (SearchNotReady, SearchTooBroad) as error:
        # The response has started, so the error is part of it.
        ended = b'],"complete":false,"fault":%b}' % msgspec.json.encode(error.detail)
        yield compressor.compress(ended) + compressor.flush()
        return
    last = compressor.flush()
    yield last
    if size + len(last) <= _CACHED_BYTES:
        _cache.put(key, [*chunks, last])


async def _iter_json(
    ctx: AppContext, visitor: Visitor, filter_: SubmissionFilter, path: LocationPath
) -> AsyncIterator[bytes]:
    # An empty first position, so that every batch can begin with a comma.
    yield b'{"points":["",0,0,0'
    window: Window | None = Window(_BATCH)
    # A transaction for each batch, because a slow browser would keep a single one open while it receives the response.
    for _ in range(MAX_SUBMISSIONS // _BATCH):
        if window is None:
            break
        async with ctx.db.reading(long=True, listing=True) as tx:
            page = await submissions.positions_page(tx, visitor.actor, filter_, path, window)
        if page.items:
            yield b"," + page.items
        window = Window(_BATCH, page.next) if page.next else None
    yield b'],"complete":%b}' % (b"false" if window else b"true")


class _Detail(msgspec.Struct):
    """A submission in a pop-up or in the list next to the map."""

    id: str
    url: str
    title: str
    status: str
    answers: list[tuple[str, str]]
    shape: str = Shape.POINT.value
    places: list[list[tuple[float, float]]] = []
    """The points of its lines or areas: longitude and latitude."""


@get(PATH + "/submissions")
async def map_details(page: Page, form_id: str) -> Response:
    """The columns of the list for up to 20 submissions of the form, which the parameters `id` name, as JSON.

    The parameters `column` choose other columns, such as those of a saved view, and `field` the location, line or area.
    """
    ids = [value for value in page.query.getall("id", []) if is_id(value, "sub")][:MAX_DETAILS]
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    details = await _load_details(page.tx, page, form, ids)
    return JsonResponse(details)


async def _load_details(tx: ReadTransaction, page: Page, form: Form, ids: Sequence[str]) -> list[_Detail]:
    context = await load_form_context(tx, page.visitor, form.id)
    path = _find_path(page, context.fields)
    own_columns = await saved_columns.find_columns(tx, page.actor, form_id=form.id)
    chosen = list_names(read_list_query(page).columns) or own_columns
    columns = [
        column
        for column in select_columns(available_columns(context), chosen)
        if column.name not in (".submitted", ".status")
    ]
    records = []
    for submission_id in ids:
        try:
            record = await submissions.get(tx, page.actor, submission_id=submission_id)
        except SubmissionNotFound:
            continue
        if record.form_id == form.id:
            records.append(record)
    names = RowContext({}, await load_author_names(tx, page.actor, [record.user_id for record in records]))
    return [
        _Detail(
            record.id,
            f"/submissions/{record.id}",
            format_time(record.at, context.display.time_zone).text,
            record.status.value,
            [
                (cell.label, text)
                for cell in render_cells(columns, record, names, context.display)
                if (text := cell.time.text if cell.time else cell.text)
            ],
            path.shape.value,
            _places(record, path),
        )
        for record in records
    ]


def _places(record: Submission, path: LocationPath) -> list[list[tuple[float, float]]]:
    if path.shape is Shape.POINT:
        return []
    return [[(one.longitude, one.latitude) for one in found.positions] for found in placed(record, path)]
