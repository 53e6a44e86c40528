"""Throttling of guesses: after some failures, each further attempt has to wait twice as long.

An attempt is counted before it is checked, so that concurrent attempts do not bypass the limit. The counters are in the
database, so they apply to all processes together. Users are not locked out by others: a browser in which they have
signed in before has a counter of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from formwright.core import crypto
from formwright.core.db.batching import BATCH_ROWS, in_batches
from formwright.core.db.interface import Database, WriteTransaction
from formwright.core.networks import is_local, to_network
from formwright.domain.users.auth.models import TooManyAttempts

RESET_AFTER_MS = 24 * 3600 * 1000
"""After this time without a failure, the count starts again from zero."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """A counter of failed attempts.

    After `free_attempts` failures, the next attempt has to wait `first_wait_s` seconds, and each further failure
    doubles the wait up to `max_wait_s`. A success resets the counter. With `keeps_failures`, it only takes back its own
    attempt, so that attackers cannot reset a shared counter by signing in to an account of their own.
    """

    name: str
    free_attempts: int
    max_wait_s: int
    keeps_failures: bool = False
    first_wait_s: int = 5

    @property
    def key(self) -> str:
        """The key in the database: a hash, so that the table contains no addresses."""
        return crypto.fingerprint(self.name)

    def wait_ms(self, failures: int) -> int:
        """Return how long the next attempt has to wait, in milliseconds."""
        over = failures - self.free_attempts
        return min(self.max_wait_s, self.first_wait_s * 2 ** min(over, 20)) * 1000 if over >= 0 else 0


def sign_in_buckets(email: str, address: str, device: str) -> list[Bucket]:
    """Return the counters for a password: by user and network, by user, and by network.

    `device` identifies a browser in which the user has signed in before; it is then the only counter.
    """
    if device:
        return [Bucket(f"device {device} {email}", 5, 900)]
    network = to_network(address)
    buckets = [Bucket(f"pair {network} {email}", 5, 900), Bucket(f"person {email}", 50, 300, keeps_failures=True)]
    # Behind a local proxy that is not configured as one, all requests come from this machine.
    return buckets if is_local(address) else [*buckets, Bucket(f"place {network}", 30, 900, keeps_failures=True)]


def code_buckets(user_id: str) -> list[Bucket]:
    """Return the counters for two-factor codes. Only a user who knows the password gets to enter one."""
    return [Bucket(f"code {user_id}", 5, 900)]


def password_check_buckets(user_id: str) -> list[Bucket]:
    """Return the counters for the password that is requested again within a session."""
    return [Bucket(f"again {user_id}", 5, 900)]


def reset_email_buckets(email: str) -> list[Bucket]:
    """Return the counters for reset mails to an address: three, then at most one per hour."""
    return [Bucket(f"mail {email}", 3, 3600, first_wait_s=3600)]


def reset_request_buckets(address: str) -> list[Bucket]:
    """Return the counters for the network address from which reset mails are requested."""
    return [] if is_local(address) else [Bucket(f"asking {to_network(address)}", 20, 900)]


def provider_buckets(address: str) -> list[Bucket]:
    """Return the counters for the network address from which sign-ins at identity providers are started and end."""
    return [] if is_local(address) else [Bucket(f"oidc {to_network(address)}", 100, 300, keeps_failures=True)]


async def count_attempt(tx: WriteTransaction, buckets: Sequence[Bucket]) -> None:
    """Count an attempt as failed; `record_success` takes that back.

    Raises `TooManyAttempts` if the attempt has to wait. Then it is not counted.
    """
    now = tx.now()
    # Always in the same order, so that two attempts never wait for each other's rows.
    rows = [(bucket, *await _lock_row(tx, bucket)) for bucket in sorted(buckets, key=lambda item: item.key)]
    wait = max((_remaining_ms(bucket, until, now) for bucket, _, _, until in rows), default=0)
    if wait > 0:
        # Rounded up: after a wait that is too short, the attempt would be rejected again.
        raise TooManyAttempts(-(-wait // 1000))
    for bucket, failures, last, _ in rows:
        failed = 1 if now - last > RESET_AFTER_MS else failures + 1
        sql = "UPDATE throttles SET failures = $2, last = $3, until = $4 WHERE bucket = $1"
        await tx.execute(sql, bucket.key, failed, now, now + bucket.wait_ms(failed))


def _remaining_ms(bucket: Bucket, until: int, now: int) -> int:
    """Return the wait, limited to the bucket's maximum in case the clock was ahead and has been set back."""
    return min(until - now, bucket.max_wait_s * 1000)


async def _lock_row(tx: WriteTransaction, bucket: Bucket) -> tuple[int, int, int]:
    row = await tx.fetch_one(
        "INSERT INTO throttles (bucket, failures, last, until) VALUES ($1, 0, $2, 0)"
        # DO NOTHING would neither lock nor return a row that exists.
        " ON CONFLICT (bucket) DO UPDATE SET bucket = excluded.bucket RETURNING failures, last, until",
        bucket.key,
        tx.now(),
    )
    failures, last, until = row or (0, tx.now(), 0)
    return int(failures), int(last), int(until)


async def record_success(tx: WriteTransaction, buckets: Sequence[Bucket]) -> None:
    """Take back the counted attempt, because it succeeded."""
    for bucket in sorted(buckets, key=lambda item: item.key):
        if bucket.keeps_failures:
            await tx.execute("UPDATE throttles SET failures = failures - 1, until = 0 WHERE bucket = $1", bucket.key)
        else:
            await tx.execute("DELETE FROM throttles WHERE bucket = $1", bucket.key)


async def delete_expired(db: Database, now: int) -> None:
    """Delete counters that no longer matter, in batches with a short transaction each."""
    await in_batches(db, partial(_delete_expired_batch, before=now - RESET_AFTER_MS))


async def _delete_expired_batch(tx: WriteTransaction, before: int) -> int:
    return await tx.execute(
        "DELETE FROM throttles WHERE bucket IN"
        f" (SELECT bucket FROM throttles WHERE last < $1 ORDER BY last LIMIT {BATCH_ROWS})",
        before,
    )
