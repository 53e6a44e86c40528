"""API keys."""

from dataclasses import dataclass

from formwright.core.kernel.errors import Conflict, DomainError, NotFound

PREFIX = "fwk_"
MAX_KEYS = 20
HINT_LETTERS = 8


@dataclass(frozen=True, slots=True)
class Key:
    """A key as people see it again: `hint` is how its text begins. Times in milliseconds."""

    id: str
    customer_id: str
    name: str
    hint: str
    maker_id: str
    maker_name: str
    last_used: int | None
    revoked: int | None
    created: int
    updated: int
    revision: int


class KeyNotFound(NotFound):
    """No such key in this account."""

    code = "key.not_found"
    detail = "There is no such API key in this account."


class KeyLimitReached(Conflict):
    """The account has all the keys it may have."""

    code = "key.limit_reached"
    detail = f"An account has at most {MAX_KEYS} API keys. Revoke one that is no longer used, then add the new one."


class KeyUnknown(DomainError):
    """No key, or none that opens anything."""

    code = "key.unknown"
    detail = "The API key is unknown or was revoked. Make one under Settings, Connections, API keys."


class KeyMissing(KeyUnknown):
    """A request came without a key."""

    code = "key.missing"
    detail = "Send the API key in the header X-Api-Key. Make one under Settings, Connections, API keys."
