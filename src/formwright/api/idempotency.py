"""`Idempotency-Key`: a repeated POST gets the response of the first one and has no further effect.

Implements draft-ietf-httpapi-idempotency-key-header: a key with a different request is rejected, and so is a repetition
while the first request is in progress. Only successful responses are stored, because rejected requests change nothing.
"""

import asyncio
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import structlog

from formwright.api.context import RequestContext
from formwright.asgi.http_response import HttpResponse
from formwright.asgi.request_errors import RequestError
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict
from formwright.domain.api_keys import idempotency as stored_replies
from formwright.domain.api_keys.models import StoredResponse

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
# Only for this process, where a repetition need not wait for a database lock. `claim` excludes other processes.
_under_way: set[str] = set()
# The event loop itself has only weak references to tasks.
_releasing: set[asyncio.Task[None]] = set()

log = structlog.get_logger()


class IdempotencyKeyMalformed(RequestError):
    code = "idempotency.key"
    detail = "Idempotency-Key must be 1 to 255 visible ASCII characters. Send a new UUID with each new request."


class IdempotencyKeyReused(Conflict):
    """The key was used with a different request."""

    code = "idempotency.reused"
    detail = "This Idempotency-Key was used with a different request within the last 24 hours. Use a new one."


class StillRunning(Conflict):
    """The first request with this key is still in progress."""

    code = "idempotency.running"
    detail = "The first request with this Idempotency-Key is still running. Retry in a moment."
    headers = {"retry-after": "1"}


class ReplyFound(Exception):
    """The first request with this key has been answered with `reply`."""

    def __init__(self, reply: StoredResponse) -> None:
        super().__init__()
        self.reply = reply


class IdempotentRequest:
    """A request with an Idempotency-Key. `request` is the fingerprint of its query and body."""

    def __init__(self, call: RequestContext, key: str, request: str) -> None:
        if not _KEY.fullmatch(key):
            raise IdempotencyKeyMalformed()
        self._request = request
        method, path = call.request.method, call.request.path
        # With the id of the API key, so that two systems of an account can use the same Idempotency-Key.
        self.id = hashlib.sha256(f"{call.actor.id} {method} {path} {key}".encode()).hexdigest()

    @contextmanager
    def exclusive(self, call: RequestContext) -> Iterator[None]:
        """Keep other requests with this key out of the block; raises `StillRunning` if one is in it."""
        if self.id in _under_way:
            raise StillRunning()
        _under_way.add(self.id)
        try:
            yield
        except asyncio.CancelledError:
            released = asyncio.ensure_future(self._release_after_commit(call))
            _releasing.add(released)
            released.add_done_callback(_releasing.discard)
            raise
        except BaseException:
            _under_way.discard(self.id)
            raise
        _under_way.discard(self.id)

    async def _release_after_commit(self, call: RequestContext) -> None:
        """Release the key of a cancelled request after the account's next commit: until then its group may commit."""
        try:
            async with call.ctx.db.writing(account=call.actor.customer_id):
                pass
        except Exception as error:  # noqa: BLE001 - whatever the error, the request is no longer running
            log.info("a cancelled request has ended", why=type(error).__name__)
        finally:
            _under_way.discard(self.id)

    async def look_up_reply(self, call: RequestContext) -> None:
        """Raise `ReplyFound` if this request was answered, or `IdempotencyKeyReused` if another one with its key."""
        async with call.reading() as tx:
            await self._look_up_reply(call, tx)

    async def claim(self, call: RequestContext, tx: WriteTransaction) -> None:
        """Claim the key until the commit; raises as `look_up_reply`, or `StillRunning` if another process has it."""
        if not await stored_replies.lock_request(tx, request_id=self.id):
            raise StillRunning()
        await self._look_up_reply(call, tx)

    async def _look_up_reply(self, call: RequestContext, tx: ReadTransaction) -> None:
        ctx = call.ctx
        reply = await stored_replies.find(tx, call.actor, ctx.secret_box, request_id=self.id, now=ctx.clock.now())
        if reply is None:
            return
        if reply.request != self._request:
            raise IdempotencyKeyReused()
        raise ReplyFound(reply)

    async def store_reply(self, call: RequestContext, tx: WriteTransaction | None, response: HttpResponse) -> None:
        """Store the response in the transaction of the change, or in one of its own if the operation has committed.

        If the process ends right before the latter, the request can be repeated without harm.
        """
        location = response.headers.get("location", "")
        reply = StoredResponse(self._request, response.status, location, response.content.decode())
        async with nullcontext(tx) if tx else call.ctx.db.writing() as opened:
            await stored_replies.save(opened, call.actor, call.ctx.secret_box, reply, request_id=self.id)


def fingerprint(query: bytes, media_type: str, body: str) -> str:
    """Return the fingerprint of a request: a hash of its query, media type and body."""
    return hashlib.sha256(b"\0".join((query, media_type.encode(), body.encode()))).hexdigest()
