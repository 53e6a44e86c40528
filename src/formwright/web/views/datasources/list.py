"""Data sources: the list, and the way to add one."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.datasources.staged_files.models import MAX_FILE
from formwright.web.curl_example import curl_command
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_page
from formwright.web.views.datasources.labels import import_view
from formwright.web.views.list_urls import format_place, parse_place

SCHEDULE_LABELS = {
    "PT15M": "Every 15 minutes",
    "PT1H": "Every hour",
    "PT6H": "Every 6 hours",
    "PT12H": "Every 12 hours",
    "P1D": "Every day",
    "P7D": "Every week",
}
_PAGE_SIZE = 100
_BLANK_PULL = {"name": "", "key": "", "url": "", "fault": ""}


async def require_datasource_reader(request: Request[Any, Any, Any]) -> Visitor:
    """Who visits, if she may see data sources; to all others there is nothing here."""
    visitor = await require_visitor(request)
    if Permission.DATASOURCES_READ not in visitor.actor.permissions:
        raise DatasourceNotFound()
    return visitor


async def require_datasource_editor(request: Request[Any, Any, Any]) -> Visitor:
    """Who visits, if she may change data sources."""
    visitor = await require_datasource_reader(request)
    allow(visitor.actor, Permission.DATASOURCES_EDIT)
    return visitor


def may_edit(visitor: Visitor) -> bool:
    """Whether she may change them too."""
    return Permission.DATASOURCES_EDIT in visitor.actor.permissions


@get("/datasources")
async def datasources_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's data sources, and what was last imported into each."""
    visitor, ctx = await require_datasource_reader(request), get_app_context(request)
    after = parse_place(request.query_params.get("after", ""))
    async with ctx.db.reading() as tx:
        found = await datasources.page(tx, visitor.actor, Window(_PAGE_SIZE, after))
        last = await datasources.find_latest_imports(tx, visitor.actor, [one.id for one in found.items])
        imports = {of: await import_view(tx, visitor, record) for of, record in last.items()}
        running = await uploads.list_importing(tx, visitor.actor, ctx.clock.now())
    return render_page(
        request,
        "datasources/overview.html",
        place="Data sources",
        datasources=[_datasource_row(one, imports) for one in found.items],
        running=[
            {"name": one.choices.name or one.file_name, "url": f"/datasources/uploads/{one.id}"}
            for one in running
            if one.user_id == visitor.user.id
        ],
        first=after is None,
        next_url=f"/datasources?after={format_place(found.next)}" if found.next else "",
        may_edit=may_edit(visitor),
        **visitor.template_frame,
    )


def _datasource_row(one: Datasource, imports: dict[str, Any]) -> dict[str, Any]:
    return {
        "url": f"/datasources/{one.id}",
        "name": one.name,
        "key": one.key_column,
        "rows": f"{one.row_count:,}",
        "columns": len(one.columns),
        "last": imports.get(one.id),
    }


@get("/datasources/new")
async def new_datasource_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The ways to add one: a file, or the API."""
    return await render_new_datasource(request, await require_datasource_editor(request))


async def render_new_datasource(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    status: int = 200,
    fault: str = "",
    pulled: Mapping[str, str] = _BLANK_PULL,
) -> Response[str]:
    """The page with the ways to add one, and what was wrong with a file or an address."""
    more = '-H "Content-Type: text/csv" --data-binary @customers.csv '
    path = f"/customers/{visitor.customer.id}/datasources?name=Customers"
    return render_page(
        request,
        "datasources/new.html",
        status,
        place="Data sources",
        curl=curl_command(request, "YOUR_KEY", path, more),
        fault=fault,
        pulled=pulled,
        every=SCHEDULE_LABELS,
        max_file=MAX_FILE,
        **visitor.template_frame,
    )


HANDLERS = [datasources_page, new_datasource_page]
