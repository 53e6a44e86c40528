"""The routes of the pages, and what they need of the framework."""

from litestar import Router
from litestar.config.csrf import CSRFConfig
from litestar.handlers import HTTPRouteHandler

from formwright.settings import Settings
from formwright.web.assets import static_files
from formwright.web.fill import files as fill_files
from formwright.web.fill import invited
from formwright.web.fill import routes as fill
from formwright.web.fill.limits import limit_requests
from formwright.web.gate import NO_PAGES
from formwright.web.pages.account import routes as account
from formwright.web.pages.datasources import routes as datasources
from formwright.web.pages.designer import routes as designer
from formwright.web.pages.forms import routes as forms
from formwright.web.pages.invites import routes as invites
from formwright.web.pages.people import routes as people
from formwright.web.pages.settings import routes as settings_pages
from formwright.web.pages.submissions import routes as submissions
from formwright.web.pages.tasks import routes as tasks
from formwright.web.pages.webhooks import routes as webhooks
from formwright.web.reference import routes as reference
from formwright.web.session import csrf_cookie_name


def web_routes() -> list[HTTPRouteHandler | Router]:
    """The pages, the page in which a form is filled, and the static files under the name of their present state."""
    pages = [
        *account.HANDLERS,
        *forms.HANDLERS,
        *designer.HANDLERS,
        *submissions.HANDLERS,
        *datasources.HANDLERS,
        *tasks.HANDLERS,
        *invites.HANDLERS,
        *people.HANDLERS,
        *webhooks.HANDLERS,
        *settings_pages.HANDLERS,
        *reference.HANDLERS,
    ]
    filling = [*fill.HANDLERS, *fill_files.HANDLERS, *invited.HANDLERS]
    return [*pages, Router("", route_handlers=filling, guards=[limit_requests]), static_files()]


def csrf_config(settings: Settings, secret: str) -> CSRFConfig:
    """Every form that is posted carries a token that only our own pages know. The API and links use no cookie."""
    return CSRFConfig(
        secret=secret,
        cookie_name=csrf_cookie_name(settings),
        cookie_httponly=True,
        cookie_samesite="strict",
        cookie_secure=not settings.insecure_http,
        exclude=[f"^{begin}" for begin in NO_PAGES],
    )
