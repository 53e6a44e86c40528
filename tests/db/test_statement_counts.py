"""How many statements an operation sends to PostgreSQL, because each is a round trip, and on Citus two of them.

The limits are what the operations need today. Raise one only if an operation has to do more.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import asyncpg
import pytest
from actors import Account
from factories.datasources import datasource, rows
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.users import group, user

pytestmark = pytest.mark.parametrize("settings", ["postgres"], indirect=True, scope="session")

METHODS = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "fetchmany", "copy_records_to_table")
DISABLE_JIT = "SET jit = off"
INDEXED = [
    {"type": "text", "name": "site", "label": "Site", "indexed": True},
    {"type": "integer", "name": "people", "label": "People", "indexed": True},
]


_sent: ContextVar[list[str] | None] = ContextVar("_sent", default=None)


@contextmanager
def _recorded() -> Iterator[list[str]]:
    """Record the statements of this task and of those it starts, on all connections, with BEGIN and COMMIT.

    Other tasks of the application, such as the one that stores every five seconds which keys were used, do not count.
    """
    sent: list[str] = []
    token = _sent.set(sent)
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name in METHODS:
                patch.setattr(asyncpg.Connection, name, _recording(getattr(asyncpg.Connection, name)))
            yield sent
    finally:
        _sent.reset(token)


def _recording(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def record(connection: Any, text: str, *args: Any, **options: Any) -> Any:
        sent = _sent.get()
        # A new connection of the pool turns JIT off; whether one is opened depends on the time.
        if sent is not None and text != DISABLE_JIT:
            sent.append(text)
        return await method(connection, text, *args, **options)

    return record


async def test_operations_need_few_statements(account: Account) -> None:
    """Every account here has a subscriber to all events."""
    new_form = await form(account, fields=INDEXED)
    await subscriber(account)
    await submission(account, new_form)
    members = [(await user(account)).id for _ in range(100)]
    source = await datasource(account)
    of_account = f"/customers/{account.id}"
    forms = [{"formId": new_form["id"], "email": f"ann{number}@example.org"} for number in range(200)]
    operations: dict[str, tuple[int, Callable[[], Awaitable[object]]]] = {
        "a submission with two indexed fields": (14, lambda: submission(account, new_form)),
        "200 invites": (19, lambda: post(account, f"{of_account}/invites", forms)),
        "an invite with an external id": (
            20,
            lambda: post(account, f"{of_account}/invites", forms[0] | {"externalId": "a"}),
        ),
        "200 invites of users": (
            20,
            lambda: post(
                account, f"{of_account}/invites", [{"formId": new_form["id"], "userId": one} for one in members * 2]
            ),
        ),
        "a task of 100 users": (
            16,
            lambda: post(account, f"{of_account}/{new_form['id']}/tasks", {"recipients": {"users": members}}),
        ),
        "100 tasks": (
            16,
            lambda: post(
                account, f"{of_account}/{new_form['id']}/tasks", [{"recipients": {"users": [one]}} for one in members]
            ),
        ),
        "a group of 100 users": (23, lambda: group(account, *members)),
        "500 rows": (
            30,
            lambda: account.api.put(f"{PREFIX}{of_account}/datasources/{source['id']}/rows", json={"rows": rows(500)}),
        ),
        "a list of submissions": (2, lambda: get(account, f"{of_account}/submissions?limit=100")),
    }
    counts = {}
    for name, (_, operate) in operations.items():
        with _recorded() as sent:
            await operate()
        counts[name] = len(sent)
    assert min(counts.values()) > 1, "the statements were counted"
    assert not {name: count for name, count in counts.items() if count > operations[name][0]}
