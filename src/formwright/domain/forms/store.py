"""SQL for forms and versions."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Statement, WriteTransaction
from formwright.core.db.query import Query, fetch_count
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import ListOrder, Page, Position, TimeFilter, Window, cut_page
from formwright.domain.forms.models import Form, FormFilter, Version, VersionStatus

_FORM_COLUMNS = (
    "id, customer_id, name, description, status, tags, folder_id, published_version_id, link, created, updated,"
    " revision, external_id, xform_id, public_link"
)
_FORM = f"SELECT {_FORM_COLUMNS} FROM forms"
_FORM_BY_ID = f"{_FORM} WHERE customer_id = $1 AND id = $2"
_VERSION_COLUMNS = (
    "id, customer_id, form_id, number, status, remarks, definition, created, updated, revision, created_by, updated_by"
)
_VERSION = f"SELECT {_VERSION_COLUMNS} FROM versions"
_FORM_SIZE = 15
"""How many columns `_FORM` has."""
# Definitions contain ids of data sources and of question blocks only, so searching for the quoted id finds references.
_REFERS_TO = (
    "EXISTS (SELECT 1 FROM versions AS v WHERE v.customer_id = $1 AND v.form_id = forms.id"
    """ AND v.definition LIKE '%"' || ? || '"%'"""
    " AND (v.id = forms.published_version_id OR v.status = 'DRAFT' AND v.number = (SELECT MAX(n.number)"
    " FROM versions AS n WHERE n.customer_id = $1 AND n.form_id = forms.id)))"
)
_IS_CURRENT = (
    "(id = (SELECT f.published_version_id FROM forms AS f WHERE f.customer_id = $1 AND f.id = versions.form_id)"
    " OR status = 'DRAFT' AND number = (SELECT MAX(n.number) FROM versions AS n"
    " WHERE n.customer_id = $1 AND n.form_id = versions.form_id))"
)
_FORMS = RecordTable[Form](
    "forms",
    _FORM_COLUMNS,
    "name, description, status, tags, folder_id, published_version_id, updated, revision, external_id, public_link,"
    " xform_id",
)
_VERSIONS = RecordTable[Version](
    "versions", _VERSION_COLUMNS, "status, remarks, definition, updated, revision, updated_by"
)
update_form, insert_version, update_version = _FORMS.update, _VERSIONS.insert, _VERSIONS.update


_form_reader = RecordReader(Form)


_version_reader = RecordReader(Version)


async def insert_form(tx: WriteTransaction, form: Form) -> None:
    await _FORMS.insert(tx, form)
    await tx.execute(
        "INSERT INTO fill_links (token, customer_id, form_id) VALUES ($1, $2, $3)", form.link, form.customer_id, form.id
    )


def form_query(scope: Scope, form_id: str) -> list[Statement]:
    """Return the query of `find_form` for scopes that include the whole account, such as those of API keys."""
    return [(_FORM_BY_ID, scope.customer_id, form_id)] if scope.reach is None else []


async def find_form(tx: ReadTransaction, scope: Scope, form_id: str) -> Form | None:
    if scope.reach is None:
        # Building the same query for each submission takes longer than finding the form.
        row = await tx.fetch_cached(_FORM_BY_ID, scope.customer_id, form_id)
    else:
        query = Query(_FORM, scope.customer_id).where("id = ?", form_id).in_scope(scope, "id")
        row = await tx.fetch_cached(query.sql(), *query.args)
    return _form_reader(row) if row else None


async def find_with_published(tx: ReadTransaction, scope: Scope, form_id: str) -> tuple[Form, Version | None] | None:
    query = Query(_FORM, scope.customer_id).where("id = ?", form_id).in_scope(scope, "id")
    row = await tx.fetch_one(
        f"SELECT form.*, version.* FROM ({query.sql()}) AS form LEFT JOIN (SELECT {_VERSION_COLUMNS} FROM versions"
        " WHERE customer_id = $1) AS version ON version.form_id = form.id AND version.id = form.published_version_id",
        *query.args,
    )
    if row is None:
        return None
    version = row[_FORM_SIZE:]
    return _form_reader(row[:_FORM_SIZE]), _version_reader(version) if version[0] is not None else None


async def find_names(tx: ReadTransaction, scope: Scope, form_ids: Sequence[str]) -> dict[str, str]:
    query = Query("SELECT id, name FROM forms", scope.customer_id).any_of("id", form_ids).in_scope(scope, "id")
    return {row[0]: row[1] for row in await tx.fetch(query.sql(), *query.args)}


async def find_by_external_id(tx: ReadTransaction, scope: Scope, external_id: str) -> Form | None:
    query = Query(_FORM, scope.customer_id).where("external_id = ?", external_id).in_scope(scope, "id")
    return await _form_reader.find(tx, query)


async def has_external_id(tx: ReadTransaction, scope: Scope, external_id: str, except_id: str) -> bool:
    """Whether another form of the account has this external id, also outside of the scope's forms."""
    row = await tx.fetch_one(
        "SELECT 1 FROM forms WHERE customer_id = $1 AND external_id = $2 AND id <> $3",
        scope.customer_id,
        external_id,
        except_id,
    )
    return row is not None


