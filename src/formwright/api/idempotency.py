"""`Idempotency-Key`: a POST that is sent again gets the answer that it got, and does nothing a second time.

After draft-ietf-httpapi-idempotency-key-header: the same key with another request is refused, and so is one whose first
request is still under way. Only what succeeded is kept: a request that was refused has changed nothing.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from formwright.api.context import RequestContext
from formwright.api.errors import RequestError
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict
from formwright.domain.api_keys import idempotency as stored_replies
from formwright.domain.api_keys.models import StoredResponse

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_under_way: set[str] = set()
_ending: set[asyncio.Task[None]] = set()

log = structlog.get_logger()


class IdempotencyKeyMalformed(RequestError):
    code = "idempotency.key"
    detail = "Idempotency-Key is 1 to 255 visible ASCII characters: a new UUID for each new request serves well."


class IdempotencyKeyReused(Conflict):
    """The key stood with another request before."""

    code = "idempotency.reused"
    detail = "This Idempotency-Key came with another request within the last day. Take a new one for each new request."


class StillRunning(Conflict):
    """The first request with this key has not ended."""

    code = "idempotency.running"
    detail = "The first request with this Idempotency-Key is still under way. Send it again in a moment."
    headers = {"retry-after": "1"}


class Answered(Exception):
    """The request was answered before: this is what it was told."""

    def __init__(self, reply: StoredResponse) -> None:
        super().__init__()
        self.reply = reply


class Repeatable:
    """A request with an Idempotency-Key. `request` is the fingerprint of what it asks for."""

    def __init__(self, call: RequestContext, key: str, request: str) -> None:
        if not _KEY.fullmatch(key):
            raise IdempotencyKeyMalformed()
        self._call, self._request = call, request
        method, path = call.request.method, call.request.path
        self.id = hashlib.sha256(f"{call.actor.id} {method} {path} {key}".encode()).hexdigest()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While this request is served no other with its key is; `StillRunning` when one is already."""
        if self.id in _under_way:
            raise StillRunning()
        _under_way.add(self.id)
        try:
            yield
        except asyncio.CancelledError:
            ended = asyncio.ensure_future(self._ended())
            _ending.add(ended)
            ended.add_done_callback(_ending.discard)
            raise
        except BaseException:
            _under_way.discard(self.id)
            raise
        _under_way.discard(self.id)

    async def _ended(self) -> None:
        """What nobody waits for any more may still be committed with others: by the next commit of the account that is
        decided."""
        try:
            async with self._call.ctx.db.writing(account=self._call.actor.customer_id):
                pass
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing is under way any more
            log.info("a request that was given up has ended", why=type(error).__name__)
        finally:
            _under_way.discard(self.id)

    async def look(self, tx: ReadTransaction) -> None:
        """`Answered` when this request was, `IdempotencyKeyReused` when another was under its key."""
        ctx = self._call.ctx
        found = await stored_replies.find(tx, self._call.actor, ctx.secret_box, request_id=self.id, now=ctx.clock.now())
        if found is None:
            return
        if found.request != self._request:
            raise IdempotencyKeyReused()
        raise Answered(found)

    async def begin(self, tx: WriteTransaction) -> None:
        """Before anything is changed: no other process serves it, or has served it."""
        if not await stored_replies.lock_request(tx, request_id=self.id):
            raise StillRunning()
        await self.look(tx)

    async def keep(self, tx: WriteTransaction, status: int, location: str, content: bytes) -> None:
        """Keep the answer, in the transaction of the change."""
        reply = StoredResponse(self._request, status, location, content.decode())
        await stored_replies.save(tx, self._call.actor, self._call.ctx.secret_box, reply, request_id=self.id)


def fingerprint(query: bytes, media_type: str, body: str) -> str:
    """What a request asks for: its query, and the hash of its body."""
    return hashlib.sha256(b"\0".join((query, media_type.encode(), body.encode()))).hexdigest()
