"""The Python client before the application in this process: it waits for answers, so each test of it has a thread."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import httpx
import pytest

ONE_DATABASE = pytest.mark.parametrize("settings", ["sqlite"], indirect=True, scope="session")
"""For what a client does, whatever is behind the server."""


def waiting(test: Callable[..., None]) -> Callable[..., Awaitable[None]]:
    """Run a test in a thread, while the server lives in this one."""

    @wraps(test)
    async def run(**given: Any) -> None:
        await asyncio.to_thread(test, **given)

    return run


class Bridge(httpx.BaseTransport):
    """From a thread to the application, which lives in the event loop. Keeps what was asked."""

    def __init__(self, app: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._loop = loop
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        return asyncio.run_coroutine_threadsafe(self._answered(request, request.read()), self._loop).result()

    async def _answered(self, request: httpx.Request, content: bytes) -> httpx.Response:
        told = httpx.Request(request.method, request.url, headers=request.headers, content=content)
        answer = await self._transport.handle_async_request(told)
        raw = b"".join([part async for part in answer.aiter_raw()])
        return httpx.Response(answer.status_code, headers=answer.headers, content=raw)
