"""Password hashes with argon2id (RFC 9106), computed in threads so that the event loop is not blocked.

The same email address may belong to users in several accounts, each with their own password. The hashes of an address
share their salt, so that one computation checks a password against all of them. The time it takes to sign in therefore
does not reveal how many accounts an address has.
"""

import asyncio
import hmac
from base64 import b64decode
from collections.abc import Iterable, Sequence

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import hash_secret
from argon2.profiles import RFC_9106_LOW_MEMORY

MIN_LENGTH = 10
MAX_LENGTH = 200
DUMMY_HASH = "$argon2id$v=19$m=65536,t=3,p=4$R5mf8JHrij6GPIlpAaLJ2Q$T56ty3drGoIcbR2H0LWnO2HjEtqQSV+SG/KPeAu625Y"
"""The hash that is checked if there is no account, so that it takes as long. Nobody knows the password."""

_DIGEST = "A" * 43
"""Placeholder for a digest of 32 bytes, which is the only length in use."""


class PasswordVerifier:
    """Hashes and verifies passwords. `cheap` is for tests only: its hashes are fast to compute, so easy to guess."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = (
            PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
            if cheap
            else PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
        )
        self._dummy_hash = self._hasher.hash("nobody has this password") if cheap else DUMMY_HASH
        # Each check takes 64 MiB. Two at a time keep the process small if many users sign in at once.
        self._slots = asyncio.Semaphore(2)

    async def hash(self, password: str, existing: Iterable[str] = ()) -> str:
        """Return the hash to store. It shares the salt of `existing`, the hashes of the same email address."""
        salt = next((salt for password_hash in existing if (salt := extract_salt(password_hash))), None)
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password, salt=salt)

    async def verify_each(self, password: str, hashes: Sequence[str]) -> list[bool]:
        """Return for each hash whether it matches the password.

        Hashes with the same salt take one computation, and so does an empty list. The salts of an address only differ
        for old hashes and after the email address of a user was changed.
        """
        prefixes = dict.fromkeys(map(_prefix, hashes or [self._dummy_hash]))
        computed = {await self._compute(password, prefix) for prefix in prefixes}
        return [any(own and hmac.compare_digest(stored.encode(), own) for own in computed) for stored in hashes]

    async def _compute(self, password: str, prefix: str) -> bytes:
        async with self._slots:
            return await asyncio.to_thread(_hash_with_prefix, password, prefix)

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether the hash matches the password. Without a hash it takes as long, and the result is False."""
        async with self._slots:
            return await asyncio.to_thread(self._verify_now, password, password_hash) and password_hash is not None

    def _verify_now(self, password: str, password_hash: str | None) -> bool:
        try:
            return self._hasher.verify(password_hash or self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False


def _prefix(password_hash: str) -> str:
    """Return the hash without its digest: algorithm, parameters and salt."""
    return password_hash.rpartition("$")[0]


def extract_salt(password_hash: str) -> bytes | None:
    """Return the salt of a hash; None if it is not an argon2 hash."""
    salt = _prefix(password_hash).rpartition("$")[2]
    try:
        return b64decode(salt + "=" * (-len(salt) % 4), validate=True) or None
    except ValueError:
        return None


def _hash_with_prefix(password: str, prefix: str) -> bytes:
    """Return the hash of a password with the parameters and salt of `prefix`; empty if that is not from argon2."""
    salt = extract_salt(f"{prefix}$")
    try:
        by = extract_parameters(f"{prefix}${_DIGEST}")
    except InvalidHashError:
        return b""
    return hash_secret(
        password.encode(), salt or b"", by.time_cost, by.memory_cost, by.parallelism, by.hash_len, by.type, by.version
    )
