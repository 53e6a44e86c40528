"""The checklist for a new account. It follows from what the account has; only its dismissal is stored, for each user.

Dismissing it is a personal setting without events: what one person knows, a colleague may still look for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.pagination import Window
from formwright.domain.api_keys import service as keys
from formwright.domain.forms import service as forms
from formwright.domain.overview import checklist_store as store
from formwright.domain.submissions import activity
from formwright.domain.webhooks import service as webhooks

_FORMS = 100
"""How many forms are searched for a published one."""
_SETS_UP = (Permission.FORMS_EDIT, Permission.SUBMISSIONS_READ)


class Step(StrEnum):
    """A step of the checklist. `FORM`: create a form. `SHARE`: publish it. `RESPONSE`: a first submission arrives.
    `CONNECT`: add an API key or a webhook.
    """

    FORM = "FORM"
    SHARE = "SHARE"
    RESPONSE = "RESPONSE"
    CONNECT = "CONNECT"


@dataclass(frozen=True, slots=True)
class Checklist:
    """The steps in their order, and whether each is done. `is_dismissed`: the user has hidden them."""

    steps: Mapping[Step, bool]
    is_dismissed: bool = False


_NONE = Checklist({})


async def load(tx: ReadTransaction, actor: Actor) -> Checklist:
    """Return the checklist; without steps if all of them are done, or if the user does not set up the account."""
    if any(permission not in actor.permissions or permission in actor.parts for permission in _SETS_UP):
        return _NONE
    found = (await forms.page(tx, actor, Window(_FORMS))).items
    steps = {
        Step.FORM: bool(found),
        Step.SHARE: any(form.published_version_id for form in found),
        Step.RESPONSE: await activity.has_received(tx, actor),
    }
    if Permission.KEYS_MANAGE in actor.permissions or Permission.WEBHOOKS_MANAGE in actor.permissions:
        steps[Step.CONNECT] = await _is_connected(tx, actor)
    if all(steps.values()):
        return _NONE
    return Checklist(steps, await store.is_dismissed(tx, Scope(actor.customer_id), actor.user_id or ""))


async def _is_connected(tx: ReadTransaction, actor: Actor) -> bool:
    if Permission.KEYS_READ in actor.permissions and await keys.list_active(tx, actor):
        return True
    reads_webhooks = Permission.WEBHOOKS_READ in actor.permissions
    return bool(reads_webhooks and (await webhooks.page(tx, actor, Window(1))).items)


async def dismiss(tx: WriteTransaction, actor: Actor) -> None:
    """Hide the checklist for the acting user."""
    await store.dismiss(tx, Scope(actor.customer_id), actor.user_id or "")


async def restore(tx: WriteTransaction, actor: Actor) -> None:
    """Show the checklist to the acting user again."""
    await store.restore(tx, Scope(actor.customer_id), actor.user_id or "")
