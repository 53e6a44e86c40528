"""The SQL of submissions."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec
from msgspec.structs import astuple

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, Statement, WriteTransaction
from formwright.core.db.query import Query, fetch_count, form_exists, read_joined
from formwright.core.pagination import Page, RenderedPage, Window, cut_page
from formwright.domain.forms.location_fields import LocationPath
from formwright.domain.submissions import (
    answer_filters_sql,
    answer_order_store,
    index_scan,
    positions_sql,
    rendered_json,
)
from formwright.domain.submissions import answer_index as submission_index
from formwright.domain.submissions.answer_pages import NO_ANSWERS, AnswersPage, to_answers_page
from formwright.domain.submissions.index_scan import Candidates
from formwright.domain.submissions.models import Submission, SubmissionFilter, SubmissionStatus
from formwright.domain.submissions.text_search import search
from formwright.domain.submissions.text_search import store as texts

_FIELDS = ", ".join(Submission.__struct_fields__)
_SELECT = f"SELECT {_FIELDS} FROM submissions"
_BY_ID = f"customer_id = $1 AND id = $2 AND {form_exists()}"
_SELECT_BY_ID = f"{_SELECT} WHERE {_BY_ID}"
_SELECT_RENDERED = f"SELECT {rendered_json.RENDERED} FROM submissions"
_SELECT_RENDERED_BY_ID = f"{_SELECT_RENDERED} WHERE {_BY_ID}"
_SELECT_EXTERNAL_ID = "SELECT id FROM submissions WHERE customer_id = $1 AND form_id = $2 AND external_id = $3"
COLUMNS = [*Submission.__struct_fields__, "at", "shown", "shown_as", "search_text", "search_text_as"]
_INSERT = (
    f"INSERT INTO submissions ({', '.join(COLUMNS)})"
    f" VALUES ({', '.join(f'${place}' for place, _ in enumerate(COLUMNS, 1))})"
)
# CROSS JOIN fixes the join order. Otherwise SQLite would scan the whole list and check each row against the ids.
_JOIN_CANDIDATES = "/*sqlite (SELECT value AS wanted FROM json_each($2)) CROSS JOIN */"
_MAX_CANDIDATES, _FIRST_CANDIDATES = 5000, 500
"""If the index finds at most `_MAX_CANDIDATES` submissions, they are looked up by id; otherwise the list is read in its
order. More than `_FIRST_CANDIDATES` ids are only fetched after checking that there are not too many."""
_SCAN_FACTORS = (1, 4, 16)
"""How many pages of index entries are read in the list's order, attempt by attempt, until enough of them match."""


_STATUS = {status.value: status for status in SubmissionStatus}
P = TypeVar("P", Page[Submission], RenderedPage, AnswersPage)
PageReader = Callable[[ReadTransaction, Scope, SubmissionFilter, Window, Candidates | None], Awaitable[P]]


def _from_row(row: Row) -> Submission:
    submission_id, customer_id, form_id, version_id, status, *rest = row
    return Submission(submission_id, customer_id, form_id, version_id, _STATUS[status], *rest)


async def insert(
    tx: WriteTransaction, submission: Submission, *, published: str | None, search_text: str | None = None
) -> None:
    """Insert a submission and index its answers. Without its search text, a worker adds it.

    `published` is the form's published version, which defines the indexed fields, or None if it has none. It must have
    been read while holding the account lock.
    """
    await tx.defer(_INSERT, [to_row(submission, search_text)])
    texts.schedule_indexing(tx, submission)
    if published:
        await _update_index(tx, submission, published, new=True)


def to_row(submission: Submission, search_text: str | None = None) -> tuple[object, ...]:
    """Return the values of a table row, in the order of `COLUMNS`."""
    text = texts.to_columns(submission, search_text)
    return (*astuple(submission), submission.at, *rendered_json.to_columns(submission), *text)


