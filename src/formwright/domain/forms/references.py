"""The forms that refer to a data source or to a question block."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Page, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import store
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.fields.block_references import block_versions
from formwright.domain.forms.models import Form, FormFilter, Version, VersionStatus


@dataclass(frozen=True, slots=True)
class DatasourceUse:
    """A form with lookups into a data source: in its published version, its newest draft or both, with the fields."""

    form: Form
    lookups: Sequence[tuple[Version, Sequence[AnyField]]]


@dataclass(frozen=True, slots=True)
class BlockUse:
    """A form with questions of a block, and the versions of the block in its published version and its newest draft."""

    form: Form
    published: Sequence[int]
    draft: Sequence[int]

    def is_outdated(self, newest: int) -> bool:
        """Whether the questions that the form continues with are of an older version of the block."""
        return any(number < newest for number in self.draft or self.published)


async def list_uses(tx: ReadTransaction, actor: Actor, window: Window, *, datasource_id: str) -> Page[DatasourceUse]:
    """Return a page of forms that the actor may see, in order of creation, each with its published version first."""
    page = await forms.page(tx, actor, window, FormFilter(datasource_id=datasource_id))
    current = await _load_current(tx, actor, page.items)
    return Page([_datasource_use(form, current[form.id], datasource_id) for form in page.items], page.next)


async def list_block_uses(tx: ReadTransaction, actor: Actor, window: Window, *, block_id: str) -> Page[BlockUse]:
    """Return a page of the forms with questions of a block that the actor may see, in order of creation."""
    page = await forms.page(tx, actor, window, FormFilter(block_id=block_id))
    current = await _load_current(tx, actor, page.items)
    return Page([_block_use(form, current[form.id], block_id) for form in page.items], page.next)


async def count_block_forms(tx: ReadTransaction, actor: Actor) -> Mapping[str, int]:
    """Return the number of forms that the actor may see with questions of each block, by the id of the block."""
    used = await store.list_used_blocks(tx, allow(actor, Permission.FORMS_READ))
    return Counter(block_id for block_ids in used.values() for block_id in block_ids)


async def _load_current(tx: ReadTransaction, actor: Actor, found: Sequence[Form]) -> dict[str, list[Version]]:
    """Return the published version and the newest draft of each form, as far as it has them, by the form's id."""
    current: dict[str, list[Version]] = {form.id: [] for form in found}
    for version in await store.find_current_versions(tx, allow(actor, Permission.FORMS_READ), found):
        current[version.form_id].append(version)
    return current


def _datasource_use(form: Form, current: Sequence[Version], datasource_id: str) -> DatasourceUse:
    fields = [(version, _lookups_into(version, datasource_id)) for version in current]
    return DatasourceUse(form, [(version, found) for version, found in fields if found])


def _lookups_into(version: Version, datasource_id: str) -> list[AnyField]:
    return [field for field in walk_fields(version.definition.fields) if field.datasource_id == datasource_id]


def _block_use(form: Form, current: Sequence[Version], block_id: str) -> BlockUse:
    used = {version.status: block_versions(version.definition.fields, block_id) for version in current}
    return BlockUse(form, used.get(VersionStatus.FINAL, []), used.get(VersionStatus.DRAFT, []))
