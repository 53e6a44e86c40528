"""The routes of the pages, and what they need of the framework."""

from litestar.config.csrf import CSRFConfig
from litestar.handlers import HTTPRouteHandler

from formwright.settings import Settings
from formwright.web.assets import static_files
from formwright.web.fill import files as fill_files
from formwright.web.fill import invited
from formwright.web.fill import routes as fill
from formwright.web.gate import NO_PAGES
from formwright.web.pages import (
    account,
    api_keys,
    audit,
    datasource,
    datasource_forms,
    datasource_pull,
    datasource_upload,
    datasources,
    designer,
    forms,
    invites,
    mail,
    my_tasks,
    organisation,
    people,
    personal_data,
    second_factor,
    set_password,
    sign_in,
    sign_in_second,
    submission,
    submission_download,
    submission_edit,
    submission_export,
    submissions,
    tasks,
    webhook,
    webhook_again,
    webhook_delivery,
    webhooks,
)
from formwright.web.reference import routes as reference


def web_routes() -> list[HTTPRouteHandler]:
    """The pages, the page in which a form is filled, and the static files under the name of their present state."""
    pages = [
        *sign_in.HANDLERS,
        *forms.HANDLERS,
        *designer.HANDLERS,
        *submissions.HANDLERS,
        *submission.HANDLERS,
        *submission_edit.HANDLERS,
        *submission_download.HANDLERS,
        *submission_export.HANDLERS,
        *api_keys.HANDLERS,
    ]
    pages += [*datasources.HANDLERS, *datasource.HANDLERS, *datasource_pull.HANDLERS, *datasource_upload.HANDLERS]
    pages += datasource_forms.HANDLERS
    pages += [*invites.HANDLERS, *my_tasks.HANDLERS, *tasks.HANDLERS]
    pages += [*audit.HANDLERS, *mail.HANDLERS, *people.HANDLERS, *personal_data.HANDLERS]
    pages += [*webhooks.HANDLERS, *webhook.HANDLERS, *webhook_again.HANDLERS, *webhook_delivery.HANDLERS]
    pages += [*set_password.HANDLERS, *account.HANDLERS, *second_factor.HANDLERS, *organisation.HANDLERS]
    pages += sign_in_second.HANDLERS
    pages += reference.HANDLERS
    filling = [*fill.HANDLERS, *fill_files.HANDLERS, *invited.HANDLERS]
    return [*pages, *filling, static_files()]


def csrf_config(settings: Settings, secret: str) -> CSRFConfig:
    """Every form that is posted carries a token that only our own pages know. The API and links use no cookie."""
    return CSRFConfig(
        secret=secret,
        # `__Host-`: no neighbour under the same domain can set it.
        cookie_name="formwright_csrf" if settings.insecure_http else "__Host-formwright_csrf",
        cookie_httponly=True,
        cookie_samesite="strict",
        cookie_secure=not settings.insecure_http,
        exclude=[f"^{begin}" for begin in NO_PAGES],
    )
