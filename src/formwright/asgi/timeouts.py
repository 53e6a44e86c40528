"""Timeouts for requests and their bodies.

A request that takes longer than the configured limit is cancelled and its transaction rolled back. Waiting for the body
does not count, because bodies have limits of their own. A response that has started is never cut off.
"""

import asyncio
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self

from formwright.asgi.types import ASGIApp, Message, Receive, Scope, Send
from formwright.core.errors import DomainError, Unavailable

BODY_START_S = 30.0
"""Seconds until the body must have started to arrive."""
MIN_BYTES_PER_S = 1024
"""Minimum transfer rate of the body, in bytes per second."""

_NEVER = float("inf")

_current: "ContextVar[_Deadline | None]" = ContextVar("deadline", default=None)


class RequestTimedOut(Unavailable):
    code = "request.timeout"
    detail = (
        "The request took longer than this server allows and was cancelled. Request less at once, or try again later;"
        " repeat a change with the same Idempotency-Key."
    )


class BodyTooSlow(DomainError):
    code = "body.too_slow"
    detail = "The body was sent too slowly. It may take 30 seconds, and one more second for each KiB."


def disable_timeout() -> None:
    """Disable the timeout for the current request, for example for a large import."""
    if (timeout := _current.get()) is not None:
        timeout.move_to(_NEVER)


class _Deadline:
    """A deadline for the current task, which is cancelled when it expires.

    Like `asyncio.timeout`, but with a fifth of its CPU time, because the deadlines of an event loop share one timer.
    """

    __slots__ = ("_cancelling", "_task", "_timer", "expired", "when")

    def __init__(self, seconds: float) -> None:
        self._timer = _deadline_timer()
        loop = self._timer.loop
        task = asyncio.current_task(loop)
        assert task is not None  # noqa: S101
        self._task, self._cancelling, self.expired = task, task.cancelling(), False
        self.move_to(loop.time() + seconds if seconds else _NEVER)

    def move_to(self, when: float) -> None:
        """Move the deadline, in seconds of the event loop's clock."""
        self.when = when
        self._timer.track(self)

    def expire(self) -> None:
        """Cancel the task."""
        self.expired = True
        self._task.cancel()

    def end(self, kind: type[BaseException] | None) -> bool:
        """End the deadline; returns whether only this deadline cancelled the task. `kind` is the raised exception."""
        self._timer.limits.discard(self)
        if not self.expired:
            return False
        # As in `asyncio.timeout`: if the task was cancelled for another reason, too, that must not become a timeout.
        return self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError


class _DeadlineTimer:
    """The deadlines of an event loop and their shared timer, set to the earliest of them or before it."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.loop, self.limits = loop, set[_Deadline]()
        self._next_check = _NEVER
        self._timer: TimerHandle | None = None

    def track(self, limit: _Deadline) -> None:
        """Track a new or changed deadline."""
        if limit.when == _NEVER:
            self.limits.discard(limit)
            return
        self.limits.add(limit)
        # The timer is never moved to a later time: nearly all deadlines end before they expire, and `_expire_due` looks
        # for the next one.
        if limit.when < self._next_check:
            if self._timer:
                self._timer.cancel()
            self._next_check, self._timer = limit.when, self.loop.call_at(limit.when, self._expire_due)

    def _expire_due(self) -> None:
        now, self._next_check, self._timer = self.loop.time(), _NEVER, None
        due = [limit for limit in self.limits if limit.when <= now]
        self.limits.difference_update(due)
        for limit in due:
            limit.expire()
        if self.limits:
            self.track(min(self.limits, key=lambda limit: limit.when))


_timer: _DeadlineTimer | None = None


def _deadline_timer() -> _DeadlineTimer:
    global _timer
    loop = asyncio.get_running_loop()
    if _timer is None or _timer.loop is not loop:
        _timer = _DeadlineTimer(loop)
    return _timer


class RequestTimeout:
    """Limits a request to `limit_s` seconds (0: no limit). Its body has to be read with `receive`."""

    def __init__(self, limit_s: float, receive: Receive, first_s: float = BODY_START_S) -> None:
        self._limit_s, self._receive = limit_s, receive
        self._first_s, self._until = first_s, 0.0
        self._waiting_for_body = self._finished = False

    def __enter__(self) -> Self:
        self._limit = _Deadline(self._limit_s)
        self._token = _current.set(self._limit)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raise `RequestTimedOut` or `BodyTooSlow` if the time ran out."""
        _current.reset(self._token)
        if self._limit.end(kind):
            raise BodyTooSlow() if self._waiting_for_body else RequestTimedOut() from None

    def disable(self) -> None:
        """Lift the limit, because the response has started."""
        self._limit.move_to(_NEVER)
        self._finished = True

    async def receive(self) -> Any:
        """Return the next body message. The request is cancelled if it does not arrive in time."""
        if self._finished:
            # After the body, the only message is the disconnect.
            return await self._receive()
        loop, limit = asyncio.get_running_loop(), self._limit
        begun, ends = loop.time(), limit.when
        self._until = self._until or begun + self._first_s
        limit.move_to(self._until)
        self._waiting_for_body = True
        try:
            message: Any = await self._receive()
        finally:
            # Stays true after the deadline has expired, so that `__exit__` raises `BodyTooSlow`.
            self._waiting_for_body = limit.expired
            if not limit.expired:
                limit.move_to(ends + loop.time() - begun)
        self._until += len(message.get("body", b"")) / MIN_BYTES_PER_S
        self._finished = not message.get("more_body", False)
        return message


def timeout_middleware(limit_s: float, first_s: float = BODY_START_S) -> Callable[[ASGIApp], ASGIApp]:
    """Return middleware that limits how long a request and its body may take."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            timeout = RequestTimeout(limit_s, receive, first_s)

            async def send_message(message: Message) -> None:
                if message["type"] == "http.response.start":
                    timeout.disable()
                await send(message)

            with timeout:
                await app(scope, timeout.receive, send_message)

        return serve

    return wrap
