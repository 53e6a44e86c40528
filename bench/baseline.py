"""The baseline: the same HTTP server and the same database driver with nothing in between.

One SQL statement, and the stored bytes as the response: no key, no validation, no log, no event.
"""

import itertools
import os
import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

DATABASE = os.environ.get("BENCH_DATABASE", "")
_COLUMNS = (
    "SELECT id, customer_id, form_id, version_id, status, data, external_id, user_id, task_id, client_id, location,"
    " started, submitted, created, updated, revision FROM submissions WHERE customer_id = $1"
)
_DATA = 5
_ONE = f"{_COLUMNS} AND id = $2"
_PAGE = f"{_COLUMNS} AND (at, id) > ($2, $3) ORDER BY at, id LIMIT $4"
_LOOKUP = "SELECT key, text FROM bench_rows WHERE text LIKE $1 ORDER BY key LIMIT 20"
_INSERT = (
    "INSERT INTO submissions (customer_id, id, form_id, version_id, status, data, started, submitted, at, created,"
    " updated, revision) VALUES ($1, $2, $3, $4, 'SUBMITTED', $5, $6, $6, $6, $6, $6, 1)"
)
_number = itertools.count(time.time_ns())


class _Connection(asyncpg.Connection):  # type: ignore[misc]
    """Like the application's: not reset between two uses, which would cost a round trip."""

    def get_reset_query(self) -> str:
        return ""


class _Postgres:
    def __init__(self) -> None:
        self._pool: Any = None

    async def open(self) -> None:
        self._pool = await asyncpg.create_pool(DATABASE, min_size=10, max_size=10, connection_class=_Connection)

    async def one(self, customer_id: str, submission_id: str) -> bytes:
        row = await self._pool.fetchrow(_ONE, customer_id, submission_id)
        return row[_DATA].encode()

    async def page(self, customer_id: str, limit: str, number: str, after: str) -> bytes:
        rows = await self._pool.fetch(_PAGE, customer_id, int(number), after, int(limit))
        return _array([row[_DATA] for row in rows])

    async def lookup(self, text: str) -> bytes:
        return _array([row[1] for row in await self._pool.fetch(_LOOKUP, f"%{text}%")])

    async def insert(self, *args: object) -> None:
        await self._pool.execute(_INSERT, *args)


class _Sqlite:
    async def open(self) -> None:
        self._connection = sqlite3.connect(DATABASE, isolation_level=None, timeout=20)
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("PRAGMA cache_size=-16000")
        self._connection.execute("PRAGMA wal_autocheckpoint=4000")

    async def one(self, customer_id: str, submission_id: str) -> bytes:
        row = self._connection.execute(_ONE.replace("$", "?"), (customer_id, submission_id)).fetchone()
        return row[_DATA].encode()

    async def page(self, customer_id: str, limit: str, number: str, after: str) -> bytes:
        args = (customer_id, int(number), after, int(limit))
        return _array([row[_DATA] for row in self._connection.execute(_PAGE.replace("$", "?"), args).fetchall()])

    async def lookup(self, text: str) -> bytes:
        found = self._connection.execute(_LOOKUP.replace("$", "?"), (f"%{text}%",)).fetchall()
        return _array([row[1] for row in found])

    async def insert(self, *args: object) -> None:
        self._connection.execute(_INSERT.replace("$", "?"), args)


def _array(stored: list[str]) -> bytes:
    return b"[" + ",".join(stored).encode() + b"]"


_database = _Postgres() if DATABASE.startswith("postgres") else _Sqlite()
_constant = b'{"id":"' + b"x" * 1000 + b'"}'


async def app(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    """`/one/…`, `/page/…`, `/lookup?q=…`, `/in/…`, and `/constant`, which uses no database."""
    if scope["type"] == "lifespan":
        await _live(receive, send)
        return
    _, what, *words = scope["path"].split("/")
    status = 200
    if what == "one":
        body = await _database.one(*words)
    elif what == "page":
        body = await _database.page(*words)
    elif what == "lookup":
        body = await _database.lookup(scope["query_string"].decode().partition("q=")[2].partition("&")[0])
    elif what == "in":
        status, body = 201, (await receive())["body"]
        account, form, version = words
        submission_id = f"sub_{next(_number):026d}"
        await _database.insert(account, submission_id, form, version, body.decode(), time.time_ns() // 1_000_000)
    else:
        body = _constant
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _live(receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    await receive()
    await _database.open()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await send({"type": "lifespan.shutdown.complete"})
