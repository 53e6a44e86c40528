"""The signatures of webhook messages."""

import base64
import binascii
import hmac
import json
import time
from collections.abc import Iterable, Sequence
from typing import Protocol

from formwright_client.errors import InvalidSignatureError
from formwright_client.schemas import Event

TOLERANCE = 300


class Headers(Protocol):
    """The headers of a request: a dictionary, or the headers object of a web framework."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Return each name, in upper or lower case, with its value."""


def verify_webhook(
    secrets: str | Sequence[str],
    headers: Headers,
    body: bytes,
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> Event:
    """Verify a webhook message according to Standard Webhooks 1.0.0, in constant time.

    Args:
        secrets: The secret of the subscriber. While you replace it, pass the old and the new one.
        headers: The headers of the request.
        body: The body of the request, byte for byte.
        tolerance: The age of the oldest accepted message, in seconds.
        now: The current time in seconds since 1970, e.g. for tests.

    Returns:
        The event. That of a test message has the type `test` and the sequence 0.

    Raises:
        InvalidSignatureError: The message is not from Formwright, was changed on its way, or is too old.
        ValueError: A secret is not valid.
    """
    keys = [_parse_secret(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    found = lower_names(headers)
    try:
        message_id, sent, signatures = (found[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise InvalidSignatureError(f"The header {error.args[0]} is missing.") from None
    _check_time(sent, tolerance, time.time() if now is None else now)
    signed = f"{message_id}.{sent}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    received = [signature.encode() for signature in signatures.split()]
    if not any(hmac.compare_digest(mine, theirs) for mine in expected for theirs in received):
        raise InvalidSignatureError("No signature matches: the message was changed, or the secret is another.")
    event: Event = json.loads(body)
    return event


def lower_names(headers: Headers) -> dict[str, str]:
    """Return the headers with their names in lower case."""
    return {name.lower(): value for name, value in headers.items()}


def _check_time(sent: str, tolerance: float, now: float) -> None:
    if not (sent.isascii() and sent.isdigit()) or len(sent) > 12:
        raise InvalidSignatureError("webhook-timestamp is not a time.")
    if abs(now - int(sent)) > tolerance:
        raise InvalidSignatureError(f"The message was sent at {sent}, too far from now. Is the clock right?")


def _parse_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("A webhook secret is whsec_ followed by base64.")
    return key