async def has_xform_id(tx: ReadTransaction, scope: Scope, xform_id: str, except_id: str) -> bool:
    """Whether another form of the account has this id in XLSForm files, also outside of the scope's forms."""
    row = await tx.fetch_one(
        "SELECT 1 FROM forms WHERE customer_id = $1 AND xform_id = $2 AND id <> $3",
        scope.customer_id,
        xform_id,
        except_id,
    )
    return row is not None


async def list_xform_ids(tx: ReadTransaction, scope: Scope, prefix: str) -> set[str]:
    """Return the ids in XLSForm files that begin with this text, of all forms of the account."""
    rows = await tx.fetch(
        "SELECT xform_id FROM forms WHERE customer_id = $1 AND substr(xform_id, 1, $2) = $3",
        scope.customer_id,
        len(prefix),
        prefix,
    )
    return {row[0] for row in rows}


async def find_newest_version(tx: ReadTransaction, scope: Scope, form_id: str) -> Version | None:
    query = Query(_VERSION, scope.customer_id).where("form_id = ?", form_id).in_scope(scope)
    row = await tx.fetch_one(f"{query.sql()} ORDER BY number DESC LIMIT 1", *query.args)
    return _version_reader(row) if row else None


async def find_current_versions(tx: ReadTransaction, scope: Scope, forms: Sequence[Form]) -> list[Version]:
    """Return the published version of each of these forms, and its newest version if that is a draft, by number."""
    query = Query(_VERSION, scope.customer_id).any_of("form_id", [form.id for form in forms]).in_scope(scope)
    query.where(_IS_CURRENT)
    return [_version_reader(row) for row in await tx.fetch(f"{query.sql()} ORDER BY number", *query.args)]


class _Origin(msgspec.Struct):
    id: str


class _Part(msgspec.Struct):
    """What a definition or a field has to do with question blocks."""

    block: _Origin | None = None
    fields: "list[_Part]" = []


async def list_used_blocks(tx: ReadTransaction, scope: Scope) -> dict[str, set[str]]:
    """Return the ids of the question blocks in the published version and the newest draft of each form that has any."""
    query = Query("SELECT form_id, definition FROM versions", scope.customer_id).in_scope(scope)
    # msgspec writes JSON without spaces, and the id of a block first, so the text of a definition shows whether it has
    # any block.
    query.where(_IS_CURRENT).where("""definition LIKE '%"block":{"id":"blk_%'""")
    used: defaultdict[str, set[str]] = defaultdict(set)
    for form_id, definition in await tx.fetch(query.sql(), *query.args):
        used[form_id].update(_origins(_part.decode(definition)))
    return used


_part = msgspec.json.Decoder(_Part)


def _origins(part: _Part) -> Iterator[str]:
    if part.block:
        yield part.block.id
    for inner in part.fields:
        yield from _origins(inner)