async def update(tx: WriteTransaction, submission: Submission, *, search_text: str) -> None:
    found = await tx.fetch_one(
        "UPDATE submissions SET version_id = $3, status = $4, data = $5, submitted = $6, at = $7, updated = $8,"
        " revision = $9, lookups = $10, external_id = $12, user_id = $13, location = $14, note = $15, updated_by = $16,"
        " device_time = $17, shown = $18, shown_as = $19, search_text = $20, search_text_as = $21"
        " WHERE customer_id = $1 AND id = $2"
        # The published version, which defines the indexed fields, is read here to save a round trip. The account lock
        # is held, so it cannot change.
        " RETURNING (SELECT published_version_id FROM forms WHERE customer_id = $1 AND id = $11)",
        submission.customer_id,
        submission.id,
        submission.version_id,
        submission.status,
        submission.data,
        submission.submitted,
        submission.at,
        submission.updated,
        submission.revision,
        submission.lookups,
        submission.form_id,
        submission.external_id,
        submission.user_id,
        submission.location,
        submission.note,
        submission.updated_by,
        submission.device_time,
        *rendered_json.to_columns(submission),
        *texts.to_columns(submission, search_text),
    )
    texts.schedule_indexing(tx, submission)
    await _update_index(tx, submission, found[0] if found else None, new=False)


async def _update_index(tx: WriteTransaction, submission: Submission, published: str | None, *, new: bool) -> None:
    await submission_index.index_submission(
        tx,
        Scope(submission.customer_id),
        form_id=submission.form_id,
        published=published,
        submission_id=submission.id,
        data=submission.data,
        at=submission.at,
        new=new,
    )


async def set_client_id(tx: WriteTransaction, scope: Scope, submission_id: str, client_id: str) -> None:
    """Change the id by which pages know a submission, so that those that know the former one create another."""
    await tx.execute(
        "UPDATE submissions SET client_id = $3 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        submission_id,
        client_id,
    )


async def delete(tx: WriteTransaction, scope: Scope, submission_id: str) -> None:
    await tx.execute("DELETE FROM submissions WHERE customer_id = $1 AND id = $2", scope.customer_id, submission_id)


async def find(tx: ReadTransaction, scope: Scope, submission_id: str) -> Submission | None:
    found = await _fetch_by_id(tx, scope, submission_id, _SELECT_BY_ID, _SELECT)
    return _from_row(found) if found else None


async def find_rendered(tx: ReadTransaction, scope: Scope, submission_id: str) -> bytes | None:
    """Return the submission as the JSON object of the API, or None."""
    found = await _fetch_by_id(tx, scope, submission_id, _SELECT_RENDERED_BY_ID, _SELECT_RENDERED)
    if found and found[0] is not None:
        return str(found[0]).encode()
    submission = await find(tx, scope, submission_id) if found else None
    return rendered_json.render(submission) if submission else None


async def _fetch_by_id(
    tx: ReadTransaction, scope: Scope, submission_id: str, by_id_sql: str, select: str
) -> Row | None:
    if scope.reach is None and not scope.with_deleted:
        # The scope of every API key. Composing the query each time would take a tenth of the whole request.
        return await tx.fetch_by_key(by_id_sql, scope.customer_id, submission_id)
    query = Query(select, scope.customer_id).where("id = ?", submission_id).in_scope(scope)
    return await tx.fetch_one(query.sql(), *query.args)


async def find_by_client_id(tx: ReadTransaction, scope: Scope, form_id: str, client_id: str) -> Submission | None:
    """Return the submission with the client id that its page chose, or None."""
    row = await tx.fetch_one(
        f"{_SELECT} WHERE customer_id = $1 AND form_id = $2 AND client_id = $3",
        scope.customer_id,
        form_id,
        client_id,
    )
    return _from_row(row) if row else None


async def find_id_by_external_id(tx: ReadTransaction, scope: Scope, form_id: str, external_id: str) -> str | None:
    row = await tx.fetch_by_key(_SELECT_EXTERNAL_ID, scope.customer_id, form_id, external_id)
    return str(row[0]) if row else None


