"""Creating or updating a form by its external id."""

from dataclasses import replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.forms import service, store
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.models import Form, FormChange


async def find(tx: WriteTransaction, actor: Actor, external_id: str) -> Form | None:
    """Return the form with this external id that the actor may edit, or None.

    Locks the account, so that nobody else creates one at the same time.
    """
    scope = allow(actor, Permission.FORMS_EDIT)
    await account_lock.hold(tx, scope.customer_id)
    return await store.find_by_external_id(tx, scope, external_id)


async def update(tx: WriteTransaction, actor: Actor, form: Form, change: FormChange) -> Form:
    """Update a form as `service.change` does, but keep its published version if that has the same definition.

    So a system can send all its forms again and again without a new version of each.
    """
    if change.fields is not None and await _is_published(tx, actor, form, change):
        change = replace(change, fields=None, settings=None, publish=False)
    return await service.change(tx, actor, change, form_id=form.id)


async def _is_published(tx: ReadTransaction, actor: Actor, form: Form, change: FormChange) -> bool:
    """Whether the newest version of the form is published and has the fields and settings of the change."""
    newest = await store.find_newest_version(tx, allow(actor, Permission.FORMS_EDIT), form.id)
    if newest is None or newest.id != form.published_version_id:
        return False
    return newest.definition == Definition(list(change.fields or ()), change.settings or newest.definition.settings)
