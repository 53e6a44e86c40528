"""Checks requests that post a form to a page before their body is read.

Only signed-in people may send large bodies. Without a session, only small forms to the public pages are read.
"""

from typing import Any

from formwright.asgi.types import Receive, Scope
from formwright.context import AppContext
from formwright.domain.users.auth import sessions
from formwright.web.http import (
    HTTPException,
    PageApp,
    PermissionDeniedException,
    Request,
    parse_cookies,
    remove_nul_from_scope,
)
from formwright.web.session import SignInRequired, cookie_name, is_same_site

_MAX_PUBLIC_BODY = 16 * 1024
_FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"


class AuthGuard:
    """Wraps `receive` so that the first read of a request's body checks the request first."""

    def __init__(self, app: PageApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive) -> Receive:
        remove_nul_from_scope(scope)
        if not scope["state"]["interface"].cookies or scope.get("method") in ("GET", "HEAD", "OPTIONS"):
            return receive
        checked = False

        async def read() -> Any:
            nonlocal checked
            if not checked:
                await self._check(scope)
                checked = True
            return await receive()

        return read

    async def _check(self, scope: Any) -> None:
        """Raise `SignInRequired`, `PermissionDeniedException` or `HTTPException` unless the body may be read."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # Browsers send this header with every form. Forms of other sites are rejected before they are read.
        if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise PermissionDeniedException
        if scope["state"]["interface"].public_forms:
            allowed = _is_small_form(headers)
        else:
            allowed = await _has_session(self._app.state.ctx, headers.get(b"cookie", ""))
        if not allowed:
            # A cross-site form arrives without our SameSite cookies. Signing in must not lead the person to repeat it.
            raise SignInRequired() if is_same_site(Request(scope)) else PermissionDeniedException()


def auth_guard(app: PageApp) -> AuthGuard:
    """Return the guard for this application."""
    return AuthGuard(app)


def _is_small_form(headers: dict[bytes, str]) -> bool:
    """Whether the request is a URL-encoded form with a declared length; raises `HTTPException` if that is too large."""
    length = headers.get(b"content-length", "")
    if length.isdecimal() and (len(length) > 9 or int(length) > _MAX_PUBLIC_BODY):
        raise HTTPException(status_code=413)
    # Without a declared length, the size of a body is only known after it was read.
    return (
        length.isdecimal()
        and headers.get(b"content-type", _FORM_MEDIA_TYPE).partition(";")[0].strip().lower() == _FORM_MEDIA_TYPE
    )


async def _has_session(ctx: AppContext, cookie_header: str) -> bool:
    token = parse_cookies(cookie_header).get(cookie_name(ctx.settings), "")
    async with ctx.db.reading() as tx:
        return bool(token) and await sessions.find(tx, token, ctx.clock.now()) is not None
