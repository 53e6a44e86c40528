"""Limited keys: which limits are valid, and the actor of a key with its current folders."""

from collections.abc import AsyncIterator, Iterator

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import effective_permissions
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault, pointer
from formwright.domain.api_keys.models import MAX_PARTS, Key, KeyIdentity, KeyLimits
from formwright.domain.folders import service as folders
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound


async def validate(tx: ReadTransaction, scope: Scope, limits: KeyLimits) -> list[ValidationFault]:
    """Return the errors of the limits of a new key."""
    parts = len(limits.folder_ids) + len(limits.form_ids)
    if parts > MAX_PARTS:
        return [ValidationFault("/formIds", "value.too_many", f"Select at most {MAX_PARTS} folders and forms.")]
    return [*_validate_permissions(limits), *[fault async for fault in _find_missing(tx, scope, limits)]]


def _validate_permissions(limits: KeyLimits) -> Iterator[ValidationFault]:
    if not limits.permissions:
        yield ValidationFault("/permissions", "value.required", "Select at least one permission.")
    effective = effective_permissions(limits.permissions, is_whole_account=limits.is_whole_account)
    if without_effect := sorted(limits.permissions - effective):
        names = ", ".join(without_effect)
        detail = f"A key for folders or forms cannot have permissions that only apply to the whole account: {names}."
        yield ValidationFault("/permissions", "key.permission.whole_account", detail)


async def _find_missing(tx: ReadTransaction, scope: Scope, limits: KeyLimits) -> AsyncIterator[ValidationFault]:
    for index, folder_id in enumerate(limits.folder_ids):
        if await folders.find(tx, scope, folder_id) is None:
            yield ValidationFault(pointer("folderIds", index), FolderNotFound.code, FolderNotFound.detail)
    for index, form_id in enumerate(limits.form_ids):
        if await forms.find(tx, scope, form_id) is None:
            yield ValidationFault(pointer("formIds", index), FormNotFound.code, FormNotFound.detail)


async def load_actor(tx: ReadTransaction, key: Key | KeyIdentity) -> Actor:
    """Return the actor of a key. That of a key with folders is only valid for now, because folders can be moved."""
    key_id, customer_id, limits = key.id if isinstance(key, Key) else key.key_id, key.customer_id, key.limits
    if limits is None:
        return actors.key(key_id, customer_id, key.name, read_only=key.read_only)
    folder_ids = await folders.list_subtrees(tx, Scope(customer_id), limits.folder_ids) if limits.folder_ids else []
    return actors.limited_key(key_id, customer_id, limits.granted(customer_id, folder_ids), key.name)