async def find_previous_version(tx: ReadTransaction, scope: Scope, form_id: str, number: int) -> Version | None:
    query = Query(_VERSION, scope.customer_id).where("form_id = ?", form_id).where("number < ?", number).in_scope(scope)
    row = await tx.fetch_one(f"{query.sql()} ORDER BY number DESC LIMIT 1", *query.args)
    return _version_reader(row) if row else None


async def list_ids_in_folders(tx: ReadTransaction, scope: Scope, folder_ids: Sequence[str]) -> list[str]:
    query = Query("SELECT id FROM forms", scope.customer_id).one_of("folder_id", folder_ids).in_scope(scope, "id")
    return [row[0] for row in await tx.fetch(query.sql(), *query.args)] if folder_ids else []


async def find_published(tx: ReadTransaction, scope: Scope, form_ids: Sequence[str]) -> dict[str, str]:
    """Return the id of the published version of each of these forms that has one."""
    query = Query("SELECT id, published_version_id FROM forms", scope.customer_id)
    query.any_of("id", form_ids).where("published_version_id IS NOT NULL").in_scope(scope, "id")
    return {row[0]: row[1] for row in await tx.fetch(query.sql(), *query.args)}


async def find_versions(tx: ReadTransaction, scope: Scope, version_ids: Sequence[str]) -> list[Version]:
    """Return the versions with these ids in any order, without those that do not exist."""
    query = Query(_VERSION, scope.customer_id).any_of("id", version_ids).in_scope(scope)
    return await _version_reader.fetch(tx, query) if version_ids else []


async def find_version(tx: ReadTransaction, scope: Scope, form_id: str, version_id: str) -> Version | None:
    query = Query(_VERSION, scope.customer_id).where("form_id = ?", form_id).where("id = ?", version_id).in_scope(scope)
    return await _version_reader.find(tx, query)


async def page_of_forms(tx: ReadTransaction, scope: Scope, window: Window, which: FormFilter) -> Page[Form]:
    query = _filter_query(_FORM, scope, which)
    return await _form_reader.timed_page(tx, query, window, which.times)


async def count_forms(tx: ReadTransaction, scope: Scope, which: FormFilter) -> int:
    query = _filter_query("SELECT count(*) FROM forms", scope, which)
    return await fetch_count(tx, query)


def _filter_query(select: str, scope: Scope, which: FormFilter) -> Query:
    query = Query(select, scope.customer_id).one_of("folder_id", which.folder_ids).in_scope(scope, "id")
    if which.status:
        query.where("status = ?", which.status)
    if which.external_id is not None:
        query.where("external_id = ?", which.external_id)
    if which.name is not None:
        query.where("name = ?", which.name)
    if which.text:
        postgres, sqlite = query.contains(which.text, "name", "name")
        query.where(f"/*postgres {postgres}*//*sqlite {sqlite}*/")
    for referenced_id in (which.datasource_id, which.block_id):
        if referenced_id:
            query.where(_REFERS_TO, referenced_id)
    return query


async def page_of_versions(
    tx: ReadTransaction, scope: Scope, form_id: str, window: Window, times: TimeFilter
) -> Page[Version]:
    query = Query(_VERSION, scope.customer_id).where("form_id = ?", form_id).in_scope(scope)
    if times.order is ListOrder.CREATED:
        # Versions are created in the order of their numbers.
        query.in_times(times)
        rows = await tx.fetch(query.window(window, "number"), *query.args)
        found = [_version_reader(row) for row in rows]
        return cut_page(found, window.limit, lambda version: Position(version.number, version.id))
    return await _version_reader.timed_page(tx, query, window, times)


async def list_final_versions(tx: ReadTransaction, scope: Scope, form_id: str) -> list[Version]:
    query = Query(_VERSION, scope.customer_id).where("form_id = ?", form_id).where("status = ?", VersionStatus.FINAL)
    query.in_scope(scope)
    return [_version_reader(row) for row in await tx.fetch(f"{query.sql()} ORDER BY number", *query.args)]


async def find_link_target(tx: ReadTransaction, token: str) -> tuple[str, str] | None:
    """Return the account and the form of a fill link."""
    row: Any = await tx.fetch_one("SELECT customer_id, form_id FROM fill_links WHERE token = $1", token)
    return (row[0], row[1]) if row else None
