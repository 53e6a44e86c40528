"""URLs of the web pages, and the CSRF settings for them."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import walk_packages

from formwright.asgi.interfaces import Interface
from formwright.settings import Settings
from formwright.web import views
from formwright.web.api_docs import views as api_docs_views
from formwright.web.assets import static_files_handler
from formwright.web.fill import branding as fill_branding
from formwright.web.fill import files as fill_files
from formwright.web.fill import invite_pages, position_map, return_pages
from formwright.web.fill import views as fill_views
from formwright.web.http import CSRFConfig, Route
from formwright.web.oidc_flow import LOGOUT_PATH
from formwright.web.oidc_flow import PATH as OIDC_PATH
from formwright.web.session import csrf_cookie_name

FILL_ROUTES: list[Route] = [
    *fill_branding.HANDLERS,
    *position_map.HANDLERS,
    *fill_views.HANDLERS,
    *fill_files.HANDLERS,
    *invite_pages.HANDLERS,
    *return_pages.HANDLERS,
]
PAGE_GROUPS = (
    Interface("/docs", api_docs_views.HANDLERS, compress=True, cookies=True),
    Interface("/static", (static_files_handler(),)),
    Interface("/sign-in", cookies=True, public_forms=True),
    Interface("/sign-out", cookies=True, public_forms=True),
    Interface("/forgot-password", cookies=True, public_forms=True),
    Interface("/set-password", cookies=True, public_forms=True, redact=True),
    Interface("/first-owner", cookies=True, public_forms=True, redact=True),
)
"""Pages that differ from others. Those without routes are found in `views`."""


def page_routes() -> Iterator[Route]:
    """Yield the `HANDLERS` of each module in `views`, so that a new page needs no list."""
    for module in walk_packages(views.__path__, f"{views.__name__}."):
        yield from getattr(import_module(module.name), "HANDLERS", ())


def csrf_config(settings: Settings, secret: str, interfaces: Iterable[Interface]) -> CSRFConfig:
    """Return the CSRF settings: every form posted to a page carries a token that only our own pages know.

    Interfaces that do not authenticate by cookie, such as the API and the fill links, are excluded.
    """
    without_cookies = [f"^{interface.prefix}/" for interface in interfaces if not interface.cookies]
    return CSRFConfig(
        secret=secret,
        cookie_name=csrf_cookie_name(settings),
        cookie_httponly=True,
        # Stricter than the session cookie, because this one is only needed when one of our own pages sends a form.
        cookie_samesite="strict",
        cookie_secure=not settings.insecure_http,
        # Identity providers call the last one. It does not use the cookie.
        exclude=[*without_cookies, f"^{OIDC_PATH}/[^/]+{LOGOUT_PATH}$"],
    )
