"""The SQL of links to set a password."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.domain.users.auth.models import LinkKind
from formwright.domain.users.models import User, UserStatus

_USER = "SELECT id, customer_id, email, name, language, status, created, updated, revision, origin FROM users"


async def insert(tx: WriteTransaction, token_hash: str, user: User, kind: LinkKind, now: int, ends: int) -> None:
    await tx.execute(
        "INSERT INTO password_links (token_hash, customer_id, user_id, kind, created, ends)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        token_hash,
        user.customer_id,
        user.id,
        kind,
        now,
        ends,
    )


async def find(tx: ReadTransaction, token_hash: str, now: int) -> tuple[str, str, LinkKind] | None:
    """Return the account id, the user id and the kind of a link that has not expired, or None."""
    row = await tx.fetch_one(
        "SELECT customer_id, user_id, kind FROM password_links WHERE token_hash = $1 AND ends > $2", token_hash, now
    )
    return (row[0], row[1], LinkKind(row[2])) if row else None


async def consume(tx: WriteTransaction, token_hash: str, now: int) -> bool:
    """Use up the link. Returns False if it was used already: only one of two concurrent calls succeeds."""
    return bool(await tx.execute("DELETE FROM password_links WHERE token_hash = $1 AND ends > $2", token_hash, now))


async def delete_all(tx: WriteTransaction, scope: Scope, user_id: str) -> None:
    await tx.execute("DELETE FROM password_links WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)


async def delete_expired(tx: WriteTransaction, now: int) -> None:
    await tx.execute("DELETE FROM password_links WHERE ends <= $1", now)


async def find_mailable_users(tx: ReadTransaction, email: str) -> list[tuple[User, str]]:
    """Return the users of all accounts with this email address, except disabled ones, each with their last origin.

    The oldest comes first.
    """
    rows = await tx.fetch("SELECT customer_id, user_id FROM sign_ins WHERE email = $1 ORDER BY user_id", email)
    # One statement per account instead of a join, which would ask all machines of a distributed database.
    found = [await _find_mailable_user(tx, Scope(customer_id), user_id) for customer_id, user_id in rows]
    return [mailable for mailable in found if mailable]


async def _find_mailable_user(tx: ReadTransaction, scope: Scope, user_id: str) -> tuple[User, str] | None:
    sql = f"{_USER} WHERE customer_id = $1 AND id = $2 AND status <> $3"
    row = await tx.fetch_one(sql, scope.customer_id, user_id, UserStatus.DISABLED)
    return _to_mailable_user(row) if row else None


def _to_mailable_user(row: Row) -> tuple[User, str]:
    user_id, customer_id, email, name, language, status, created, updated, revision, origin = row
    user = User(user_id, customer_id, email, name, language, UserStatus(status), created, updated, revision)
    return user, origin or ""
