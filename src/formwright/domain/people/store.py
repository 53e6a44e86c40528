"""The SQL of people and their sessions."""

from collections.abc import Sequence

from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.people.model import SignIn, User, UserStatus, normal_email
from formwright.domain.people.rights import Wanted

_USER = "SELECT id, customer_id, email, name, language, status, created, updated, revision FROM users"


def _user(row: Row) -> User:
    user_id, customer_id, email, name, language, status, *stamps = row
    return User(user_id, customer_id, email, name, language, UserStatus(status), *stamps)


async def insert(tx: Writing, user: User, password_hash: str | None) -> None:
    await tx.execute(
        "INSERT INTO users (customer_id, id, email, name, language, status, password_hash, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        user.customer_id,
        user.id,
        user.email,
        user.name,
        user.language,
        user.status,
        password_hash,
        user.created,
        user.updated,
        user.revision,
    )
    await tx.execute(
        "INSERT INTO sign_ins (email, customer_id, user_id) VALUES ($1, $2, $3)", user.email, user.customer_id, user.id
    )


async def find(tx: Reading, scope: Scope, user_id: str) -> User | None:
    row = await tx.fetch_one(f"{_USER} WHERE customer_id = $1 AND id = $2", scope.customer_id, user_id)
    return _user(row) if row else None


async def find_all(tx: Reading, scope: Scope, user_ids: Sequence[str]) -> list[User]:
    """Those that there are, in no order."""
    query = Query(_USER, scope.customer_id).any_of("id", user_ids)
    return [_user(row) for row in await tx.fetch(query.sql(), *query.args)] if user_ids else []


async def update(tx: Writing, user: User, before: str) -> None:
    """`before` is the address with which she signed in until now."""
    await tx.execute(
        "UPDATE users SET email = $3, name = $4, language = $5, status = $6, updated = $7, revision = $8"
        " WHERE customer_id = $1 AND id = $2",
        user.customer_id,
        user.id,
        user.email,
        user.name,
        user.language,
        user.status,
        user.updated,
        user.revision,
    )
    if user.email != before:
        await tx.execute(
            "UPDATE sign_ins SET email = $3 WHERE customer_id = $1 AND email = $2",
            user.customer_id,
            before,
            user.email,
        )


async def has_password(tx: Reading, scope: Scope, user_id: str) -> bool:
    sql = "SELECT 1 FROM users WHERE customer_id = $1 AND id = $2 AND password_hash IS NOT NULL"
    return await tx.fetch_one(sql, scope.customer_id, user_id) is not None


async def email_taken(tx: Reading, scope: Scope, email: str, but: str) -> bool:
    """Whether another person of the account has this address."""
    sql = "SELECT 1 FROM users WHERE customer_id = $1 AND email = $2 AND id <> $3"
    return await tx.fetch_one(sql, scope.customer_id, email, but) is not None


async def page(tx: Reading, scope: Scope, wanted: Wanted, window: Window) -> Page[User]:
    query = Query(_USER, scope.customer_id).one_of("status", wanted.statuses)
    if wanted.email is not None:
        query.where("email = ?", normal_email(wanted.email))
    if wanted.text is not None:
        held = [query.holding(wanted.text, column, column) for column in ("name", "email")]
        postgres, sqlite = (" OR ".join(each) for each in zip(*held, strict=True))
        query.where(f"(/*postgres {postgres}*//*sqlite {sqlite}*/)")
    if wanted.group_ids:
        marks = ", ".join("?" * len(wanted.group_ids))
        inside = f"SELECT user_id FROM group_members WHERE customer_id = $1 AND group_id IN ({marks})"
        query.where(f"id IN ({inside})", *wanted.group_ids)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut([_user(row) for row in rows], window.limit, lambda user: Place(user.created, user.id))


async def count(tx: Reading, scope: Scope) -> int:
    row = await tx.fetch_one("SELECT count(*) FROM users WHERE customer_id = $1", scope.customer_id)
    return int(row[0]) if row else 0


async def sign_ins(tx: Reading, email: str) -> list[SignIn]:
    """The people of all accounts who sign in with this address."""
    rows = await tx.fetch(
        "SELECT u.customer_id, u.id, u.password_hash FROM sign_ins s"
        " JOIN users u ON u.customer_id = s.customer_id AND u.id = s.user_id"
        " WHERE s.email = $1 AND u.status = $2 AND u.password_hash IS NOT NULL ORDER BY u.created, u.id",
        email,
        UserStatus.ACTIVE,
    )
    return [SignIn(*row) for row in rows]


async def sign_in_of(tx: Reading, scope: Scope, user_id: str) -> SignIn | None:
    row = await tx.fetch_one(
        "SELECT customer_id, id, password_hash FROM users"
        " WHERE customer_id = $1 AND id = $2 AND status = $3 AND password_hash IS NOT NULL",
        scope.customer_id,
        user_id,
        UserStatus.ACTIVE,
    )
    return SignIn(*row) if row else None


async def delete_sessions_of(tx: Writing, scope: Scope, user_id: str) -> None:
    await tx.execute("DELETE FROM sessions WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)


async def replace_hash(tx: Writing, scope: Scope, user_id: str, before: str, after: str) -> None:
    """Another hash of the same password; its sessions stay."""
    await tx.execute(
        "UPDATE users SET password_hash = $4 WHERE customer_id = $1 AND id = $2 AND password_hash = $3",
        scope.customer_id,
        user_id,
        before,
        after,
    )


async def set_password(tx: Writing, scope: Scope, user_id: str, password_hash: str) -> None:
    await tx.execute(
        "UPDATE users SET password_hash = $3 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        user_id,
        password_hash,
    )
    await delete_sessions_of(tx, scope, user_id)


async def anybody(tx: Reading) -> bool:
    return await tx.fetch_one("SELECT 1 FROM sign_ins LIMIT 1") is not None
