"""Proof of work against robots on public links, with the protocol of ALTCHA (PoW v2, PBKDF2).

A page solves a challenge before it submits: about two hundred key derivations, which no person notices, but which cost
a robot most of its speed. Challenges are signed, so the server stores none, and each works for one link and for ten
minutes. `used_proofs` stores those that were used, until they expire.
"""

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from formwright.core.buckets import Bucket, LocalBuckets
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Conflict
from formwright.core.lazy_import import LazyModule
from formwright.core.lru_cache import LRUCache
from formwright.domain.quotas import proof_store

if TYPE_CHECKING:
    import altcha
else:
    # Most processes never need it.
    altcha = LazyModule("altcha")

LIFETIME_MS = 10 * 60_000
_ALGORITHM, _COST = "PBKDF2/SHA-256", 5000
_MIN_STEPS, _MAX_STEPS = 100, 300
"""200 derivations take 0.12 s in Chromium, and 0.5 s on a processor that is four times slower (decision 59)."""
_MINUTE_MS = 60_000
_MAX_LINKS = 10_000


class ProofRequired(Conflict):
    """The request has no valid proof of work, or one that was used before."""

    code = "fill.proof_required"
    detail = "Solve a new challenge, and send the request again with the solution."


@dataclass(frozen=True, slots=True)
class Proof:
    """A solved challenge. `expires` is in milliseconds."""

    nonce: str
    expires: int


class ProofOfWork:
    """Creates and verifies challenges with keys derived (HKDF, RFC 5869) from the installation's secret key."""

    def __init__(self, secret_key: str) -> None:
        derived = HKDF(SHA256(), 64, salt=None, info=b"formwright proof of work").derive(secret_key.encode())
        self._key, self._solution_key = derived[:32], derived[32:]

    def create(self, link_id: str, now: int) -> dict[str, Any]:
        """Return a challenge for a link, as ALTCHA's JSON."""
        challenge = altcha.create_challenge(
            _ALGORITHM,
            _COST,
            counter=_MIN_STEPS + secrets.randbelow(_MAX_STEPS - _MIN_STEPS),
            expires_at=(now + LIFETIME_MS) // 1000,
            data={"link": link_id},
            hmac_secret=self._key,
            hmac_key_secret=self._solution_key,
        )
        return cast(dict[str, Any], challenge.to_dict())

    def verify(self, payload: str | None, link_id: str, now: int) -> Proof:
        """Return the proof that a page sent for a link. Raises `ProofRequired` if it is missing or invalid."""
        if not payload:
            raise ProofRequired()
        try:
            solved = altcha.Payload.from_base64(payload)
            result = altcha.verify_solution(solved, self._key, hmac_key_secret=self._solution_key)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ProofRequired() from None
        if not result.verified:
            raise ProofRequired()
        # The signature is valid, so the parameters are ours.
        parameters = solved.challenge.parameters
        expires = (parameters.expires_at or 0) * 1000
        if parameters.data != {"link": link_id} or expires <= now:
            raise ProofRequired()
        return Proof(parameters.nonce, expires)


async def use(tx: WriteTransaction, customer_id: str, proof: Proof) -> None:
    """Use a proof, together with what it is required for. Raises `ProofRequired` if it was used before."""
    await proof_store.delete_expired(tx, customer_id, tx.now())
    if not await proof_store.add(tx, customer_id, proof.nonce, proof.expires):
        raise ProofRequired()


class AbuseDetector:
    """Finds links through which unusually much is sent. Each process counts its own requests, in memory.

    `threshold` is the number of responses and new drafts per minute that are usual; 0 means any number.
    """

    def __init__(self, threshold: int) -> None:
        self._threshold = threshold
        self._buckets = LocalBuckets(Bucket(threshold, _MINUTE_MS), _MAX_LINKS)
        self._abused_until = LRUCache[str, int](_MAX_LINKS)

    def count(self, link_id: str, now: int) -> None:
        """Count a response or a new draft."""
        if self._threshold and self._buckets.take(link_id, now):
            self._abused_until.put(link_id, now + LIFETIME_MS)

    def is_abused(self, link_id: str, now: int) -> bool:
        """Whether the link was above the threshold within the last ten minutes."""
        return now < (self._abused_until.get(link_id) or 0)
