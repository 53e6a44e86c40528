"""API keys: the records, limits and errors."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.auth.actor import ResourceType, ScopedPermissions
from formwright.core.auth.permissions import ALL_PERMISSIONS, READ_PERMISSIONS, Permission
from formwright.core.errors import Conflict, Denied, DomainError, NotFound

PREFIX = "fwk_"
LIMITED_PREFIX = "fwl_"
"""The prefix of limited keys. Versions before 0.2 ignore limits, but do not accept this prefix either."""
MAX_KEYS = 20
MAX_NAME_LENGTH = 100
HINT_LENGTH = 8
DAY_MS = 24 * 3600 * 1000
OVERLAP_MS = DAY_MS
"""For how long the previous secret works after a rotation by default."""
MAX_OVERLAP_MS = 7 * DAY_MS
MAX_LIFETIME_MS = 3660 * DAY_MS
"""Maximum time until a key expires: about ten years."""
MAX_PARTS = 100
"""Maximum number of folders and forms to which a key can be limited."""
MAX_RATE_LIMIT = 1_000_000


class KeyLimits(msgspec.Struct, frozen=True, rename="camel"):
    """What a limited key may do: some permissions, for the whole account or for these folders and forms only.

    A folder includes its subfolders, and the forms in all of them.
    """

    permissions: frozenset[Permission]
    folder_ids: tuple[str, ...] = ()
    form_ids: tuple[str, ...] = ()

    @property
    def is_whole_account(self) -> bool:
        """Whether the permissions apply to the whole account."""
        return not self.folder_ids and not self.form_ids

    def granted(self, customer_id: str, folder_ids: Sequence[str]) -> list[ScopedPermissions]:
        """Return the permissions as those of a role that is granted for the account, or for each folder and form.

        `folder_ids` are the folders with or without their subfolders.
        """
        if self.is_whole_account:
            return [ScopedPermissions(self.permissions, ResourceType.ACCOUNT, customer_id)]
        return [
            *(ScopedPermissions(self.permissions, ResourceType.FOLDER, folder_id) for folder_id in folder_ids),
            *(ScopedPermissions(self.permissions, ResourceType.FORM, form_id) for form_id in self.form_ids),
        ]


def list_granted(customer_id: str, limits: KeyLimits | None, *, read_only: bool) -> list[ScopedPermissions]:
    """Return the permissions of a key, and what they are for. Subfolders are not listed."""
    if limits:
        return limits.granted(customer_id, limits.folder_ids)
    permissions = READ_PERMISSIONS if read_only else ALL_PERMISSIONS
    return [ScopedPermissions(permissions, ResourceType.ACCOUNT, customer_id)]


@dataclass(frozen=True, slots=True)
class KeyProperties:
    """The properties of a key that people choose. `expires` is in milliseconds since 1970; None means never.

    Without `limits`, the key may do or, if `read_only`, read everything. `rate_limit` is in requests per minute; None
    is the rate limit of the installation.
    """

    name: str
    read_only: bool = False
    expires: int | None = None
    limits: KeyLimits | None = None
    rate_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """An API key without its secret; `hint` is how the secret starts. Times are in milliseconds since 1970.

    `limits` and `rate_limit` are as in `KeyProperties`.
    `old_ends` is when the previous secret stops working, if there is one. `maker_id` and `maker_name` identify who
    created the key.
    """

    id: str
    customer_id: str
    name: str
    hint: str
    maker_id: str
    maker_name: str
    read_only: bool
    expires: int | None
    old_ends: int | None
    last_used: int | None
    revoked: int | None
    created: int
    updated: int
    revision: int
    limits: KeyLimits | None = None
    rate_limit: int | None = None

    def has_expired(self, now: int) -> bool:
        """Whether the key has expired."""
        return self.expires is not None and self.expires <= now

    @property
    def granted(self) -> list[ScopedPermissions]:
        """The permissions of the key, and what they are for. Subfolders are not listed."""
        return list_granted(self.customer_id, self.limits, read_only=self.read_only)


@dataclass(frozen=True, slots=True)
class KeyIdentity:
    """The key to which a secret belongs. `ends` is when this secret stops working (milliseconds since 1970).

    `revision` is the key's at its last change, or when the secret was created.
    """

    customer_id: str
    key_id: str
    name: str
    read_only: bool
    ends: int | None
    limits: KeyLimits | None
    rate_limit: int | None
    revision: int


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response and the fingerprint of its request. `location` is empty if the request created nothing."""

    request: str
    status: int
    location: str
    content: str


class KeyNotFound(NotFound):
    """The account has no key with this id."""

    code = "key.not_found"
    detail = "There is no such API key in this account."


class KeyLimitReached(Conflict):
    """The account already has the maximum number of keys."""

    code = "key.limit_reached"
    detail = f"An account can have at most {MAX_KEYS} API keys. Revoke a key that is no longer used first."


class StoredResponseUnreadable(Conflict):
    """The stored response was encrypted with another secret key than the current one."""

    code = "idempotency.unreadable"
    detail = (
        "The request with this Idempotency-Key succeeded, but its response can no longer be decrypted, because the"
        " server's secret key has changed since. Look for the resource that it created."
    )


class KeyHasExpired(Conflict):
    """The key has expired, so it cannot be changed or rotated."""

    code = "key.has_ended"
    detail = "This API key has expired and cannot be changed or rotated. Create a new key instead."


class KeyUnknown(DomainError):
    """The key does not exist or was revoked."""

    code = "key.unknown"
    detail = "The API key is unknown or was revoked. Create one under Settings, Connections, API keys."


class KeyMissing(KeyUnknown):
    """The request has no key."""

    code = "key.missing"
    detail = "Send an API key in the header X-Api-Key. Create one under Settings, Connections, API keys."


class KeyExpired(KeyUnknown):
    """The key has expired, or its secret was replaced by a rotation."""

    code = "key.ended"
    detail = (
        "This API key has expired or was rotated. Use the new secret, or create a key under Settings, Connections,"
        " API keys."
    )


class KeyReadOnly(Denied):
    """A read-only key was used to change something."""

    code = "key.read_only"
    detail = (
        "This API key is read-only. Use a key with write access, or create one under Settings, Connections, API keys."
    )
