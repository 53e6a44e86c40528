"""Secrets that people copy: readable as ours, checked for typing errors, and kept only as a hash."""

import hashlib
import secrets
import zlib

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECK_LETTERS = 6
_BODY_LETTERS = 36


def new_secret(prefix: str) -> str:
    """`prefix`, 36 random letters (214 bits), and a checksum of 6: secret scanners can know one without asking us."""
    body = prefix + "".join(secrets.choice(_ALPHABET) for _ in range(_BODY_LETTERS))
    return body + _checksum(body)


def is_whole(secret: str, prefix: str) -> bool:
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