async def prefetch(tx: ReadTransaction, scope: Scope, submission_ids: Sequence[str]) -> dict[Statement, Row | None]:
    """Return the row that `find` looks up for each of these ids, by its statement; None for an unknown id."""
    found: dict[Statement, Row | None] = {(_SELECT_BY_ID, scope.customer_id, one): None for one in submission_ids}
    query = Query(_SELECT, scope.customer_id).any_of("id", submission_ids).in_scope(Scope(scope.customer_id))
    rows = await tx.fetch(query.sql(), *query.args) if submission_ids else []
    return found | {(_SELECT_BY_ID, scope.customer_id, row[0]): row for row in rows}


# PostgreSQL looks the ids up one by one. With `= ANY`, it would compare all external ids of a form with the array, as
# long as it has no statistics for the form: in an import, for each batch of rows.
_TAKEN_EXTERNAL_IDS = (
    "/*postgres SELECT found.external_id FROM jsonb_array_elements_text($3::jsonb) AS wanted (id) CROSS JOIN LATERAL"
    " (SELECT external_id FROM submissions WHERE customer_id = $1 AND form_id = $2 AND external_id = wanted.id LIMIT 1)"
    " AS found*//*sqlite SELECT external_id FROM submissions WHERE customer_id = $1 AND form_id = $2"
    " AND external_id IN (SELECT value FROM json_each($3))*/"
)


async def prefetch_unused_external_ids(
    tx: ReadTransaction, scope: Scope, form_id: str, external_ids: Sequence[str]
) -> dict[Statement, Row | None]:
    """Return what `find_id_by_external_id` looks up, by its statement, for the ids that the form's submissions lack."""
    rows = await tx.fetch(_TAKEN_EXTERNAL_IDS, scope.customer_id, form_id, msgspec.json.encode(external_ids).decode())
    taken = {row[0] for row in rows}
    return {(_SELECT_EXTERNAL_ID, scope.customer_id, form_id, one): None for one in external_ids if one not in taken}


async def page(tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window) -> Page[Submission]:
    return await _read_page(tx, scope, criteria, window, _page)


async def rendered_page(tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window) -> RenderedPage:
    """Return a page as JSON objects of the API."""
    return await _read_page(tx, scope, criteria, window, _rendered_page)


async def _read_page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, read: PageReader[P]
) -> P:
    """Read a page among the candidates that an index finds: the next ones of the list, or all if they are few."""
    async with search.limit(tx, scope, criteria.words):
        return await _read_candidates_page(tx, scope, criteria, window, read)


async def _read_candidates_page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, read: PageReader[P]
) -> P:
    for factor in _SCAN_FACTORS:
        candidates = await index_scan.next_candidates(tx, scope, criteria, window.after, factor * (window.limit + 1))
        if candidates is None:
            break
        page = await read(tx, scope, criteria, window, candidates)
        if page.next or candidates.until is None:
            return page
    return await read(tx, scope, criteria, window, await _find_candidates(tx, scope, criteria))


async def _page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, candidates: Candidates | None
) -> Page[Submission]:
    if criteria.by_answer:
        build = partial(_build_query, scope, criteria, candidates=candidates)
        found = await answer_order_store.fetch_rows(tx, criteria.by_answer, window, build, candidates is not None)
        return cut_page([_from_row(row) for row in found], window.limit, criteria.position)
    query, order = _build_query(scope, criteria, candidates=candidates), criteria.order
    rows = await tx.fetch(query.window(window, order.column, descending=order.is_descending), *query.args)
    return cut_page([_from_row(row) for row in rows], window.limit, criteria.position)


async def list_revisions(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, limit: int
) -> Sequence[tuple[str, int]]:
    """Return the id and the revision of the first `limit` matching submissions, in the filter's order."""
    async with search.limit(tx, scope, criteria.words):
        candidates = await _find_candidates(tx, scope, criteria)
        query, order = _build_query(scope, criteria, "id, revision", candidates), criteria.order
        window = Window(limit - 1)
        rows = await tx.fetch(query.window(window, order.column, descending=order.is_descending), *query.args)
    return [(str(row[0]), int(row[1])) for row in rows]


async def _rendered_page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, candidates: Candidates | None
) -> RenderedPage:
    order = criteria.order

    def query(columns: str) -> Query:
        return _build_query(scope, criteria, columns, candidates)

    joined = None
    if criteria.by_answer is None:
        number, descending = order.column, order.is_descending
        joined = await read_joined(tx, query, rendered_json.RENDERED, window, number, descending=descending)
    if joined:
        return joined
    page = await _page(tx, scope, criteria, window, candidates)
    return RenderedPage(b",".join(rendered_json.render(one) for one in page.items), page.next)


