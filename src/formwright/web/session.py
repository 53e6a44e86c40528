"""Who visits: the person whose session the cookie names."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qs, quote, urlsplit

from litestar import Request
from litestar.datastructures import Cookie
from litestar.response import Redirect

from formwright.context import AppContext
from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import is_allowed
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


class SignInRequired(Exception):
    """The page is for people who have signed in."""


class Reader(Protocol):
    """Whoever reads an account's data: a visitor, or the command line."""

    @property
    def customer(self) -> Customer: ...

    @property
    def actor(self) -> Actor: ...


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who has signed in, her account, and as whom she acts."""

    user: User
    customer: Customer
    actor: Actor
    session: Session

    def may(self, permission: Permission, form: Form) -> bool:
        """Whether she may do that with this form: pages offer nothing else."""
        return is_allowed(self.actor, permission, form_id=form.id, folder_id=form.folder_id)

    def may_everywhere(self, permission: Permission) -> bool:
        """Whether she has it for the whole account."""
        return permission in self.actor.permissions and permission not in self.actor.parts

    @property
    def template_frame(self) -> dict[str, Any]:
        """What the frame of every page shows."""
        return {"me": self.user, "account": self.customer, "may": self.actor.permissions}


def get_app_context(request: Request[Any, Any, Any]) -> AppContext:
    """The house that serves this request."""
    ctx: AppContext = request.app.state.ctx
    return ctx


def get_export_store(request: Request[Any, Any, Any]) -> ExportStore:
    """The files that wait for the people of this server."""
    ctx = get_app_context(request)
    return ExportStore(ctx.settings.exports_folder, ctx.clock)


def public_origin(request: Request[Any, Any, Any]) -> str:
    """The public address that links begin with: the operator's or, where none is set, the one that was asked."""
    asked = f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}"
    return get_app_context(request).settings.base_url or asked


def account_mailer(request: Request[Any, Any, Any]) -> AccountMailer:
    """Who sends mails to people, and what links in them begin with."""
    return AccountMailer(get_app_context(request).secret_box, public_origin(request))


def cookie_name(settings: Settings) -> str:
    """`__Host-`: browsers take it only over HTTPS, for this host, from no subdomain."""
    return "formwright" if settings.insecure_http else "__Host-formwright"


def csrf_cookie_name(settings: Settings) -> str:
    """The cookie of the token in forms. `__Host-`: no neighbour under the same domain can set it."""
    return "formwright_csrf" if settings.insecure_http else "__Host-formwright_csrf"


def is_same_site(request: Request[Any, Any, Any]) -> bool:
    """Whether one of our own pages sent this, as far as the browser says: older ones only send `Origin`, or nothing."""
    if site := request.headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def require_visitor(request: Request[Any, Any, Any]) -> Visitor:
    """Who visits; `SignInNeeded` when nobody has signed in."""
    ctx = get_app_context(request)
    token = request.cookies.get(cookie_name(ctx.settings), "")
    async with ctx.db.reading() as tx:
        found = await sessions.find(tx, token, ctx.clock.now()) if token else None
        if found is None:
            raise SignInRequired()
        user, actor, session = found
        visitor = Visitor(user, await customers.get(tx, request_context.set_actor(actor)), actor, session)
    if sessions.is_stale(session, ctx.clock.now()):
        # Where the database takes no changes just now, pages are read all the same.
        with suppress(Unavailable):
            async with ctx.db.writing() as tx:
                await sessions.update_seen(tx, session)
    return visitor


def session_cookie(settings: Settings, token: str) -> Cookie:
    """The cookie that carries a session; no script can read it."""
    return make_cookie(settings, cookie_name(settings), token, sessions.LIFETIME_MS // 1000 if token else 0)


def make_cookie(settings: Settings, name: str, value: str, seconds: int) -> Cookie:
    """A cookie of ours, for `seconds`; 0 takes it away."""
    secure = not settings.insecure_http
    return Cookie(name, value=value, path="/", max_age=seconds, httponly=True, secure=secure, samesite="lax")


def redirect_to_sign_in(request: Request[Any, Any, Any]) -> Redirect:
    """Sign in first, then come back here; who wanted to change something is told that it was not done."""
    if request.method == "POST":
        signing_in = request.scope["path"] == "/sign-in"
        come_back = _next_url_of_sign_in(request) if signing_in else _referring_path(request)
        told = "expired" if signing_in else "unsaved"
        return Redirect(f"/sign-in?{told}=1&next={quote(come_back, safe='')}", status_code=303)
    query = request.scope["query_string"].decode("latin-1")
    wanted = request.scope["path"] + (f"?{query}" if query else "")
    come_back = f"?next={quote(wanted, safe='')}" if request.method == "GET" and wanted != "/" else ""
    return Redirect(f"/sign-in{come_back}", status_code=303)


def _referring_path(request: Request[Any, Any, Any]) -> str:
    """The page, as a path, on which something was sent; empty where the browser does not say it."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return ""
    return page.path + (f"?{page.query}" if page.query else "")


def _next_url_of_sign_in(request: Request[Any, Any, Any]) -> str:
    """Where the page to sign in, which sent this, was to lead."""
    query = _referring_path(request).partition("?")[2]
    return parse_qs(query).get("next", [""])[0]


def safe_next_url(url: str) -> str:
    """Where to go after signing in: a path of this host, whatever was asked for."""
    here = url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()
    return url if here else "/forms"
