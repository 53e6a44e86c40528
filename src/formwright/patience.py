"""How long a request may take, and its body to arrive.

What takes longer than the operator allows is given up: its transaction is rolled back. The time in which a body is
waited for does not count; a body has limits of its own. An answer that has begun is waited for however long it is.
"""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Self

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from formwright.core.kernel.errors import DomainError, Unavailable

FIRST_S = 30.0
"""How long a body may keep silent at its beginning."""
PER_S = 1024
"""Bytes a second that it has to come with from then on."""

_current: ContextVar[asyncio.Timeout | None] = ContextVar("patience", default=None)


class TookTooLong(Unavailable):
    code = "request.timeout"
    detail = (
        "Answering took longer than this server allows, and was given up. Ask for less at once, or try again later: a"
        " change best with the same Idempotency-Key."
    )


class BodyTooSlow(DomainError):
    code = "body.too_slow"
    detail = "The body did not come in time: it may take 30 seconds, and a second more for each KiB."


def unlimited() -> None:
    """What this request does takes its time: an import of many rows, for one."""
    if (patience := _current.get()) is not None:
        patience.reschedule(None)


class Patience:
    """Around the answering of a request, whose body is read with `hear`: no longer than `limit_s` (0: for ever)."""

    def __init__(self, limit_s: float, receive: Receive, first_s: float = FIRST_S) -> None:
        self._limit, self._receive = asyncio.timeout(limit_s or None), receive
        self._first_s, self._until = first_s, 0.0
        self._heard = False

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        self._token = _current.set(self._limit)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        """`TookTooLong` where it did."""
        _current.reset(self._token)
        try:
            await self._limit.__aexit__(*raised)
        except TimeoutError:
            raise TookTooLong() from None

    def begun(self) -> None:
        """The answer begins: from here on it takes as long as it takes."""
        self._limit.reschedule(None)
        self._heard = True

    async def hear(self) -> Any:
        """The next part of the body; `BodyTooSlow` when that does not come in time."""
        if self._heard:
            # From now on nothing comes but that the caller has gone.
            return await self._receive()
        loop = asyncio.get_running_loop()
        begun, ends = loop.time(), self._limit.when()
        self._until = self._until or begun + self._first_s
        self._limit.reschedule(None)
        try:
            async with asyncio.timeout_at(self._until):
                message: Any = await self._receive()
        except TimeoutError:
            raise BodyTooSlow() from None
        finally:
            if ends is not None:
                self._limit.reschedule(ends + loop.time() - begun)
        self._until += len(message.get("body", b"")) / PER_S
        self._heard = not message.get("more_body", False)
        return message


def patient(limit_s: float, first_s: float = FIRST_S) -> Callable[[ASGIApp], ASGIApp]:
    """Middleware that waits for an answer, and for the body before it, no longer than it may take."""

    def around(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            patience = Patience(limit_s, receive, first_s)

            async def say(message: Message) -> None:
                if message["type"] == "http.response.start":
                    patience.begun()
                await send(message)

            async with patience:
                await app(scope, patience.hear, say)

        return serve

    return around
