"""Switching an account's feed on and off, and naming its tables."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.events import AuditNote
from formwright.domain.feeds import store
from formwright.domain.feeds.models import FeedDisabled, NamedResource

MAX_NAME = 48
"""Names of repeats, with up to 64 characters, are appended; OData allows 128 characters in total."""
_TAIL = 6
_LETTERS = ("L", "Nl")
_PARTS = (*_LETTERS, "Nd", "Mn", "Mc")


async def is_enabled(tx: ReadTransaction, actor: Actor) -> bool:
    """Return whether the account has switched its feed on."""
    return await store.is_enabled(tx, allow(actor, Permission.CUSTOMER_READ))


async def require_enabled(tx: ReadTransaction, actor: Actor) -> None:
    """Raise `FeedDisabled` unless the account has switched its feed on."""
    if not await is_enabled(tx, actor):
        raise FeedDisabled()


async def switch(tx: WriteTransaction, actor: Actor, *, enabled: bool) -> None:
    """Switch the account's feed on or off, and write that to the audit log. The current state is not an error."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.CUSTOMER_EDIT, everywhere=True)
    if await store.is_enabled(tx, scope) is enabled:
        return
    if enabled:
        await store.enable(tx, scope, now)
    else:
        await store.disable(tx, scope)
    action = "feed.enabled" if enabled else "feed.disabled"
    tx.audit(AuditNote(scope.customer_id, action, scope.customer_id, "OData"))


async def list_table_names(tx: ReadTransaction, actor: Actor) -> dict[str, str]:
    """Return the names of the tables that have one, by the id of their form or data source."""
    return await store.list_names(tx, allow(actor, Permission.CUSTOMER_READ))


async def name_tables(tx: WriteTransaction, actor: Actor, resources: Sequence[NamedResource]) -> dict[str, str]:
    """Give a name to each of these resources that has none yet, and return all names by the id of their resource.

    A name is kept when the resource is renamed, because spreadsheets and reports refer to it.
    """
    scope = allow(actor, Permission.CUSTOMER_READ)
    await account_lock.hold(tx, scope.customer_id)
    names = await store.list_names(tx, scope)
    added: dict[str, str] = {}
    for resource in resources:
        if resource.id not in names:
            added[resource.id] = _unique_name(resource, {**names, **added})
    await store.insert_names(tx, scope, list(added.items()))
    return {**names, **added}


def _unique_name(resource: NamedResource, names: Mapping[str, str]) -> str:
    tail = resource.id[-_TAIL:]
    plain = to_identifier(resource.name)[:MAX_NAME].rstrip("_") or tail
    name = f"{resource.source}_{plain}"
    # Some programs compare names without case.
    if name.casefold() in {taken.casefold() for taken in names.values()}:
        name = f"{resource.source}_{plain[: MAX_NAME - _TAIL - 1].rstrip('_')}_{tail}"
    return name


def to_identifier(text: str) -> str:
    """Return the letters and digits of a text, and a single `_` for what is between them; "" if there are none.

    The letters of all scripts are allowed in OData identifiers (CSDL 4.01, section 17.2).
    """
    text = unicodedata.normalize("NFC", text)
    kept = "".join(char if unicodedata.category(char).startswith(_PARTS) else "_" for char in text)
    return re.sub("_+", "_", kept).strip("_")
