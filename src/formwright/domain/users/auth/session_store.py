"""The SQL of sessions."""

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.record_table import RecordTable
from formwright.domain.users import store
from formwright.domain.users.auth.models import ProviderSession, Session
from formwright.domain.users.models import User, UserStatus

_COLUMNS = "id, customer_id, user_id, address, agent, created, seen, provider_id"
_SESSION = f"SELECT {_COLUMNS} FROM sessions"
_SESSIONS = RecordTable[Session]("sessions", f"{_COLUMNS}, token_hash, ends, provider_session, id_token")
_OWN = "customer_id = $1 AND user_id = $2"


async def insert(
    tx: WriteTransaction, session: Session, token_hash: str, ends: int, provider: ProviderSession | None
) -> None:
    session_id, id_token = (provider.session_id, provider.id_token or None) if provider else (None, None)
    await _SESSIONS.insert(
        tx, session, token_hash=token_hash, ends=ends, provider_session=session_id, id_token=id_token
    )


async def save_origin(tx: WriteTransaction, scope: Scope, user_id: str, origin: str) -> None:
    """Save the origin under which the user signed in; links in their mails start with it."""
    sql = f"UPDATE users SET origin = $3 WHERE {_OWN.replace('user_id', 'id')} AND COALESCE(origin, '') <> $3"
    await tx.execute(sql, scope.customer_id, user_id, origin)


async def find(tx: ReadTransaction, token_hash: str, now: int) -> Session | None:
    row = await tx.fetch_one(f"{_SESSION} WHERE token_hash = $1 AND ends > $2", token_hash, now)
    return Session(*row) if row else None


async def find_active_user(tx: ReadTransaction, session: Session) -> User | None:
    """Return the user of the session; None if they can no longer sign in."""
    user = await store.find(tx, Scope(session.customer_id), session.user_id)
    return user if user and user.status is UserStatus.ACTIVE else None


async def update_seen(tx: WriteTransaction, session: Session, now: int) -> None:
    sql = f"UPDATE sessions SET seen = $4 WHERE {_OWN} AND id = $3"
    await tx.execute(sql, session.customer_id, session.user_id, session.id, now)


async def list_all(tx: ReadTransaction, scope: Scope, user_id: str, now: int) -> list[Session]:
    sql = f"{_SESSION} WHERE {_OWN} AND ends > $3 ORDER BY seen DESC, id DESC"
    return [Session(*row) for row in await tx.fetch(sql, scope.customer_id, user_id, now)]


async def delete(tx: WriteTransaction, scope: Scope, user_id: str, session_id: str) -> bool:
    sql = f"DELETE FROM sessions WHERE {_OWN} AND id = $3"
    return bool(await tx.execute(sql, scope.customer_id, user_id, session_id))


async def find_id_token(tx: ReadTransaction, session: Session) -> str:
    """Return the encrypted ID token of a session; "" if it has none. It is too long to be read with each request."""
    sql = f"SELECT id_token FROM sessions WHERE {_OWN} AND id = $3"
    row = await tx.fetch_one(sql, session.customer_id, session.user_id, session.id)
    return (row[0] or "") if row else ""


async def delete_others(tx: WriteTransaction, scope: Scope, user_id: str, session_id: str) -> int:
    sql = f"DELETE FROM sessions WHERE {_OWN} AND id <> $3"
    return await tx.execute(sql, scope.customer_id, user_id, session_id)


async def list_accounts_of_provider(tx: ReadTransaction, provider: ProviderSession) -> list[str]:
    sql = "SELECT DISTINCT customer_id FROM sessions WHERE provider_id = $1 AND provider_session = $2"
    return [row[0] for row in await tx.fetch(sql, provider.provider_id, provider.session_id)]


async def list_users_of_provider(tx: ReadTransaction, scope: Scope, provider: ProviderSession) -> list[str]:
    """Return the ids of the users who have a session of this session at a provider."""
    sql = "SELECT DISTINCT user_id FROM sessions WHERE customer_id = $1 AND provider_id = $2 AND provider_session = $3"
    rows = await tx.fetch(f"{sql} ORDER BY user_id", scope.customer_id, provider.provider_id, provider.session_id)
    return [row[0] for row in rows]


async def delete_of_provider(tx: WriteTransaction, scope: Scope, user_id: str, provider: ProviderSession) -> int:
    """End the user's sessions with a provider: all, or those of one session there."""
    sql = f"DELETE FROM sessions WHERE {_OWN} AND provider_id = $3 AND ($4 = '' OR provider_session = $4)"
    return await tx.execute(sql, scope.customer_id, user_id, provider.provider_id, provider.session_id)


async def delete_expired(tx: WriteTransaction, now: int) -> None:
    await tx.execute("DELETE FROM sessions WHERE ends <= $1", now)


async def get_password_hash(tx: ReadTransaction, scope: Scope, user_id: str) -> str | None:
    row = await tx.fetch_one(
        "SELECT password_hash FROM users WHERE customer_id = $1 AND id = $2", scope.customer_id, user_id
    )
    return row[0] if row else None


async def set_password(tx: WriteTransaction, scope: Scope, user_id: str, password_hash: str) -> None:
    sql = "UPDATE users SET password_hash = $3 WHERE customer_id = $1 AND id = $2"
    await tx.execute(sql, scope.customer_id, user_id, password_hash)
