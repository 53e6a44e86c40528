"""One-time codes of a phone (RFC 6238 over RFC 4226): six digits, a new one every 30 seconds, HMAC-SHA-1.

SHA-1 because it is what every such app speaks; as an HMAC it is not broken.
"""

import base64
import hmac
import secrets
import struct
from urllib.parse import quote, urlencode

STEP_S = 30
_DIGITS = 6
_SECRET_BYTES = 20
_BESIDE = 1
"""How many steps the phone's clock may be off, either way."""


def new_secret() -> str:
    """160 random bits in base 32, as apps take them typed in."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def code(secret: str, step: int, digits: int = _DIGITS) -> str:
    """The code of one step, counted from 1970."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: str, typed: str, now_ms: int) -> int | None:
    """The step whose code it is, among this one and those beside it; None when it is of none."""
    now, found = now_ms // 1000 // STEP_S, None
    for step in range(now - _BESIDE, now + _BESIDE + 1):
        # All of them in any case, so that the time tells nothing.
        if hmac.compare_digest(code(secret, step).encode(), typed.encode()):
            found = step
    return found


def address(secret: str, *, issuer: str, account: str) -> str:
    """What an app reads from the QR code."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?" + urlencode({"secret": secret, "issuer": issuer}, quote_via=quote)
