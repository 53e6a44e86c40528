"""URLs of the web pages, and the CSRF settings for them."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from litestar import Router
from litestar.config.csrf import CSRFConfig
from litestar.handlers import HTTPRouteHandler

from formwright.settings import Settings
from formwright.web import views
from formwright.web.api_docs import views as api_docs_views
from formwright.web.assets import static_files_handler
from formwright.web.auth_guard import NON_PAGE_PREFIXES
from formwright.web.fill import branding as fill_branding
from formwright.web.fill import files as fill_files
from formwright.web.fill import invite_pages, position_map, return_pages
from formwright.web.fill import views as fill_views
from formwright.web.fill.limits import limit_requests
from formwright.web.oidc_flow import LOGOUT_PATH
from formwright.web.oidc_flow import PATH as OIDC_PATH
from formwright.web.session import csrf_cookie_name

_FILL_HANDLERS: list[HTTPRouteHandler] = [
    *fill_views.HANDLERS,
    *fill_files.HANDLERS,
    *invite_pages.HANDLERS,
    *return_pages.HANDLERS,
]


def _view_handlers() -> Iterator[HTTPRouteHandler]:
    """Yield the `HANDLERS` of each module in `views`, so that a new page needs no list."""
    for module in walk_packages(views.__path__, f"{views.__name__}."):
        yield from getattr(import_module(module.name), "HANDLERS", ())


def web_routes() -> list[HTTPRouteHandler | Router]:
    """Return the handlers of all pages, the rate-limited fill pages, and the static files."""
    pages = [*_view_handlers(), *api_docs_views.HANDLERS, *fill_branding.HANDLERS, *position_map.HANDLERS]
    return [*pages, Router("", route_handlers=_FILL_HANDLERS, guards=[limit_requests]), static_files_handler()]


def csrf_config(settings: Settings, secret: str) -> CSRFConfig:
    """Return the CSRF settings: every form posted to a page carries a token that only our own pages know.

    The API and the fill links are excluded because they do not authenticate by cookie.
    """
    return CSRFConfig(
        secret=secret,
        cookie_name=csrf_cookie_name(settings),
        cookie_httponly=True,
        cookie_samesite="strict",
        cookie_secure=not settings.insecure_http,
        # Identity providers call the last one. It does not use the cookie.
        exclude=[*(f"^{begin}" for begin in NON_PAGE_PREFIXES), f"^{OIDC_PATH}/[^/]+{LOGOUT_PATH}$"],
    )
