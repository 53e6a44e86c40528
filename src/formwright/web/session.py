"""The signed-in person who sent a request, found by the session cookie."""

from dataclasses import dataclass
from urllib.parse import parse_qs, quote, urlsplit

from formwright.core.auth.actor import Actor, is_allowed
from formwright.core.auth.permissions import Permission
from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.domain.users.auth import sessions
from formwright.domain.users.auth.emails import AccountMailer
from formwright.domain.users.auth.models import Session
from formwright.domain.users.models import User
from formwright.settings import Settings
from formwright.web.http import Cookie, Redirect, Request

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


def account_mailer(request: Request) -> AccountMailer:
    """Return the mailer for messages to users, with links to this server."""
    return AccountMailer(request.ctx.secret_box, request.origin)


def cookie_name(settings: Settings) -> str:
    """The name of the session cookie.

    With the `__Host-` prefix, browsers accept it only over HTTPS, for exactly this host, and not from a subdomain.
    """
    return "formwright" if settings.insecure_http else "__Host-formwright"


def csrf_cookie_name(settings: Settings) -> str:
    """The name of the cookie with the CSRF token. `__Host-` keeps sites on the same domain from setting it."""
    return "formwright_csrf" if settings.insecure_http else "__Host-formwright_csrf"


def is_same_site(request: Request) -> bool:
    """Whether one of our own pages sent the request, as far as the browser tells.

    Older browsers send only `Origin`, or neither header.
    """
    if site := request.headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def session_cookie(settings: Settings, token: str) -> Cookie:
    """Return the cookie that carries a session. Scripts cannot read it. An empty token deletes it."""
    return make_cookie(settings, cookie_name(settings), token, sessions.LIFETIME_MS // 1000 if token else 0)


def make_cookie(settings: Settings, name: str, value: str, seconds: int) -> Cookie:
    """Return a cookie for `seconds`. 0 deletes it."""
    secure = not settings.insecure_http
    # With `strict`, browsers would leave the cookie out when a link in an email or an identity provider leads here.
    return Cookie(name, value=value, path="/", max_age=seconds, httponly=True, secure=secure, samesite="lax")


def redirect_to_sign_in(request: Request) -> Redirect:
    """Redirect to the sign-in page, and from there back to the page of this request.

    After a POST, the sign-in page says that nothing was saved.
    """
    if request.method == "POST":
        from_sign_in = request.scope["path"] == "/sign-in"
        # Back to the page with the form, because the address of a POST often has no page of its own.
        next_url = _next_url_of_sign_in(request) if from_sign_in else _referring_path(request)
        notice = "expired" if from_sign_in else "unsaved"
        return Redirect(f"/sign-in?{notice}=1&next={quote(next_url, safe='')}")
    url = path_with_query(request)
    # A long address would exceed the limit of a URL when it is encoded as part of another one.
    returns = request.method == "GET" and url != "/" and len(url) <= _MAX_NEXT_CHARS
    next_url = f"?next={quote(url, safe='')}" if returns else ""
    return Redirect(f"/sign-in{next_url}")


def path_with_query(request: Request) -> str:
    """Return the path and query of a request."""
    query = request.scope["query_string"].decode("latin-1")
    return str(request.scope["path"]) + (f"?{query}" if query else "")


def _referring_path(request: Request) -> str:
    """The path and query of the page from which a form was sent; empty if the browser does not send it."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return ""
    return page.path + (f"?{page.query}" if page.query else "")


def _next_url_of_sign_in(request: Request) -> str:
    """The `next` parameter of the sign-in page from which a form was sent."""
    query = _referring_path(request).partition("?")[2]
    return parse_qs(query).get("next", [""])[0]


def safe_next_url(url: str) -> str:
    """Return `url` if it is a path on this host, else the start page. This prevents open redirects."""
    # Browsers read a backslash as a slash and drop tabs and line breaks (URL standard), so `/\t/host` leads to another
    # host.
    is_local = url.startswith("/") and not url.startswith(("//", "/\\")) and url.isprintable()
    return url if is_local else HOME
