"""The forms that refer to a data source."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import store
from formwright.domain.forms.definition import RowsField, walk_fields
from formwright.domain.forms.models import Form, FormFilter, Version, VersionStatus


@dataclass(frozen=True, slots=True)
class DatasourceUse:
    """A form with lookups into a data source: in its published version, its newest draft or both, with the fields."""

    form: Form
    lookups: Sequence[tuple[Version, Sequence[RowsField]]]


async def list_uses(tx: ReadTransaction, actor: Actor, window: Window, *, datasource_id: str) -> Page[DatasourceUse]:
    """Return a page of forms that the actor may see, in order of creation, each with its published version first."""
    page = await forms.page(tx, actor, window, FormFilter(datasource_id=datasource_id))
    return Page([await _load_use(tx, actor, form, datasource_id) for form in page.items], page.next)


async def _load_use(tx: ReadTransaction, actor: Actor, form: Form, datasource_id: str) -> DatasourceUse:
    scope = allow(actor, Permission.FORMS_READ)
    published = form.published_version_id
    shown = await store.find_version(tx, scope, form.id, published) if published else None
    newest = await store.find_newest_version(tx, scope, form.id)
    draft = newest if newest and newest.status is VersionStatus.DRAFT else None
    fields = [(version, _lookups_into(version, datasource_id)) for version in (shown, draft) if version]
    return DatasourceUse(form, [(version, found) for version, found in fields if found])


def _lookups_into(version: Version, datasource_id: str) -> list[RowsField]:
    fields = walk_fields(version.definition.fields)
    return [field for field in fields if isinstance(field, RowsField) and field.datasource_id == datasource_id]
