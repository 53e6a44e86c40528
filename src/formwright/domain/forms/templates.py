"""Service functions for templates. Those of the account are in the database; global ones are part of the package."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import msgspec

from formwright.core.auth.actor import Actor, Scope, allow, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.errors import require
from formwright.core.events import AuditNote
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Position, Window, cut_page
from formwright.domain.forms import versions
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Template, TemplateGlobal, TemplateNotFound

_COLUMNS = "id, customer_id, name, description, language, tags, definition, created, updated, revision"
_TEMPLATE = f"SELECT {_COLUMNS} FROM templates"
_TEMPLATES = RecordTable[Template](
    "templates", _COLUMNS, "name, description, language, tags, definition, updated, revision"
)


@dataclass(frozen=True, slots=True)
class NewTemplate:
    """The properties of a template to create, or to replace another with."""

    name: str
    description: str
    language: str
    tags: Sequence[str]
    definition: Definition


async def create(tx: WriteTransaction, actor: Actor, new: NewTemplate) -> Template:
    """Create a template of the account."""
    scope = allow_everywhere(actor, Permission.FORMS_EDIT)
    await versions.check_definition(tx, actor, new.definition)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    tags = tuple(new.tags)
    template = Template(
        tx.new_id("tpl"), scope.customer_id, new.name, new.description, new.language, tags, new.definition, now, now, 1
    )
    await _TEMPLATES.insert(tx, template)
    tx.audit(AuditNote(scope.customer_id, "template.created", template.id, template.name))
    return template


async def change(tx: WriteTransaction, actor: Actor, new: NewTemplate, *, template_id: str) -> Template:
    """Replace a template of the account. Forms that were created from it do not change."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT, everywhere=True)
    template = await get(tx, actor, template_id=template_id)
    if template.customer_id is None:
        raise TemplateGlobal()
    await versions.check_definition(tx, actor, new.definition)
    changed = replace(
        template,
        name=new.name,
        description=new.description,
        language=new.language,
        tags=tuple(new.tags),
        definition=new.definition,
        updated=now,
        revision=template.revision + 1,
    )
    await _TEMPLATES.update(tx, changed)
    tx.audit(AuditNote(scope.customer_id, "template.updated", template_id, changed.name, differing(template, changed)))
    return changed


async def get(tx: ReadTransaction, actor: Actor, *, template_id: str) -> Template:
    """Return a template of the account or a global one. Raises `TemplateNotFound`."""
    return require(await find(tx, allow(actor, Permission.FORMS_READ), template_id), TemplateNotFound)


async def find(tx: ReadTransaction, scope: Scope, template_id: str) -> Template | None:
    """Return a template, or None. For packages that have checked a permission of their own."""
    for template in global_templates():
        if template.id == template_id:
            return template
    row = await tx.fetch_one(f"{_TEMPLATE} WHERE customer_id = $1 AND id = $2", scope.customer_id, template_id)
    return _template_reader(row) if row else None


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Template]:
    """Return a page of templates: the global ones first, then those of the account in order of creation."""
    scope = allow(actor, Permission.FORMS_READ)
    first = [t for t in global_templates() if window.after is None or Position(t.created, t.id) > window.after]
    own = await _page_of_account(tx, scope, window)
    return cut_page([*first, *own], window.limit, lambda template: Position(template.created, template.id))


async def _page_of_account(tx: ReadTransaction, scope: Scope, window: Window) -> list[Template]:
    query = Query(_TEMPLATE, scope.customer_id)
    return [_template_reader(row) for row in await tx.fetch(query.window(window, "created"), *query.args)]


_template_reader = RecordReader(Template)


class _TemplateFile(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    name: str
    description: str
    tags: list[str]
    fields: list[AnyField]
    settings: FormSettings = FormSettings()


@cache
def global_templates() -> tuple[Template, ...]:
    """Return the global templates by id."""
    folder = files("formwright.domain.forms") / "shipped"
    shipped = [msgspec.json.decode(file.read_bytes(), type=_TemplateFile) for file in folder.iterdir()]
    return tuple(
        # Created at 0, so that they precede those of accounts in the order of creation.
        Template(one.id, None, one.name, one.description, "en", tuple(one.tags), _definition(one), 0, 0, 1)
        for one in sorted(shipped, key=lambda one: one.id)
    )


def _definition(one: _TemplateFile) -> Definition:
    return Definition(one.fields, one.settings)
