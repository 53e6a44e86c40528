"""The signed-in person who sent a request, found by the session cookie."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from litestar import Request
from litestar.datastructures import Cookie
from litestar.response import Redirect

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, is_allowed
from formwright.core.auth.allowed_hosts import public_address
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Unavailable
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.domain.users.auth import sessions
from formwright.domain.users.auth.emails import AccountMailer
from formwright.domain.users.auth.models import Session
from formwright.domain.users.models import User
from formwright.settings import Settings
from formwright.web.background_jobs import ExportStore

HOME = "/overview"
"""The page on which people start."""


_MAX_NEXT_CHARS = 4000
"""Maximum length of the address to which a person returns after signing in."""


class SignInRequired(Exception):
    """The page requires a session."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person with their account, their permissions and their session."""

    user: User
    customer: Customer
    actor: Actor
    session: Session

    def may(self, permission: Permission, form: Form) -> bool:
        """Whether the visitor has this permission for a form. Pages offer only actions for which this is true."""
        return is_allowed(self.actor, permission, form_id=form.id, folder_id=form.folder_id)

    def may_everywhere(self, permission: Permission) -> bool:
        """Whether the visitor has this permission for the whole account."""
        return permission in self.actor.permissions and permission not in self.actor.parts


def get_app_context(request: Request[Any, Any, Any]) -> AppContext:
    """Return the application context of the server that handles this request."""
    ctx: AppContext = request.app.state.ctx
    return ctx


def get_export_store(request: Request[Any, Any, Any]) -> ExportStore:
    """Return the exports of this server."""
    ctx = get_app_context(request)
    return ExportStore(ctx.settings.exports_folder, ctx.clock)


def public_origin(request: Request[Any, Any, Any]) -> str:
    """Return the origin of links to this server."""
    base_url = get_app_context(request).settings.base_url
    return public_address(base_url, request.scope["scheme"], request.headers.get("host"))


def account_mailer(request: Request[Any, Any, Any]) -> AccountMailer:
    """Return the mailer for messages to users, with links to this server."""
    return AccountMailer(get_app_context(request).secret_box, public_origin(request))


def cookie_name(settings: Settings) -> str:
    """The name of the session cookie.

    With the `__Host-` prefix, browsers accept it only over HTTPS, for exactly this host, and not from a subdomain.
    """
    return "formwright" if settings.insecure_http else "__Host-formwright"


def csrf_cookie_name(settings: Settings) -> str:
    """The name of the cookie with the CSRF token. `__Host-` keeps sites on the same domain from setting it."""
    return "formwright_csrf" if settings.insecure_http else "__Host-formwright_csrf"


def is_same_site(request: Request[Any, Any, Any]) -> bool:
    """Whether one of our own pages sent the request, as far as the browser tells.

    Older browsers send only `Origin`, or neither header.
    """
    if site := request.headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def require_visitor(request: Request[Any, Any, Any]) -> Visitor:
    """Return the signed-in person who sent the request. Raises `SignInRequired` if there is no valid session."""
    ctx = get_app_context(request)
    token = request.cookies.get(cookie_name(ctx.settings), "")
    async with ctx.db.reading() as tx:
        match = await sessions.find(tx, token, ctx.clock.now()) if token else None
        if match is None:
            raise SignInRequired()
        user, actor, session = match
        visitor = Visitor(user, await customers.get(tx, request_context.set_actor(actor)), actor, session)
    if sessions.is_stale(session, ctx.clock.now()):
        # If the database is read-only at the moment, pages can still be read.
        with suppress(Unavailable):
            async with ctx.db.writing() as tx:
                await sessions.update_seen(tx, session)
    return visitor


def session_cookie(settings: Settings, token: str) -> Cookie:
    """Return the cookie that carries a session. Scripts cannot read it. An empty token deletes it."""
    return make_cookie(settings, cookie_name(settings), token, sessions.LIFETIME_MS // 1000 if token else 0)


def make_cookie(settings: Settings, name: str, value: str, seconds: int) -> Cookie:
    """Return a cookie for `seconds`. 0 deletes it."""
    secure = not settings.insecure_http
    return Cookie(name, value=value, path="/", max_age=seconds, httponly=True, secure=secure, samesite="lax")


def redirect_to_sign_in(request: Request[Any, Any, Any]) -> Redirect:
    """Redirect to the sign-in page, and from there back to the page of this request.

    After a POST, the sign-in page says that nothing was saved.
    """
    if request.method == "POST":
        from_sign_in = request.scope["path"] == "/sign-in"
        next_url = _next_url_of_sign_in(request) if from_sign_in else _referring_path(request)
        notice = "expired" if from_sign_in else "unsaved"
        return Redirect(f"/sign-in?{notice}=1&next={quote(next_url, safe='')}", status_code=303)
    url = path_with_query(request)
    # A long address would exceed the limit of a URL when it is encoded as part of another one.
    returns = request.method == "GET" and url != "/" and len(url) <= _MAX_NEXT_CHARS
    next_url = f"?next={quote(url, safe='')}" if returns else ""
    return Redirect(f"/sign-in{next_url}", status_code=303)


def path_with_query(request: Request[Any, Any, Any]) -> str:
    """Return the path and query of a request."""
    query = request.scope["query_string"].decode("latin-1")
    return str(request.scope["path"]) + (f"?{query}" if query else "")


def _referring_path(request: Request[Any, Any, Any]) -> str:
    """The path and query of the page from which a form was sent; empty if the browser does not send it."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return ""
    return page.path + (f"?{page.query}" if page.query else "")


def _next_url_of_sign_in(request: Request[Any, Any, Any]) -> str:
    """The `next` parameter of the sign-in page from which a form was sent."""
    query = _referring_path(request).partition("?")[2]
    return parse_qs(query).get("next", [""])[0]


def safe_next_url(url: str) -> str:
    """Return `url` if it is a path on this host, else the start page. This prevents open redirects."""
    is_local = url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()
    return url if is_local else HOME
