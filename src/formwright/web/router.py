"""The routes of the pages, and what they need of the framework."""

from typing import Any

from litestar import Request, Router
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.response import Redirect

from formwright.settings import Settings
from formwright.web.assets import static_files
from formwright.web.fill import files as fill_files
from formwright.web.fill import invited
from formwright.web.fill import routes as fill
from formwright.web.pages import (
    api_keys,
    audit,
    datasource,
    datasource_pull,
    datasource_upload,
    datasources,
    designer,
    forms,
    invites,
    mail,
    people,
    sign_in,
    submission,
    submission_download,
    submissions,
    webhook,
    webhook_delivery,
    webhooks,
)
from formwright.web.session import SignInNeeded, to_sign_in


def web_routes() -> list[Router]:
    """The pages, the page in which a form is filled, and the static files under the name of their present state."""
    pages = [
        *sign_in.HANDLERS,
        *forms.HANDLERS,
        *designer.HANDLERS,
        *submissions.HANDLERS,
        *submission.HANDLERS,
        *submission_download.HANDLERS,
        *api_keys.HANDLERS,
    ]
    pages += [*datasources.HANDLERS, *datasource.HANDLERS, *datasource_pull.HANDLERS, *datasource_upload.HANDLERS]
    pages += invites.HANDLERS
    pages += [*audit.HANDLERS, *mail.HANDLERS, *people.HANDLERS]
    pages += [*webhooks.HANDLERS, *webhook.HANDLERS, *webhook_delivery.HANDLERS]
    filling = [*fill.HANDLERS, *fill_files.HANDLERS, *invited.HANDLERS]
    own = Router("/", route_handlers=[*pages, *filling], exception_handlers={SignInNeeded: _sign_in_first})
    return [own, Router("/", route_handlers=[static_files()])]


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
    """The API's answers are compressed; pages are not: they hold secrets beside echoed text. Static files come so."""
    return CompressionConfig(
        backend="gzip",
        gzip_compress_level=5,
        exclude=["^/$", "^/(files|sign-in|sign-out|forms|submissions|invites|datasources|people|settings|fill|static)"],
    )
