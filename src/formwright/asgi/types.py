"""The parts of an ASGI application."""

from collections.abc import Awaitable, Callable
from typing import Any

Scope = Any
Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
