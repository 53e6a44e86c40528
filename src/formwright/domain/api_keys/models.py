"""API keys."""

from dataclasses import dataclass

from formwright.core.errors import Conflict, Denied, DomainError, NotFound

PREFIX = "fwk_"
MAX_KEYS = 20
MAX_NAME_LENGTH = 100
HINT_LENGTH = 8
DAY_MS = 24 * 3600 * 1000
OVERLAP_MS = DAY_MS
"""For how long the secret before still works when nobody says otherwise."""
MAX_OVERLAP_MS = 7 * DAY_MS
MAX_LIFETIME_MS = 3660 * DAY_MS
"""How far ahead a key may end: about ten years."""


@dataclass(frozen=True, slots=True)
class KeyCreate:
    """What a key is made from. `expires` is when it opens nothing any more, in milliseconds; None: never."""

    name: str
    read_only: bool = False
    expires: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A key as people see it again: `hint` is how its text begins. Times in milliseconds.

    `old_ends` is until when the secret before the present one works, where there was one.
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

    def has_expired(self, now: int) -> bool:
        """Whether its end date has passed."""
        return self.expires is not None and self.expires <= now


@dataclass(frozen=True, slots=True)
class KeyIdentity:
    """What a request has to know of the key that it carries; `ends` is that of this very secret."""

    customer_id: str
    key_id: str
    name: str
    read_only: bool
    ends: int | None


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """An answer that is kept, and the fingerprint of the request that it was given to."""

    request: str
    status: int
    location: str
    content: str


class KeyNotFound(NotFound):
    """No such key in this account."""

    code = "key.not_found"
    detail = "There is no such API key in this account."


class KeyLimitReached(Conflict):
    """The account has all the keys it may have."""

    code = "key.limit_reached"
    detail = f"An account has at most {MAX_KEYS} API keys. Revoke one that is no longer used, then add the new one."


class StoredResponseUnreadable(Conflict):
    """What was answered is sealed with another secret key than the one of today."""

    code = "idempotency.unreadable"
    detail = (
        "The request with this Idempotency-Key was done. What it was answered cannot be read any more, as the server's"
        " secret key has changed since: look for what it made."
    )


class KeyNotRotatable(Conflict):
    """A key that opens nothing any more gets no other secret."""

    code = "key.has_ended"
    detail = "The end date of this API key has passed, so it gets no new secret. Add another key."


class KeyUnknown(DomainError):
    """No key, or none that opens anything."""

    code = "key.unknown"
    detail = "The API key is unknown or was revoked. Make one under Settings, Connections, API keys."


class KeyMissing(KeyUnknown):
    """A request came without a key."""

    code = "key.missing"
    detail = "Send the API key in the header X-Api-Key. Make one under Settings, Connections, API keys."


class KeyExpired(KeyUnknown):
    """A key whose time is over."""

    code = "key.ended"
    detail = (
        "The end date of this API key has passed, or it was replaced by a new one. Take the new one, or make one under"
        " Settings, Connections, API keys."
    )


class KeyReadOnly(Denied):
    """A key that only reads was to change something."""

    code = "key.read_only"
    detail = "This API key is read-only. Use one that may write, or make one under Settings, Connections, API keys."
