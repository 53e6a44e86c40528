"""The table of the list of submissions: its page of rows, with the columns that the visitor chose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from formwright.core.errors import ValidationFault
from formwright.core.pagination import Position, Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, SectionField, flatten_sections
from formwright.domain.saved_views.list_query import FormContext, ListQuery
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_order import list_sortable
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, Submission, SubmissionFilter
from formwright.domain.submissions.text_search.excerpts import Parts, find_excerpt, find_words
from formwright.domain.submissions.text_search.words import split_matches
from formwright.web.file_urls import sign_thumbnail_url
from formwright.web.page import Page
from formwright.web.views.list_pages import format_position
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
from formwright.web.views.submissions.list_query import row_url

_PAGE_SIZE = 50
MAX_COUNT = 10_000
MAX_FOUND = 1000
"""How many submissions are counted in a search, which reads their texts."""


@dataclass(frozen=True, slots=True)
class Row:
    """A submission in the table. `label` names it for people who do not see the table.

    In a search, `excerpt` has the part of an answer with words that no cell shows.
    """

    id: str
    revision: int
    label: str
    url: str
    cells: Sequence[Cell]
    excerpt: Parts = ()


@dataclass(frozen=True, slots=True)
class SubmissionTable:
    """One page of the list.

    `total` is empty if submissions are not counted: with invalid filters and with filters on answers.
    `fault` says why a search failed.
    """

    available_columns: Sequence[Column]
    columns: Sequence[Column]
    headers: Sequence[ColumnHeader]
    rows: Sequence[Row]
    total: str
    older_url: str
    newer_url: str
    fault: ValidationFault | None


@dataclass(frozen=True, slots=True)
class _Records:
    """The submissions of a page in their order, and the positions of the pages before and after it."""

    items: Sequence[Submission] = ()
    newer: Position | None = None
    older: Position | None = None
    fault: ValidationFault | None = None


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names of forms and people, by id, that the options of the filter have already."""

    forms: Mapping[str, str]
    people: Mapping[str, str]


async def load_table(
    page: Page,
    query: ListQuery,
    context: FormContext,
    filter_: SubmissionFilter | None,
    own_columns: Sequence[str] | None,
    known: KnownNames,
) -> SubmissionTable:
    """Load the page of the query; an empty one without a filter."""
    records = await _load_records(page, filter_, query) if filter_ else _Records()
    is_counted = filter_ is not None and not query.answers
    available = available_columns(context)
    columns = select_columns(available, list_names(query.columns) or own_columns, context.title)
    sortable = await _list_sortable(page, columns, context)
    row = await _load_row_context(page, query, context, records.items, known)
    words = filter_.words if filter_ else ()
    return SubmissionTable(
        available_columns=available,
        columns=columns,
        headers=[column_header(column, query, sortable) for column in columns],
        rows=[_row(columns, record, row, context, query, words) for record in records.items],
        total=await _count(page, filter_, records) if is_counted and filter_ and not records.fault else "",
        older_url=query.url(after=format_position(records.older)) if records.older else "",
        newer_url=query.url(before=format_position(records.newer)) if records.newer else "",
        fault=records.fault,
    )


async def _load_records(page: Page, filter_: SubmissionFilter, query: ListQuery) -> _Records:
    try:
        return await (_load_previous if query.before else _load_next)(page, filter_, query)
    except (SearchNotReady, SearchTooBroad) as error:
        return _Records(fault=ValidationFault("?q", error.code, error.detail))


async def _load_next(page: Page, filter_: SubmissionFilter, query: ListQuery) -> _Records:
    found = await submissions.page(page.tx, page.actor, filter_, Window(_PAGE_SIZE, query.after))
    newer = filter_.position(found.items[0]) if query.after and found.items else None
    return _Records(found.items, newer, found.next)


async def _load_previous(page: Page, filter_: SubmissionFilter, query: ListQuery) -> _Records:
    found = await submissions.previous_page(page.tx, page.actor, filter_, Window(_PAGE_SIZE, query.before))
    newer = filter_.position(found.items[0]) if found.next else None
    older = filter_.position(found.items[-1]) if found.items else None
    return _Records(found.items, newer, older)


async def _list_sortable(page: Page, columns: Sequence[Column], context: FormContext) -> set[str]:
    names = [column.name for column in columns if column.field]
    return set(await list_sortable(page.tx, page.actor, names, form_id=context.form.id)) if context.form else set()


async def _load_row_context(
    page: Page, query: ListQuery, context: FormContext, records: Sequence[Submission], known: KnownNames
) -> RowContext:
    is_of_form = context.form is not None
    return RowContext(
        forms={} if is_of_form else await _load_form_names(page, {record.form_id for record in records}, known.forms),
        people=await load_author_names(page.tx, page.actor, [record.user_id for record in records], known.people),
        fields={} if is_of_form else await load_fields(page, records),
        file_url=partial(sign_thumbnail_url, page.ctx, page.visitor.customer.id),
        now=query.now,
    )


async def _load_form_names(page: Page, form_ids: set[str], known: Mapping[str, str]) -> Mapping[str, str]:
    missing = sorted(form_ids - known.keys())
    found = await forms.find_names(page.tx, page.actor, missing) if missing else {}
    return {**dict.fromkeys(missing, "Restricted form"), **found, **known}


async def load_fields(page: Page, records: Sequence[Submission]) -> dict[str, Sequence[AnyField]]:
    """Return the fields of the forms of these submissions, by version id; none of forms that the visitor can't read."""
    found = await versions.find_many(page.tx, page.actor, {record.version_id: record.form_id for record in records})
    return {version.id: _with_title_first(version.definition) for version in found}


def _with_title_first(definition: Definition) -> list[AnyField]:
    title = definition.settings.title_field
    fields = [field for field in flatten_sections(definition.fields) if not isinstance(field, SectionField)]
    return sorted(fields, key=lambda field: field.name != title)


def _row(
    columns: Sequence[Column],
    record: Submission,
    row: RowContext,
    context: FormContext,
    query: ListQuery,
    words: Sequence[str],
) -> Row:
    cells = render_cells(columns, record, row, context.display)
    excerpt: Parts = ()
    if words:
        cells = [replace(cell, parts=split_matches(cell.text, words)) for cell in cells]
        shown = find_words("\n".join(cell.text for cell in cells), words)
        hidden = [word for word in words if word not in shown]
        excerpt = find_excerpt(row.fields.get(record.version_id, context.fields), record, hidden)
    texts = [cell.time.text if cell.time else cell.status or cell.text for cell in cells]
    label = ", ".join(text for text in texts[:3] if text)
    return Row(record.id, record.revision, label, row_url(record, query), cells, excerpt)


async def _count(page: Page, filter_: SubmissionFilter, records: _Records) -> str:
    """Return the number of submissions, as far as it can be counted in time."""
    limit = MAX_FOUND if filter_.words else MAX_COUNT
    count = len(records.items)
    if records.newer or records.older:
        try:
            count = await submissions.count(page.tx, page.actor, filter_, limit=limit + 1)
        except SearchTooBroad:
            return ""
    if count > limit:
        return f"More than {limit:,} submissions"
    return f"{count:,} submission" + ("" if count == 1 else "s")
