"""Secrets that have to be read again (a webhook's signing secret), sealed before they are stored.

Secrets that people copy: readable as ours, checked for typing errors, and kept only as a hash.

One-time codes of a phone (RFC 6238 over RFC 4226): six digits, a new one every 30 seconds, HMAC-SHA-1.

SHA-1 because it is what every such app speaks; as an HMAC it is not broken.
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
        derived = HKDF(SHA256(), 32, salt=None, info=b"formwright seal").derive(secret_key.encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(derived))

    def close(self, text: str) -> str:
        """The sealed text."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """What was sealed; raises `cryptography.fernet.InvalidToken` when another key sealed it."""
        return self._fernet.decrypt(sealed.encode()).decode()


_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECK_LETTERS = 6
_BODY_LETTERS = 36


def new_secret(prefix: str) -> str:
    """`prefix`, 36 random letters (214 bits), and a checksum of 6: secret scanners can know one without asking us."""
    body = prefix + "".join(secrets.choice(_ALPHABET) for _ in range(_BODY_LETTERS))
    return body + _checksum(body)


def is_well_formed(secret: str, prefix: str) -> bool:
    """Whether it has our prefix, length and checksum: false says that it was mistyped or never ours."""
    body, check = secret[:-_CHECK_LETTERS], secret[-_CHECK_LETTERS:]
    return (
        secret.isascii()
        and body.startswith(prefix)
        and len(body) == len(prefix) + _BODY_LETTERS
        and check == _checksum(body)
    )


def fingerprint(secret: str) -> str:
    """SHA-256 in hex: what is kept. Enough for random secrets; passwords people choose need a slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    number, letters = zlib.crc32(body.encode()), ""
    for _ in range(_CHECK_LETTERS):
        number, digit = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[digit]
    return letters


STEP_S = 30
_DIGITS = 6
_SECRET_BYTES = 20
_BESIDE = 1
"""How many steps the phone's clock may be off, either way."""


def new_totp_secret() -> str:
    """160 random bits in base 32, as apps take them typed in."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def totp_code(secret: str, step: int, digits: int = _DIGITS) -> str:
    """The code of one step, counted from 1970."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def find_totp_step(secret: str, typed: str, now_ms: int) -> int | None:
    """The step whose code it is, among this one and those beside it; None when it is of none."""
    now, found = now_ms // 1000 // STEP_S, None
    for step in range(now - _BESIDE, now + _BESIDE + 1):
        # All of them in any case, so that the time tells nothing.
        if hmac.compare_digest(totp_code(secret, step).encode(), typed.encode()):
            found = step
    return found


def totp_uri(secret: str, *, issuer: str, account: str) -> str:
    """What an app reads from the QR code."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?" + urlencode({"secret": secret, "issuer": issuer}, quote_via=quote)