async def positions_page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, path: LocationPath, window: Window
) -> RenderedPage:
    """Return the positions of a page of submissions as `positions_column` describes them."""
    order = criteria.order

    async def read(
        tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, candidates: Candidates | None
    ) -> RenderedPage:
        def query(columns: str) -> Query:
            built = _build_query(scope, criteria, columns, candidates)
            return built.bind_columns(**positions_sql.positions_parameters(path))

        column = positions_sql.positions_column(path)
        found = await read_joined(tx, query, column, window, order.column, descending=order.is_descending)
        return found or RenderedPage(b"", None)

    return await _read_page(tx, scope, criteria, window, read)


_JOIN_TEXTS = "/*postgres string_agg*//*sqlite group_concat*/"
_ANSWERS = (
    f"SELECT {_JOIN_TEXTS}(id, ' '), {_JOIN_TEXTS}(version_id, ' '), {_JOIN_TEXTS}(status, ' '),"
    f" {_JOIN_TEXTS}(CAST(at AS text), ','), {_JOIN_TEXTS}(CAST(coalesce(submitted - started, 0) AS text), ','),"
    " /*postgres textsend(string_agg(data::text, ','))*//*sqlite CAST(group_concat(data, ',') AS BLOB)*/"
    " FROM ({rows}) AS page"
)
"""The columns of `AnswersPage`, joined by the database: single rows would take Python as long as their answers."""


async def answers_page(tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window) -> AnswersPage:
    return await _read_page(tx, scope, criteria, window, _answers_page)


async def _answers_page(
    tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, window: Window, candidates: Candidates | None
) -> AnswersPage:
    columns = "id, version_id, status, at, updated, started, submitted, data"
    query = _build_query(scope, criteria, columns, candidates)
    order, limit = criteria.order, window.limit
    # `window` reads one row more than its limit, and this page consists of exactly `limit` rows.
    exact = Window(limit - 1, window.after)
    rows = query.window(exact, order.column, descending=order.is_descending)
    row = await tx.fetch_one(_ANSWERS.format(rows=rows), *query.args)
    return to_answers_page(*row, limit=limit) if row and row[0] else NO_ANSWERS


async def count(tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter, limit: int) -> int:
    is_selective = criteria.ids or criteria.external_ids or criteria.answers or criteria.words
    async with search.limit(tx, scope, criteria.words):
        candidates = await _find_candidates(tx, scope, criteria) if is_selective else None
        query = _build_query(scope, criteria, "1", candidates)
        if criteria.statuses and not criteria.form_ids and candidates is None:
            query.form_by_form()
        row = await tx.fetch_one(f"SELECT count(*) FROM ({query.sql()} LIMIT {limit}) AS found", *query.args)
    return int(row[0]) if row else 0


async def count_answered(
    tx: ReadTransaction, scope: Scope, form_id: str, field: str, repeats: Sequence[str] = ()
) -> int:
    """Return how many submissions have an answer to a field: with `repeats`, in any row of the last of them."""
    query = Query("SELECT count(*) FROM submissions", scope.customer_id).where("form_id = ?", form_id).in_scope(scope)
    query.where(answer_filters_sql.is_answered(query, repeats, field))
    return await fetch_count(tx, query)


