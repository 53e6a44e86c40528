"""Signatures of Standard Webhooks 1.0.0: symmetric, `v1`. Pure."""

import base64
import binascii
import hmac
import secrets as random
from collections.abc import Mapping, Sequence
from types import MappingProxyType

PREFIX = "whsec_"
KEY_BYTES = 32

# What a subscriber may not say: it is ours, or it decides where a message ends and how it is read.
_RESERVED_PREFIXES = ("webhook-", "formwright-", "content-", "proxy-")
_FRAMING_HEADERS = frozenset(
    ("host", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect", "accept-encoding")
)
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def new_secret() -> str:
    """`whsec_` and base64 of 32 random bytes."""
    return PREFIX + base64.b64encode(random.token_bytes(KEY_BYTES)).decode()


def sign(secrets: Sequence[str], *, message_id: str, timestamp: int, body: bytes) -> str:
    """One `v1,<base64>` for each secret, in their order, with spaces between: two while a secret is being replaced.

    `timestamp` in seconds. Raises ValueError for no secret or one that is not base64; the text does not repeat it.
    """
    if not secrets:
        raise ValueError("A message needs a secret to be signed with.")
    content = f"{message_id}.{timestamp}.".encode() + body
    return " ".join("v1," + base64.b64encode(hmac.digest(_decode_key(s), content, "sha256")).decode() for s in secrets)


def build_headers(
    secrets: Sequence[str],
    *,
    message_id: str,
    timestamp: int,
    body: bytes,
    custom: Mapping[str, str] = _NO_HEADERS,
    position: tuple[int, int] | None = None,
) -> dict[str, str]:
    """All headers of one try: the subscriber's own, less those that are not his to set, then ours.

    `place`: the event's sequence, and that of the one before it for this subscriber.
    """
    chain = {"formwright-sequence": str(position[0]), "formwright-previous": str(position[1])} if position else {}
    return (
        {name: value for name, value in custom.items() if not is_reserved(name)}
        | chain
        | {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign(secrets, message_id=message_id, timestamp=timestamp, body=body),
        }
    )


def is_reserved(name: str) -> bool:
    """Whether it is not the subscriber's to set: `webhook-*`, `formwright-*`, `content-*`, `host`, the framing's."""
    lower = name.strip().lower()
    return lower.startswith(_RESERVED_PREFIXES) or lower in _FRAMING_HEADERS


def _decode_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("A webhook secret must be whsec_ and base64.") from None
    if not key:
        raise ValueError("A webhook secret must not be empty.")
    return key
