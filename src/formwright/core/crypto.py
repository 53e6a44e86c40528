"""Encrypted secrets, API secrets and TOTP codes.

Secrets that must be readable again, such as webhook signing secrets, are encrypted. Secrets that people copy have a
prefix and a checksum, and only their hash is stored.

TOTP (RFC 6238 over RFC 4226) uses six digits, 30 seconds and HMAC-SHA-1. SHA-1 because not every authenticator app
supports anything else; as an HMAC it is not broken.
"""

import base64
import hashlib
import hmac
import secrets
import struct
import zlib
from urllib.parse import quote, urlencode

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class SecretBox:
    """Encrypts and authenticates (Fernet) with a key derived (HKDF, RFC 5869) from the installation's secret key."""

    def __init__(self, secret_key: str) -> None:
        # Different labels result in independent keys (RFC 5869, 3.2). With another label, stored secrets could not be
        # decrypted.
        derived = HKDF(SHA256(), 32, salt=None, info=b"formwright seal").derive(secret_key.encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(derived))
        self._proof_key = HKDF(SHA256(), 32, salt=None, info=b"formwright proof").derive(secret_key.encode())

    def prove(self, text: str) -> str:
        """Return 32 letters and digits that only this installation can compute from the text."""
        digest = hmac.digest(self._proof_key, text.encode(), "sha256")
        return base64.b32encode(digest).decode().lower()[:32]

    def close(self, text: str) -> str:
        """Return the encrypted text."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, encrypted: str) -> str:
        """Return the decrypted text; raises `cryptography.fernet.InvalidToken` if another key encrypted it."""
        return self._fernet.decrypt(encrypted.encode()).decode()


_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECK_LETTERS = 6
_BODY_LETTERS = 36


def new_secret(prefix: str) -> str:
    """Return `prefix`, 36 random characters (214 bits) and a checksum of 6, which secret scanners can verify."""
    body = prefix + "".join(secrets.choice(_ALPHABET) for _ in range(_BODY_LETTERS))
    return body + _checksum(body)


def is_well_formed(secret: str, prefix: str) -> bool:
    """Whether a secret has the prefix, length and checksum; if not, it was mistyped or issued elsewhere."""
    body, check = secret[:-_CHECK_LETTERS], secret[-_CHECK_LETTERS:]
    return (
        secret.isascii()
        and body.startswith(prefix)
        and len(body) == len(prefix) + _BODY_LETTERS
        and check == _checksum(body)
    )


def fingerprint(secret: str) -> str:
    """Return the SHA-256 in hex. Sufficient for random secrets; passwords need a slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    number, letters = zlib.crc32(body.encode()), ""
    for _ in range(_CHECK_LETTERS):
        number, digit = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[digit]
    return letters


STEP_S = 30
_DIGITS = 6
"""The defaults of RFC 6238. Some authenticator apps ignore other values."""
_SECRET_BYTES = 20
"""RFC 4226, section 4, recommends 160 bits."""
_BESIDE = 1
"""Tolerated clock drift in steps, either way."""


def new_totp_secret() -> str:
    """Return 160 random bits in base 32, the format that authenticator apps accept."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def totp_code(secret: str, step: int, digits: int = _DIGITS) -> str:
    """Return the code of a step, counted from 1970 (RFC 4226, 5.3)."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 15
    # Without the sign bit, because processors differ in the remainder of negative numbers (RFC 4226, 5.3).
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def find_totp_step(secret: str, code: str, now_ms: int) -> int | None:
    """Return the step that a typed code belongs to, among the current and adjacent ones, or None."""
    now, found = now_ms // 1000 // STEP_S, None
    for step in range(now - _BESIDE, now + _BESIDE + 1):
        # Always compare all steps, so that the duration reveals nothing.
        if hmac.compare_digest(totp_code(secret, step).encode(), code.encode()):
            found = step
    return found


def totp_uri(secret: str, *, issuer: str, account: str) -> str:
    """Return the `otpauth://` URI for the QR code."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?" + urlencode({"secret": secret, "issuer": issuer}, quote_via=quote)
