"""Guessing is slowed: after some failures each further try has to wait, longer and longer.

A try is counted before it is judged, so that many at once are no more than many in turn. What is counted is kept in
the database, and so for all processes together. The owner is not locked out: a browser in which she has signed in
before is counted for itself, whatever strangers do with her address.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from formwright.core import crypto
from formwright.core.db.batching import BATCH_ROWS, in_batches
from formwright.core.db.interface import Database, WriteTransaction
from formwright.core.networks import is_here, network_of
from formwright.domain.users.auth.models import TooManyAttempts

RESET_AFTER_MS = 24 * 3600 * 1000
"""After so long without a failure all is as if there had been none."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """What is counted together: `free` failures without a wait, then `first_s`, doubled by each further one.

    No wait is longer than `most_s`.
    `kept`: a success takes away its own try only, so that who has a password of her own cannot wash the others off.
    """

    name: str
    free_attempts: int
    max_wait_s: int
    keeps_failures: bool = False
    first_wait_s: int = 5

    @property
    def key(self) -> str:
        """How it is named in the database: addresses are not readable there."""
        return crypto.fingerprint(self.name)

    def wait_ms(self, failures: int) -> int:
        """How long the next try has to wait."""
        over = failures - self.free_attempts
        return min(self.max_wait_s, self.first_wait_s * 2 ** min(over, 20)) * 1000 if over >= 0 else 0


def sign_in_buckets(email: str, address: str, device: str) -> list[Bucket]:
    """For a password: by person and place, by place, and by person. `device` names a browser that she knows."""
    if device:
        return [Bucket(f"device {device} {email}", 5, 900)]
    network = network_of(address)
    found = [Bucket(f"pair {network} {email}", 5, 900), Bucket(f"person {email}", 50, 300, keeps_failures=True)]
    # Behind a proxy on this machine that nobody named, all come from here.
    return found if is_here(address) else [*found, Bucket(f"place {network}", 30, 900, keeps_failures=True)]


def code_buckets(user_id: str) -> list[Bucket]:
    """For the code of a second factor: only who knows the password comes so far."""
    return [Bucket(f"code {user_id}", 5, 900)]


def password_check_buckets(user_id: str) -> list[Bucket]:
    """For the password that is asked for again within a session."""
    return [Bucket(f"again {user_id}", 5, 900)]


def reset_email_buckets(email: str) -> list[Bucket]:
    """For mails to one address: three, then at most one in an hour."""
    return [Bucket(f"mail {email}", 3, 3600, first_wait_s=3600)]


def reset_request_buckets(address: str) -> list[Bucket]:
    """For whoever asks for such mails."""
    return [] if is_here(address) else [Bucket(f"asking {network_of(address)}", 20, 900)]


async def count_attempt(tx: WriteTransaction, buckets: Sequence[Bucket]) -> None:
    """Count a try as failed, until it is known better; `TooManyTries` where it came too early, and is not counted."""
    now = tx.now()
    # In one order, so that two tries never wait for each other.
    rows = [(bucket, *await _lock_row(tx, bucket)) for bucket in sorted(buckets, key=lambda one: one.key)]
    wait = max((_remaining_ms(bucket, until, now) for bucket, _, _, until in rows), default=0)
    if wait > 0:
        raise TooManyAttempts(-(-wait // 1000))
    for bucket, failures, last, _ in rows:
        failed = 1 if now - last > RESET_AFTER_MS else failures + 1
        sql = "UPDATE throttles SET failures = $2, last = $3, until = $4 WHERE bucket = $1"
        await tx.execute(sql, bucket.key, failed, now, now + bucket.wait_ms(failed))


def _remaining_ms(bucket: Bucket, until: int, now: int) -> int:
    """How long to wait, at most what the bucket has: the clock may have been ahead and set back."""
    return min(until - now, bucket.max_wait_s * 1000)


async def _lock_row(tx: WriteTransaction, bucket: Bucket) -> tuple[int, int, int]:
    row = await tx.fetch_one(
        "INSERT INTO throttles (bucket, failures, last, until) VALUES ($1, 0, $2, 0)"
        " ON CONFLICT (bucket) DO UPDATE SET bucket = excluded.bucket RETURNING failures, last, until",
        bucket.key,
        tx.now(),
    )
    failures, last, until = row or (0, tx.now(), 0)
    return int(failures), int(last), int(until)


async def record_success(tx: WriteTransaction, buckets: Sequence[Bucket]) -> None:
    """The counted try was right."""
    for bucket in sorted(buckets, key=lambda one: one.key):
        if bucket.keeps_failures:
            await tx.execute("UPDATE throttles SET failures = failures - 1, until = 0 WHERE bucket = $1", bucket.key)
        else:
            await tx.execute("DELETE FROM throttles WHERE bucket = $1", bucket.key)


async def delete_expired(db: Database, now: int) -> None:
    """Clear away what does not count any more, in batches, each a short transaction."""
    await in_batches(db, partial(_delete_expired_batch, before=now - RESET_AFTER_MS))


async def _delete_expired_batch(tx: WriteTransaction, before: int) -> int:
    return await tx.execute(
        "DELETE FROM throttles WHERE bucket IN"
        f" (SELECT bucket FROM throttles WHERE last < $1 ORDER BY last LIMIT {BATCH_ROWS})",
        before,
    )
