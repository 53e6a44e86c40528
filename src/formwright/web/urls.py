"""URLs of the web pages, and the CSRF settings for them."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from formwright.asgi.interfaces import Interface
from formwright.settings import Settings
from formwright.web import api_docs, fill, views
from formwright.web.assets import static_files_handler
from formwright.web.http import CSRFConfig, Route
from formwright.web.oidc_flow import LOGOUT_PATH
from formwright.web.oidc_flow import PATH as OIDC_PATH
from formwright.web.session import csrf_cookie_name


def _find_routes(package: ModuleType) -> list[Route]:
    """Return the pages that the modules of a package declare, so that a new page needs no list."""
    modules = [import_module(one.name) for one in walk_packages(package.__path__, f"{package.__name__}.")]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Route)]


FILL_ROUTES = _find_routes(fill)
PAGE_GROUPS = (
    Interface("/docs", _find_routes(api_docs), compress=True, cookies=True),
    Interface("/static", (static_files_handler(),)),
    Interface("/sign-in", cookies=True, public_forms=True),
    Interface("/sign-out", cookies=True, public_forms=True),
    Interface("/forgot-password", cookies=True, public_forms=True),
    Interface("/set-password", cookies=True, public_forms=True, redact=True),
    Interface("/first-owner", cookies=True, public_forms=True, redact=True),
)
"""Pages that differ from others. Those without routes are found in `views`."""


def page_routes() -> list[Route]:
    """Return the pages of the application, except those of groups."""
    return _find_routes(views)


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
