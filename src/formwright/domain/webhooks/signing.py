"""Symmetric `v1` signatures of Standard Webhooks 1.0.0, and the headers of a delivery. Pure functions."""

import base64
import binascii
import hmac
import secrets as random
from collections.abc import Mapping, Sequence
from types import MappingProxyType

PREFIX = "whsec_"
KEY_BYTES = 32
"""Standard Webhooks asks for 24 to 64."""

# Subscribers can't set these headers: either the server sets them, or they define the framing and encoding of messages.
_RESERVED_PREFIXES = ("webhook-", "formwright-", "content-", "proxy-")
_FRAMING_HEADERS = frozenset(
    ("host", "connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect", "accept-encoding")
)
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def new_secret() -> str:
    """Return `whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(random.token_bytes(KEY_BYTES)).decode()


def sign(secrets: Sequence[str], *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return one `v1,<base64>` signature per secret, separated by spaces. There are several during a secret rotation.

    `timestamp` is in seconds. Raises ValueError if there is no secret or one is not base64; the error text does not
    contain it.
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
    """Return all headers of an attempt: the subscriber's custom headers except reserved ones, then the standard ones.

    `position` is the event's sequence and that of the previous event for this subscriber.
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
    """Whether subscribers can't set this header, such as `webhook-*`, `content-*`, `host` and framing headers."""
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
