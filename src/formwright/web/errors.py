"""Error pages: what happened, and what to do about it."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from formwright.asgi.request_errors import RequestError
from formwright.asgi.types import ASGIApp, Receive, Scope, Send
from formwright.core.auth.request_context import current_caller
from formwright.core.db.interface import CommitOutcomeUnknown, DatabaseBusy
from formwright.core.errors import Denied, DomainError, NotFound, Unavailable
from formwright.domain.datasources.staged_files.models import UploadNotFound
from formwright.web.http import HTTPException, PermissionDeniedException, Redirect, Request, Response
from formwright.web.page import PublicPage
from formwright.web.session import (
    SignInRequired,
    cookie_name,
    csrf_cookie_name,
    is_same_site,
    redirect_to_sign_in,
)

_MESSAGE_BY_STATUS = {
    400: ("Bad request", "The server couldn’t read this request. Reload the page and try again."),
    # For wrong CSRF tokens, and requests that `AuthGuard` rejects. Missing permissions are `Denied`, with its own text.
    403: (
        "Your session expired",
        "Go back, reload the page and try again.",
    ),
    404: ("Page not found", "The address may be wrong, or the page may have been deleted."),
    405: ("Page not found", "This address doesn’t accept this kind of request."),
    413: (
        "Request too large",
        "Requests can be up to 10 MiB, data source files up to 256 MiB, and forms before you sign in up to 16 KiB.",
    ),
}
_REFUSALS = {
    414: ("Address too long", "Shorten the address, for example by removing filters, and try again."),
    431: (
        "Too many cookies",
        "Your browser sent more cookies than this server accepts. Delete the cookies of this site and try again.",
    ),
}
_INTERNAL_ERROR = (
    "Something went wrong",
    "Try again. If it keeps happening, send the request ID below to your administrator.",
)


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What happened, what to do about it, and the ID to report."""

    title: str
    text: str
    request_id: str


def render_error(request: Request, error: Exception) -> Response:
    """Return the page for an error, or a redirect to the sign-in page if the request needs a session."""
    if isinstance(error, SignInRequired):
        return redirect_to_sign_in(request)
    if isinstance(error, PermissionDeniedException) and _has_lost_cookies(request):
        path: str = request.scope["path"]
        # Signing in would not lead back to the other pages for people without a session.
        is_public = request.scope["state"]["interface"].public_forms and not path.startswith("/sign-")
        return Redirect(path) if is_public else redirect_to_sign_in(request)
    caller = current_caller.get()
    if isinstance(error, DatabaseBusy) and request.method != "GET" and caller and caller.commits:
        # It says that nothing was changed, but a part of the change may have been committed before.
        error = CommitOutcomeUnknown()
    status, (title, text) = _describe(error)
    return _ErrorResponse(ErrorPage(title, text, request.scope["state"]["request_id"]), status_code=status)


class _ErrorResponse(Response):
    """Renders the error page when it is sent, because only then can the session be looked up.

    Handlers of exceptions are not asynchronous.
    """

    def to_asgi_response(self, app: Any, request: Request, **options: Any) -> ASGIApp:  # type: ignore[override]
        async def send_page(scope: Scope, receive: Receive, send: Send) -> None:
            status = self.status_code or 500
            async with PublicPage.open(request) as page:
                # After a server error, the database may be what failed, so the session is not looked up.
                if status < 500:
                    # For signed-in people, error pages keep the navigation.
                    with suppress(SignInRequired, DomainError):
                        page.visitor = await page.find_visitor()
                response = page.render("error.html", self.content, status=status)
            await response.to_asgi_response(app, request, **options)(scope, receive, send)

        return send_page


def render_refusal(request: Request, error: RequestError) -> Response:
    """Return the page for a request whose host, URL or headers are rejected.

    It does not look for a session, because the cookies of such a request are not read.
    """
    title, text = _REFUSALS.get(error.status, ("Not the address of this server", str(error)))
    view_model = ErrorPage(title, text, request.scope["state"]["request_id"])
    return PublicPage(request.scope, request.receive).render("error.html", view_model, status=error.status)


def _has_lost_cookies(request: Request) -> bool:
    """Whether one of our own pages was sent after the browser had dropped our cookies, because the session expired.

    A form of another site also arrives without our cookies, because they are SameSite. That is still rejected.
    """
    settings = request.ctx.settings
    our_cookies = {cookie_name(settings), csrf_cookie_name(settings)} & request.cookies.keys()
    return not our_cookies and is_same_site(request)


def _describe(error: Exception) -> tuple[int, tuple[str, str]]:
    match error:
        case UploadNotFound():
            return 404, ("File not available", str(error))
        case NotFound():
            return 404, _MESSAGE_BY_STATUS[404]
        case Denied():
            return 403, ("You don’t have permission to do this", str(error))
        case CommitOutcomeUnknown():
            return 503, ("Check whether it was saved", error.text)
        case Unavailable():
            return 503, ("Not available right now", str(error))
        case DomainError():
            return 400, ("That didn’t work", str(error))
        case HTTPException(status_code=status) if status in _MESSAGE_BY_STATUS:
            return status, _MESSAGE_BY_STATUS[status]
    return 500, _INTERNAL_ERROR
