"""Operations on saved views."""

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import views as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Page
from formwright.domain.saved_views import problems
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import ViewLimitReached, ViewNameTaken, ViewNotFound

_VIEWS = "/customers/{customerId}/views"
OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ, writes=Permission.SUBMISSIONS_EDIT)


@OPERATIONS.declare("GET", ("listViews", _VIEWS))
async def list_views(call: ReadContext, query: schemas.ViewQuery) -> List[schemas.View]:
    """List saved views.

    Returns the views of the account in order of creation.
    """
    page = await saved_views.page(call.tx, call.actor, query.window(), form_id=query.form_id)
    views = [schemas.view(view, await problems.find_problems(call.tx, call.actor, view)) for view in page.items]
    return call.listing(Page(views, page.next), lambda view: view)


@OPERATIONS.declare(
    "POST",
    ("createView", _VIEWS),
    location=_VIEWS + "/{id}",
    raises=(ViewNameTaken, ViewLimitReached, Invalid),
)
async def create_view(call: WriteContext, body: schemas.ViewWrite) -> schemas.View:
    """Create a saved view.

    Saves a filter of the list of submissions under a name. An account can have 200 views for everyone; one more
    returns 409 `view.limit_reached`. If the form already has a view with this name, the response is 409
    `view.name_taken`.
    """
    record = await saved_views.create(call.tx, call.actor, body.to_domain())
    return schemas.view(record, await problems.find_problems(call.tx, call.actor, record))


@OPERATIONS.declare("GET", ("getView", _VIEWS + "/{viewId}"), raises=(ViewNotFound,))
async def get_view(call: ReadContext, view_id: str) -> schemas.View:
    """Get a saved view.

    `problems` lists what no longer fits the form, such as a condition on a field that it no longer has.
    """
    record = await saved_views.get(call.tx, call.actor, view_id=view_id)
    return schemas.view(record, await problems.find_problems(call.tx, call.actor, record))


@OPERATIONS.declare(
    "PUT",
    ("updateView", _VIEWS + "/{viewId}"),
    raises=(ViewNotFound, ViewNameTaken, ViewLimitReached, Invalid),
)
async def update_view(call: WriteContext, view_id: str, body: schemas.ViewWrite) -> schemas.View:
    """Update a saved view.

    Replaces the view: optional properties you omit get their default values. Conditions and columns that stay the same
    are not validated again, so you can rename a view whose form has changed.
    """
    record = await saved_views.change(call.tx, call.actor, body.to_domain(), view_id=view_id)
    return schemas.view(record, await problems.find_problems(call.tx, call.actor, record))


@OPERATIONS.declare("DELETE", ("deleteView", _VIEWS + "/{viewId}"), raises=(ViewNotFound,))
async def delete_view(call: WriteContext, view_id: str) -> None:
    """Delete a saved view.

    Deletes the view immediately, but no submissions. Requests that use it then return 404 `view.not_found`.
    """
    await saved_views.delete(call.tx, call.actor, view_id=view_id)