async def _find_candidates(tx: ReadTransaction, scope: Scope, criteria: SubmissionFilter) -> Candidates | None:
    """Return all submissions that an index finds for a condition; None if no index narrows the list down enough."""
    if criteria.ids:
        return Candidates(sorted(criteria.ids))
    if criteria.external_ids:
        query = Query("SELECT id FROM submissions", scope.customer_id).in_scope(scope)
        # The index begins with the form, so it is only used if the statement names forms.
        query.one_of("form_id", criteria.form_ids).one_of("external_id", criteria.external_ids)
        any_form = "form_id IN (SELECT id FROM forms WHERE customer_id = $1)"
        query = query if criteria.form_ids else query.where(any_form)
        return await _fetch_candidates(tx, query.sql(), query)
    for condition in criteria.answers:
        query = Query("SELECT submission_id FROM answer_index", scope.customer_id).in_scope(scope)
        where = answer_filters_sql.index_condition(query, condition)
        if where and (found := await _fetch_candidates(tx, query.where(where).sql(), query)) is not None:
            return found
    if criteria.words and (ranges := await search.find_ranges(tx, scope, criteria.words)):
        query = _build_query(scope, criteria, "id")
        at = texts.restrict_to_ranges(query, ranges)
        inner = query.sql().replace(" FROM submissions ", f" FROM {texts.JOIN_RANGES}submissions ", 1)
        sql = texts.IN_RANGES.replace("{query}", inner).replace("{ranges}", at)
        if (found := await _fetch_candidates(tx, sql, query)) is not None:
            return found
    if scope.reach and (scope.reach.folder_ids or len(scope.reach.form_ids) > 1):
        # If the forms in the scope have few submissions, reading the list in its order would scan the whole account.
        query = Query("SELECT id FROM submissions", scope.customer_id).in_scope(scope)
        return await _fetch_candidates(tx, query.sql(), query)
    return None


async def _fetch_candidates(tx: ReadTransaction, sql: str, query: Query) -> Candidates | None:
    rows = await tx.fetch(f"{sql} LIMIT {_FIRST_CANDIDATES + 1}", *query.args)
    if len(rows) > _FIRST_CANDIDATES:
        if await tx.fetch_one(f"{sql} LIMIT 1 OFFSET {_MAX_CANDIDATES}", *query.args):
            return None
        rows = await tx.fetch(f"{sql} LIMIT {_MAX_CANDIDATES}", *query.args)
    return Candidates(sorted({row[0] for row in rows}))


def _build_query(
    scope: Scope, criteria: SubmissionFilter, columns: str = _FIELDS, candidates: Candidates | None = None
) -> Query:
    """Return the query for a filter, restricted to `candidates` if an index has found them."""
    query = Query(
        f"SELECT {columns} FROM {'' if candidates is None else _JOIN_CANDIDATES}submissions", scope.customer_id
    )
    if candidates is not None:
        at = query.bind(msgspec.json.encode(candidates.ids).decode())
        found = f"id = ANY (ARRAY(SELECT jsonb_array_elements_text({at}::jsonb)))"
        query.where(f"/*postgres {found}*//*sqlite id = wanted*/")
    if candidates and candidates.until:
        until = candidates.until
        query.where(f"(at, id) {'>=' if criteria.order.is_descending else '<='} (?, ?)", until.number, until.id)
    query.in_scope(scope)
    query.one_of("form_id", criteria.form_ids).one_of("status", criteria.statuses)
    query.one_of("external_id", criteria.external_ids)
    for condition, value in (
        ("user_id = ?", criteria.user_id),
        ("task_id = ?", criteria.task_id),
        ("invite_id = ?", criteria.invite_id),
        ("submitted >= ?", criteria.submitted_from),
        ("submitted < ?", criteria.submitted_to),
        ("created >= ?", criteria.created_from),
        ("created < ?", criteria.created_to),
        # What was created since then has been changed since then, and that column has an index.
        ("updated >= ?", criteria.created_from),
        ("updated >= ?", criteria.updated_from),
        ("updated < ?", criteria.updated_to),
    ):
        if value is not None:
            query.where(condition, value)
    if criteria.submitted_from is not None:
        # The same bound for `at`, because the list's index is on that column.
        query.where("at >= ?", criteria.submitted_from)
    if criteria.submitted_to is not None:
        query.where("at < ?", criteria.submitted_to)
    if criteria.has_images:
        query.where(
            "EXISTS (SELECT 1 FROM files WHERE files.customer_id = submissions.customer_id"
            " AND files.submission_id = submissions.id AND files.type LIKE 'image/%')"
        )
    if criteria.words:
        texts.where_contains(query, criteria.words)
    if criteria.answers:
        query.where(answer_filters_sql.render_conditions(query, criteria.answers))
    return query
