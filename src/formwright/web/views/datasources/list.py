"""Data sources: the list, and the way to add one."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.pagination import Window
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.models import Datasource, DatasourceNotFound
from formwright.domain.datasources.staged_files import service as uploads
from formwright.domain.datasources.staged_files.models import MAX_FILE
from formwright.web.curl_example import curl
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import page
from formwright.web.views.datasources.labels import import_shown
from formwright.web.views.list_urls import place_of, written

EVERY = {
    "PT15M": "Every 15 minutes",
    "PT1H": "Every hour",
    "PT6H": "Every 6 hours",
    "PT12H": "Every 12 hours",
    "P1D": "Every day",
    "P7D": "Every week",
}
_SHOWN = 100
_NO_PULL = {"name": "", "key": "", "url": "", "fault": ""}


async def reader(request: Request[Any, Any, Any]) -> Visitor:
    """Who visits, if she may see data sources; to all others there is nothing here."""
    who = await visitor(request)
    if Permission.DATASOURCES_READ not in who.actor.permissions:
        raise DatasourceNotFound()
    return who


async def editor(request: Request[Any, Any, Any]) -> Visitor:
    """Who visits, if she may change data sources."""
    who = await reader(request)
    allow(who.actor, Permission.DATASOURCES_EDIT)
    return who


def may_edit(who: Visitor) -> bool:
    """Whether she may change them too."""
    return Permission.DATASOURCES_EDIT in who.actor.permissions


@get("/datasources")
async def datasources_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's data sources, and what was last imported into each."""
    who, ctx = await reader(request), get_app_context(request)
    after = place_of(request.query_params.get("after", ""))
    async with ctx.db.reading() as tx:
        found = await datasources.page(tx, who.actor, Window(_SHOWN, after))
        last = await datasources.find_latest_imports(tx, who.actor, [one.id for one in found.items])
        imports = {of: await import_shown(tx, who, record) for of, record in last.items()}
        running = await uploads.list_importing(tx, who.actor, ctx.clock.now())
    return page(
        request,
        "datasources/overview.html",
        place="Data sources",
        datasources=[_shown(one, imports) for one in found.items],
        running=[
            {"name": one.choices.name or one.file_name, "url": f"/datasources/uploads/{one.id}"}
            for one in running
            if one.user_id == who.user.id
        ],
        first=after is None,
        next_url=f"/datasources?after={written(found.next)}" if found.next else "",
        may_edit=may_edit(who),
        **who.frame,
    )


def _shown(one: Datasource, imports: dict[str, Any]) -> dict[str, Any]:
    return {
        "url": f"/datasources/{one.id}",
        "name": one.name,
        "key": one.key_column,
        "rows": f"{one.row_count:,}",
        "columns": len(one.columns),
        "last": imports.get(one.id),
    }


@get("/datasources/new")
async def new_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The ways to add one: a file, or the API."""
    return await new_datasource(request, await editor(request))


async def new_datasource(
    request: Request[Any, Any, Any],
    who: Visitor,
    status: int = 200,
    fault: str = "",
    pulled: Mapping[str, str] = _NO_PULL,
) -> Response[str]:
    """The page with the ways to add one, and what was wrong with a file or an address."""
    more = '-H "Content-Type: text/csv" --data-binary @customers.csv '
    path = f"/customers/{who.customer.id}/datasources?name=Customers"
    return page(
        request,
        "datasources/new.html",
        status,
        place="Data sources",
        curl=curl(request, "YOUR_KEY", path, more),
        fault=fault,
        pulled=pulled,
        every=EVERY,
        max_file=MAX_FILE,
        **who.frame,
    )


HANDLERS = [datasources_page, new_page]
