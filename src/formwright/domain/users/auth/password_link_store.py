"""The SQL of links to set a password."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, Row, WriteTransaction
from formwright.domain.users.auth.models import LinkKind
from formwright.domain.users.models import User, UserStatus

_USER = "u.id, u.customer_id, u.email, u.name, u.language, u.status, u.created, u.updated, u.revision, u.origin"


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
    """Return the users of all accounts with this email address, except disabled ones, each with their last origin."""
    rows = await tx.fetch(
        f"SELECT {_USER} FROM sign_ins s JOIN users u ON u.customer_id = s.customer_id AND u.id = s.user_id"
        " WHERE s.email = $1 AND u.status <> $2 ORDER BY u.created, u.id",
        email,
        UserStatus.DISABLED,
    )
    return [_to_mailable_user(row) for row in rows]


def _to_mailable_user(row: Row) -> tuple[User, str]:
    user_id, customer_id, email, name, language, status, created, updated, revision, origin = row
    user = User(user_id, customer_id, email, name, language, UserStatus(status), created, updated, revision)
    return user, origin or ""
