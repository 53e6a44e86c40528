"""Passwords: argon2id (RFC 9106), computed off the event loop."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

MIN_LENGTH = 10
MAX_LENGTH = 200
NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$R5mf8JHrij6GPIlpAaLJ2Q$T56ty3drGoIcbR2H0LWnO2HjEtqQSV+SG/KPeAu625Y"
"""What is checked where there is no account, so that it takes as long. The password was thrown away."""


class Passwords:
    """Hashes and checks passwords. `cheap` is for tests only: it makes the hash fast, and so easy to guess."""

    def __init__(self, *, cheap: bool = False) -> None:
        self._hasher = (
            PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
            if cheap
            else PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
        )
        self._nobody = self._hasher.hash("nobody has this password") if cheap else NOBODY
        # Each check takes 64 MiB: two at a time keep the process small when many sign in at once.
        self._places = asyncio.Semaphore(2)

    async def hash(self, password: str) -> str:
        """What is kept instead of the password."""
        async with self._places:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, password: str, password_hash: str | None) -> bool:
        """Whether it is the password; without a hash it takes as long, and is false."""
        async with self._places:
            return await asyncio.to_thread(self._verify, password, password_hash) and password_hash is not None

    def _verify(self, password: str, password_hash: str | None) -> bool:
        try:
            return self._hasher.verify(password_hash or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False
