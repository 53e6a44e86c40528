"""Passwords: argon2id (RFC 9106), computed off the event loop.

One person may have accounts with several customers under one e-mail address, each with its own password. The hashes of
one address share their salt, so that one computation checks a password against all of them: the time to sign in does
not tell how many accounts an address has.
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
"""What is checked where there is no account, so that it takes as long. The password was thrown away."""

_DIGEST = "A" * 43
"""In the place of a digest of 32 bytes, the only length that is used."""


class PasswordVerifier:
    """Hashes and checks passwords. `cheap` is for tests only: it makes the hash fast, and so easy to guess."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = (
            PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
            if cheap
            else PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
        )
        self._dummy_hash = self._hasher.hash("nobody has this password") if cheap else DUMMY_HASH
        # Each check takes 64 MiB: two at a time keep the process small when many sign in at once.
        self._slots = asyncio.Semaphore(2)

    async def hash(self, password: str, existing: Iterable[str] = ()) -> str:
        """The hash to store. `beside`: those of other accounts with the same e-mail address, to share their salt."""
        salt = next((found for one in existing if (found := extract_salt(one))), None)
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password, salt=salt)

    async def verify_each(self, password: str, hashes: Sequence[str]) -> list[bool]:
        """Whether it is the password of each hash: one computation for all that share a salt, and one for none.

        Only hashes from before they shared a salt, or of an account whose address was changed, take one each.
        """
        prefixes = dict.fromkeys(map(_prefix, hashes or [self._dummy_hash]))
        found = {await self._compute(password, prefix) for prefix in prefixes}
        return [any(digest and hmac.compare_digest(one.encode(), digest) for digest in found) for one in hashes]

    async def _compute(self, password: str, prefix: str) -> bytes:
        async with self._slots:
            return await asyncio.to_thread(_hash_with_prefix, password, prefix)

    async def verify(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the password; without a hash it takes as long, and is false."""
        async with self._slots:
            return await asyncio.to_thread(self._verify_now, password, password_hash) and password_hash is not None

    def _verify_now(self, password: str, password_hash: str | None) -> bool:
        try:
            return self._hasher.verify(password_hash or self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False


def _prefix(password_hash: str) -> str:
    """The hash without its digest: algorithm, parameters and salt."""
    return password_hash.rpartition("$")[0]


def extract_salt(password_hash: str) -> bytes | None:
    """The salt of a hash; None where it is none of argon2."""
    salt = _prefix(password_hash).rpartition("$")[2]
    try:
        return b64decode(salt + "=" * (-len(salt) % 4), validate=True) or None
    except ValueError:
        return None


def _hash_with_prefix(password: str, prefix: str) -> bytes:
    """The whole hash of a password with the parameters and the salt of another; empty where that is none of argon2."""
    salt = extract_salt(f"{prefix}$")
    try:
        by = extract_parameters(f"{prefix}${_DIGEST}")
    except InvalidHashError:
        return b""
    return hash_secret(
        password.encode(), salt or b"", by.time_cost, by.memory_cost, by.parallelism, by.hash_len, by.type, by.version
    )
