"""SQL of saved views."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Page, Window
from formwright.domain.saved_views.models import SavedView

_VIEW = "SELECT id, customer_id, owner_id, name, form_id, settings, created, updated, revision FROM saved_views"
_VIEWS = RecordTable[SavedView](
    "saved_views",
    "customer_id, id, owner_id, name, form_id, folder_id, settings, created, updated, revision",
    "owner_id, name, form_id, folder_id, settings, updated, revision",
    # A copy from the filter, so that queries can restrict it.
    folder_id="settings.filter.folder_id",
)
insert, update = _VIEWS.insert, _VIEWS.update


_view_reader = RecordReader(SavedView)


async def delete(tx: WriteTransaction, view: SavedView) -> None:
    await tx.execute("DELETE FROM saved_views WHERE customer_id = $1 AND id = $2", view.customer_id, view.id)


async def find(tx: ReadTransaction, scope: Scope, user_id: str | None, view_id: str) -> SavedView | None:
    query = _visible(scope, user_id).where("id = ?", view_id)
    return await _view_reader.find(tx, query)


async def page(
    tx: ReadTransaction, scope: Scope, user_id: str | None, window: Window, form_id: str | None
) -> Page[SavedView]:
    query = _visible(scope, user_id)
    if form_id:
        query.where("form_id = ?", form_id)
    return await _view_reader.page(tx, query, window)


def _visible(scope: Scope, user_id: str | None) -> Query:
    """Return the query for the views of the user and of the account, of forms and folders in the scope."""
    query = Query(_VIEW, scope.customer_id).where("(owner_id IS NULL OR owner_id = ?)", user_id or "")
    return query.in_scope(scope, optional=True).folders_in_scope(scope, "folder_id", optional=True)


async def count(tx: ReadTransaction, scope: Scope, owner_id: str | None) -> int:
    """Return the number of views of a user, or of the account."""
    row = await tx.fetch_one(
        "SELECT count(*) FROM saved_views WHERE customer_id = $1 AND coalesce(owner_id, '') = $2",
        scope.customer_id,
        owner_id or "",
    )
    return int(row[0]) if row else 0


async def find_id_by_name(
    tx: ReadTransaction, scope: Scope, owner_id: str | None, form_id: str | None, name: str
) -> str | None:
    """Return the id of the view that has this name among those of the user, or of the account, for the form."""
    row = await tx.fetch_one(
        "SELECT id FROM saved_views WHERE customer_id = $1 AND coalesce(owner_id, '') = $2"
        " AND coalesce(form_id, '') = $3 AND name = $4",
        scope.customer_id,
        owner_id or "",
        form_id or "",
        name,
    )
    return str(row[0]) if row else None
