"""Service functions for the users of a provisioning identity provider: create, update and list them.

They raise the events and make the audit entries of any other change of a user. A change that changes nothing is none.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, require
from formwright.domain.provisioning import store
from formwright.domain.provisioning.models import (
    ProvisionedAttributes,
    ProvisionedUser,
    ProvisionedUserEdit,
    ProvisionedUserFilter,
    UserNameTaken,
)
from formwright.domain.users import management
from formwright.domain.users.models import (
    EmailProtected,
    NewUser,
    UserDetails,
    UserEdit,
    UserNotFound,
    UserStatus,
    normalise_email,
)

_NOT_OURS = (
    "The email address and the userName of a user whom the identity provider did not create, and who has not signed in"
    " with one, stay the same. The address can be changed on the page of the user, under Users."
)
MAX_TEXT = 200
MAX_OTHERS = 64 * 1024
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")


def fold_user_name(user_name: str) -> str:
    """Return the form of a user name in which it is compared: without case (RFC 7643, section 4.1.1)."""
    # Normalized again, because a change of case can leave a text that is not normalized.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", user_name).strip().lower())


async def create(tx: WriteTransaction, actor: Actor, new: ProvisionedUserEdit) -> ProvisionedUser:
    """Create a user without a password, who is invited but gets no email: they sign in with an identity provider.

    Raises `Invalid`, `UserNameTaken`, `EmailTaken` or `UserExternalIdTaken`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    await _check(tx, scope, new, None)
    status = UserStatus.INVITED if new.is_active else UserStatus.DISABLED
    language = _to_language(new.attributes.preferred_language) or "en"
    details = await management.invite(
        tx, actor, NewUser(new.email, new.name, language, status, external_id=new.external_id)
    )
    attributes = await _save_attributes(tx, scope, details, new.attributes, now)
    return ProvisionedUser(details, attributes)


