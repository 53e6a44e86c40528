"""What stands before the body of a form that is posted to a page: nothing is read from who has not signed in, but the
small forms by which people do."""

from typing import Any

from litestar import Litestar
from litestar.exceptions import PermissionDeniedException
from litestar.types import Receive, Scope

from formwright.context import AppContext
from formwright.domain.users.auth import sessions
from formwright.web.request import PageRequest, remove_nul_from_scope
from formwright.web.session import SignInRequired, cookie_name, is_same_site

NON_PAGE_PREFIXES = ("/api/", "/fill/", "/files/", "/static/")
"""What begins so is no page: it knows callers by other means than a cookie."""
PUBLIC_PREFIXES = ("/sign-in", "/sign-out", "/forgot-password", "/set-password/", "/first-owner/")
"""What begins so takes small forms of people who have not signed in."""
_MAX_PUBLIC_BODY = 16 * 1024
_FORM_MEDIA_TYPE = "application/x-www-form-urlencoded"


class AuthGuard:
    """Hands out what a request's body is read with."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive) -> Receive:
        if not scope["path"].startswith("/api/"):
            remove_nul_from_scope(scope)
        if scope["path"].startswith(NON_PAGE_PREFIXES) or scope.get("method") in ("GET", "HEAD", "OPTIONS"):
            return receive
        passed = False

        async def read() -> Any:
            nonlocal passed
            if not passed:
                await self._check(scope)
                passed = True
            return await receive()

        return read

    async def _check(self, scope: Any) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # Browsers say from where a form was sent; another site's is refused before it is read.
        if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise PermissionDeniedException
        if scope["path"].startswith(PUBLIC_PREFIXES):
            allowed = _is_small_form(headers)
        else:
            allowed = await _has_session(self._app.state.ctx, headers.get(b"cookie", ""))
        if not allowed:
            # A form of another site comes without our cookies, and is not to be sent again after signing in.
            raise SignInRequired() if is_same_site(PageRequest(scope)) else PermissionDeniedException()


def auth_guard(app: Litestar) -> AuthGuard:
    """The gate of this application."""
    return AuthGuard(app)


def _is_small_form(headers: dict[bytes, str]) -> bool:
    """Whether it is a form without files, and says how long it is."""
    length = headers.get(b"content-length", "")
    fits = length.isdecimal() and len(length) < 10 and int(length) <= _MAX_PUBLIC_BODY
    return fits and headers.get(b"content-type", _FORM_MEDIA_TYPE).partition(";")[0].strip().lower() == _FORM_MEDIA_TYPE


async def _has_session(ctx: AppContext, cookie_header: str) -> bool:
    prefix = cookie_name(ctx.settings) + "="
    token = next(
        (part.strip()[len(prefix) :] for part in cookie_header.split(";") if part.strip().startswith(prefix)), ""
    )
    async with ctx.db.reading() as tx:
        return bool(token) and await sessions.find(tx, token, ctx.clock.now()) is not None
