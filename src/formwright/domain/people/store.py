"""The SQL of people, roles, grants and sessions."""

import msgspec

from formwright.core.access.actor import Held, ResourceType
from formwright.core.access.permissions import BUILT_IN_ROLES, Permission
from formwright.core.access.scope import Scope
from formwright.core.kernel.paging import Page, Place, Window, cut
from formwright.core.storage.database import Reading, Row, Writing
from formwright.core.storage.query import Query
from formwright.domain.people.model import SignIn, User, UserStatus

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


async def email_taken(tx: Reading, scope: Scope, email: str) -> bool:
    sql = "SELECT 1 FROM users WHERE customer_id = $1 AND email = $2"
    return await tx.fetch_one(sql, scope.customer_id, email) is not None


async def page(tx: Reading, scope: Scope, window: Window) -> Page[User]:
    query = Query(_USER, scope.customer_id)
    rows = await tx.fetch(query.window(window, "created"), *query.args)
    return cut([_user(row) for row in rows], window.limit, lambda user: Place(user.created, user.id))


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


async def insert_role(
    tx: Writing, customer_id: str, role_id: str, name: str, permissions: list[Permission], *, built_in: bool = False
) -> None:
    await tx.execute(
        "INSERT INTO roles (customer_id, id, name, permissions, built_in, created, updated, revision)"
        " VALUES ($1, $2, $3, $4, $5, $6, $6, 1)",
        customer_id,
        role_id,
        name,
        msgspec.json.encode(permissions).decode(),
        int(built_in),
        tx.now(),
    )


async def insert_grant(tx: Writing, customer_id: str, subject_id: str, role_id: str) -> None:
    """Give a role on the whole account."""
    await tx.execute(
        "INSERT INTO grants (customer_id, subject_id, role_id, resource_type, resource_id)"
        " VALUES ($1, $2, $3, 'account', $1)",
        customer_id,
        subject_id,
        role_id,
    )


async def held(tx: Reading, customer_id: str, user_id: str) -> list[Held]:
    """All that a person has, of herself and through groups, with every folder below one that a role is given for.

    One statement, which each request of hers runs. So it reads the tree of folders itself.
    """
    rows = await tx.fetch(
        "WITH RECURSIVE found (role_id, resource_type, resource_id) AS ("
        " SELECT role_id, resource_type, resource_id FROM grants WHERE customer_id = $1 AND (subject_id = $2"
        " OR subject_id IN (SELECT group_id FROM group_members WHERE customer_id = $1 AND user_id = $2))"
        " UNION SELECT o.role_id, o.resource_type, f.id FROM found o JOIN folders f"
        " ON f.customer_id = $1 AND f.parent_id = o.resource_id WHERE o.resource_type = 'folder')"
        " SELECT o.resource_type, o.resource_id, r.name, r.built_in, r.permissions FROM found o"
        " JOIN roles r ON r.customer_id = $1 AND r.id = o.role_id",
        customer_id,
        user_id,
    )
    return [Held(allowed(*role), ResourceType(type_), resource_id) for type_, resource_id, *role in rows]


def allowed(name: str, built_in: int, stored: str) -> frozenset[Permission]:
    """What a role allows. The built-in ones are as the program has them."""
    return BUILT_IN_ROLES[name] if built_in else frozenset(msgspec.json.decode(stored, type=list[Permission]))


async def insert_session(tx: Writing, token_hash: str, customer_id: str, user_id: str, ends: int) -> None:
    await tx.execute(
        "INSERT INTO sessions (token_hash, customer_id, user_id, created, ends) VALUES ($1, $2, $3, $4, $5)",
        token_hash,
        customer_id,
        user_id,
        tx.now(),
        ends,
    )


async def session_user(tx: Reading, token_hash: str, now: int) -> User | None:
    """The active person whose running session this is."""
    row = await tx.fetch_one(
        "SELECT customer_id, user_id FROM sessions WHERE token_hash = $1 AND ends > $2", token_hash, now
    )
    user = await find(tx, Scope(row[0]), row[1]) if row else None
    return user if user and user.status is UserStatus.ACTIVE else None


async def delete_session(tx: Writing, token_hash: str) -> None:
    await tx.execute("DELETE FROM sessions WHERE token_hash = $1", token_hash)


async def delete_ended_sessions(tx: Writing) -> None:
    await tx.execute("DELETE FROM sessions WHERE ends <= $1", tx.now())


async def set_password(tx: Writing, scope: Scope, user_id: str, password_hash: str) -> None:
    await tx.execute(
        "UPDATE users SET password_hash = $3 WHERE customer_id = $1 AND id = $2",
        scope.customer_id,
        user_id,
        password_hash,
    )
    await tx.execute("DELETE FROM sessions WHERE customer_id = $1 AND user_id = $2", scope.customer_id, user_id)


async def anybody(tx: Reading) -> bool:
    return await tx.fetch_one("SELECT 1 FROM sign_ins LIMIT 1") is not None