async def update(
    tx: WriteTransaction,
    actor: Actor,
    changes: ProvisionedUserEdit,
    current: ProvisionedUser,
    secret_box: SecretBox,
) -> ProvisionedUser:
    """Change a user to the wanted state. A user who becomes inactive loses all sessions.

    The caller has read `current` since it took the account lock. `secret_box` encrypts the mail to the old address
    while it is in the queue. Raises `Invalid`, `UserNameTaken`, `EmailTaken`, `UserExternalIdTaken`, `LastOwner` or
    `EmailProtected`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.PEOPLE_MANAGE)
    changes = await _protect_email(tx, scope, changes, current)
    await _check(tx, scope, changes, current)
    status = None
    if changes.is_active is not current.is_active:
        status = UserStatus.ACTIVE if changes.is_active else UserStatus.DISABLED
    language = changes.attributes.preferred_language
    details = await management.edit(
        tx,
        actor,
        UserEdit(
            email=changes.email,
            name=changes.name,
            language=_to_language(language) if language != current.attributes.preferred_language else None,
            status=status,
            external_id=changes.external_id,
        ),
        user_id=current.details.id,
        current=current.details,
        secret_box=secret_box,
    )
    wanted = replace(
        changes.attributes,
        created=current.attributes.created,
        updated=current.attributes.updated,
        revision=current.attributes.revision,
    )
    if wanted == current.attributes and wanted.revision:
        return ProvisionedUser(details, wanted)
    return ProvisionedUser(details, await _save_attributes(tx, scope, details, wanted, now))


async def _protect_email(
    tx: ReadTransaction, scope: Scope, changes: ProvisionedUserEdit, current: ProvisionedUser
) -> ProvisionedUserEdit:
    """Return the changes of a user, without those of their address if these must not keep them from being disabled.

    Raises `EmailProtected` for another address or user name of a user who is not the provider's. Otherwise, its token
    would be enough to take over anybody, with a link to a new address that sets a password.
    """
    user, attributes = current.details.user, current.attributes
    has_same_email = normalise_email(changes.email) == user.email
    has_same_name = fold_user_name(changes.attributes.user_name) == fold_user_name(attributes.user_name)
    if has_same_email and has_same_name:
        return changes
    is_owner = await management.is_owner_with_password(tx, user)
    if not is_owner and (current.is_created_by_provider or await store.is_linked(tx, scope, user.id)):
        return changes
    if not changes.is_active:
        kept = replace(changes.attributes, user_name=attributes.user_name)
        return replace(changes, email=user.email, attributes=kept)
    raise EmailProtected() if is_owner else EmailProtected(_NOT_OURS)


async def get(tx: ReadTransaction, actor: Actor, *, user_id: str) -> ProvisionedUser:
    """Return a user; raises `UserNotFound`."""
    details = require(await management.find(tx, allow(actor, Permission.PEOPLE_READ), user_id), UserNotFound)
    return (await _add_attributes(tx, Scope(actor.customer_id), [details]))[0]


async def list_provisioned(tx: ReadTransaction, actor: Actor, user_ids: Sequence[str]) -> set[str]:
    """Return those of the users whom an identity provider has created or taken over."""
    return set(await store.find_attributes(tx, allow(actor, Permission.PEOPLE_READ), user_ids))


async def page(
    tx: ReadTransaction, actor: Actor, criteria: ProvisionedUserFilter, *, offset: int, limit: int
) -> list[ProvisionedUser]:
    """Return some of the users that match the filter, the oldest first."""
    scope = allow(actor, Permission.PEOPLE_READ)
    ids = await store.list_user_ids(tx, scope, _fold(criteria), offset, limit)
    details = await management.find_many(tx, scope, ids)
    return await _add_attributes(tx, scope, details)


async def count(tx: ReadTransaction, actor: Actor, criteria: ProvisionedUserFilter) -> int:
    """Return how many users match the filter."""
    return await store.count_users(tx, allow(actor, Permission.PEOPLE_READ), _fold(criteria))


def _fold(criteria: ProvisionedUserFilter) -> ProvisionedUserFilter:
    if criteria.user_name is None:
        return criteria
    return replace(criteria, user_name=fold_user_name(criteria.user_name))


async def _add_attributes(tx: ReadTransaction, scope: Scope, details: Sequence[UserDetails]) -> list[ProvisionedUser]:
    """Return the users with their attributes. Those whom no provider manages have their address as the user name."""
    known = await store.find_attributes(tx, scope, [one.id for one in details])
    return [ProvisionedUser(one, known.get(one.id) or _default_attributes(one)) for one in details]


def _default_attributes(details: UserDetails) -> ProvisionedAttributes:
    """Return the attributes of a user about whom no provider has said anything."""
    user = details.user
    return ProvisionedAttributes(user.email, user.name, email_type="work", is_email_primary=True)


async def _save_attributes(
    tx: WriteTransaction, scope: Scope, details: UserDetails, attributes: ProvisionedAttributes, now: int
) -> ProvisionedAttributes:
    saved = replace(attributes, created=attributes.created or now, updated=now, revision=attributes.revision + 1)
    await store.save_attributes(tx, scope, details.id, saved, fold_user_name(saved.user_name))
    return saved


async def _check(
    tx: ReadTransaction, scope: Scope, wanted: ProvisionedUserEdit, current: ProvisionedUser | None
) -> None:
    attributes = wanted.attributes
    texts = {
        "userName": attributes.user_name,
        "displayName": wanted.name,
        "externalId": wanted.external_id,
        "name/formatted": attributes.formatted,
        "name/givenName": attributes.given_name,
        "name/familyName": attributes.family_name,
        "preferredLanguage": attributes.preferred_language,
        "emails/type": attributes.email_type,
    }
    if faults := [
        ValidationFault(f"/{name}", "value.too_long", f"Use 1 to {MAX_TEXT} characters on one line.")
        for name, text in texts.items()
        if text is not None and not (text.strip() and len(text) <= MAX_TEXT and text.isprintable())
    ]:
        raise Invalid(faults)
    if attributes.others and len(attributes.others) > MAX_OTHERS:
        raise Invalid.at("", "value.too_long", f"The other attributes have more than {MAX_OTHERS:,} characters.")
    key = fold_user_name(attributes.user_name)
    if current and key == fold_user_name(current.attributes.user_name):
        return
    others = await store.list_user_ids(tx, scope, ProvisionedUserFilter(user_name=key), 0, 2)
    if any(current is None or other != current.details.id for other in others):
        raise UserNameTaken()


def _to_language(tag: str | None) -> str | None:
    """Return the language of a tag such as `de-DE`, or None if it isn't one."""
    found = _LANGUAGE.match((tag or "").strip().lower())
    return found[0] if found else None
