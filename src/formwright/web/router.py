"""The routes of the pages, and what they need of the framework."""

from typing import Any

from litestar import Request, Router
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import CacheControlHeader
from litestar.response import Redirect
from litestar.static_files import create_static_files_router

from formwright.settings import Settings
from formwright.web.fill import files as fill_files
from formwright.web.fill import routes as fill
from formwright.web.pages import api_keys, designer, forms, sign_in, submissions
from formwright.web.render import STATIC, static_version
from formwright.web.session import SignInNeeded, to_sign_in

_YEAR_S = 31_536_000


def web_routes() -> list[Router]:
    """The pages, the page in which a form is filled, and the static files under the name of their present state."""
    pages = [*sign_in.HANDLERS, *forms.HANDLERS, *designer.HANDLERS, *submissions.HANDLERS, *api_keys.HANDLERS]
    filling = [*fill.HANDLERS, *fill_files.HANDLERS]
    files = create_static_files_router(
        path=f"/static/{static_version()}",
        directories=[STATIC],
        cache_control=CacheControlHeader(public=True, max_age=_YEAR_S, immutable=True),
    )
    return [Router("/", route_handlers=[*pages, *filling], exception_handlers={SignInNeeded: _sign_in_first}), files]


def _sign_in_first(request: Request[Any, Any, Any], error: SignInNeeded) -> Redirect:
    del error
    return to_sign_in(request)


def csrf_config(settings: Settings, secret: str) -> CSRFConfig:
    """Every form that is posted carries a token that only our own pages know. The API and links use no cookie."""
    return CSRFConfig(
        secret=secret,
        cookie_name="formwright_csrf",
        cookie_httponly=True,
        cookie_samesite="strict",
        cookie_secure=not settings.insecure_http,
        exclude=["^/api/", "^/fill/", "^/files/", "^/static/"],
    )


def compression_config() -> CompressionConfig:
    """The API's answers and static files are compressed; pages are not: they hold secrets beside echoed text."""
    return CompressionConfig(
        backend="gzip",
        gzip_compress_level=5,
        exclude=["^/$", "^/(files|sign-in|sign-out|forms|submissions|settings|fill)"],
    )
