"""Which forms look rows up in a data source, and by which of their fields."""

from typing import Any

from litestar import Request, get
from litestar.params import FromPath
from litestar.response import Response

from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Page, Window
from formwright.domain.datasources import service as datasources
from formwright.domain.forms.definition import LookupField, label_text
from formwright.domain.forms.models import FormStatus, Version, VersionStatus
from formwright.domain.forms.references import DatasourceUse, list_uses
from formwright.web.session import get_app_context
from formwright.web.views.datasources.detail import PATH, render_datasource_page
from formwright.web.views.datasources.list import require_datasource_reader
from formwright.web.views.list_urls import format_place, parse_place

_PAGE_SIZE = 25


@get(PATH + "/forms")
async def forms_page(request: Request[Any, Any, Any], datasource_id: FromPath[str]) -> Response[str]:
    """The forms that she may see."""
    visitor = await require_datasource_reader(request)
    window = Window(_PAGE_SIZE, parse_place(request.query_params.get("after", "")))
    may_see = Permission.FORMS_READ in visitor.actor.permissions
    found: Page[DatasourceUse] = Page([], None)
    async with get_app_context(request).db.reading() as tx:
        of = await datasources.get(tx, visitor.actor, datasource_id=datasource_id)
        if may_see:
            found = await list_uses(tx, visitor.actor, window, datasource_id=of.id)
    return render_datasource_page(
        request,
        visitor,
        of,
        "datasources/forms.html",
        uses=[_form_row(one) for one in found.items],
        sees_all=visitor.may_everywhere(Permission.FORMS_READ),
        first=window.after is None,
        next_url=f"/datasources/{of.id}/forms?after={format_place(found.next)}" if found.next else "",
    )


def _form_row(one: DatasourceUse) -> dict[str, Any]:
    return {
        "name": one.form.name,
        "url": f"/forms/{one.form.id}/design",
        "archived": one.form.status is FormStatus.ARCHIVED,
        "versions": [
            {
                "number": version.number,
                "draft": version.status is VersionStatus.DRAFT,
                "fields": [_field_label(field, version) for field in fields],
            }
            for version, fields in one.lookups
        ],
    }


def _field_label(field: LookupField, version: Version) -> str:
    return label_text(field.label, (version.definition.settings.language,)) or field.name


HANDLERS = [forms_page]
