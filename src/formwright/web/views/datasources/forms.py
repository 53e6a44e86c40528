"""The forms with lookups in a data source."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core import pagination
from formwright.core.auth.permissions import Permission
from formwright.domain.datasources import service as datasources
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.models import FormStatus, Version, VersionStatus
from formwright.domain.forms.references import DatasourceUse, list_uses
from formwright.web.http import Response, get
from formwright.web.views.datasources.detail import PATH, DatasourceView, datasource_view
from formwright.web.views.datasources.list import DatasourcePage
from formwright.web.views.list_pages import ListPage, read_list_request

_PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class FormUse:
    """A version of a form with the labels of its lookup fields."""

    name: str
    url: str
    is_archived: bool
    version: int
    is_draft: bool
    fields: Sequence[str]


@dataclass(frozen=True, slots=True)
class FormUseListPage:
    """The view model of the forms. Without `sees_all_forms`, the visitor has access to some forms only."""

    source: DatasourceView
    uses: ListPage[FormUse]
    sees_all_forms: bool


@get(PATH + "/forms")
async def forms_page(page: DatasourcePage, datasource_id: str) -> Response:
    """The forms that use a data source, as far as the visitor can see them."""
    request = read_list_request(page, f"/datasources/{datasource_id}/forms", size=_PAGE_SIZE)
    found: pagination.Page[DatasourceUse] = pagination.Page([], None)
    source = await datasources.get(page.tx, page.actor, datasource_id=datasource_id)
    if Permission.FORMS_READ in page.actor.permissions:
        found = await list_uses(page.tx, page.actor, request.window, datasource_id=source.id)
    rows = [_form_use(use, version, fields) for use in found.items for version, fields in use.lookups]
    view_model = FormUseListPage(
        source=datasource_view(page.visitor, source),
        uses=request.build(rows, found.next),
        sees_all_forms=page.visitor.may_everywhere(Permission.FORMS_READ),
    )
    return page.render("datasources/forms.html", view_model, section="Data sources")


def _form_use(use: DatasourceUse, version: Version, fields: Sequence[AnyField]) -> FormUse:
    return FormUse(
        name=use.form.name,
        url=f"/forms/{use.form.id}",
        is_archived=use.form.status is FormStatus.ARCHIVED,
        version=version.number,
        is_draft=version.status is VersionStatus.DRAFT,
        fields=[_field_label(field, version) for field in fields],
    )


def _field_label(field: AnyField, version: Version) -> str:
    return label_text(field.label, (version.definition.settings.language,)) or field.name
