"""URLs of the web pages, and the CSRF settings for them."""

from litestar import Router
from litestar.config.csrf import CSRFConfig
from litestar.handlers import HTTPRouteHandler

from formwright.settings import Settings
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
from formwright.web.views import basemap, folders, overview
from formwright.web.views.account import (
    account,
    first_owner,
    identities,
    oidc_accounts,
    oidc_logout,
    oidc_sign_in,
    set_password,
    sign_in,
    sign_in_two_factor,
    two_factor,
)
from formwright.web.views.datasources import detail as datasource_detail
from formwright.web.views.datasources import forms as datasource_forms
from formwright.web.views.datasources import list as datasource_list
from formwright.web.views.datasources import pull as datasource_pull
from formwright.web.views.datasources import upload as datasource_upload
from formwright.web.views.designer import blocks as designer_blocks
from formwright.web.views.designer import copies as designer_copies
from formwright.web.views.designer import editor as designer_editor
from formwright.web.views.designer import excel as designer_excel
from formwright.web.views.designer import media as designer_media
from formwright.web.views.designer import new as designer_new
from formwright.web.views.designer import preview as designer_preview
from formwright.web.views.designer import translations as designer_translations
from formwright.web.views.designer import versions as designer_versions
from formwright.web.views.exports import detail as export_detail
from formwright.web.views.exports import edit as export_edit
from formwright.web.views.forms import form, question_library, receipts, report_template
from formwright.web.views.forms import gallery as form_gallery
from formwright.web.views.forms import home as form_home
from formwright.web.views.forms import list as form_list
from formwright.web.views.forms import map as form_map
from formwright.web.views.forms import share as form_share
from formwright.web.views.forms import summary as form_summary
from formwright.web.views.forms import templates as form_templates
from formwright.web.views.go_to import page as go_to
from formwright.web.views.invites import detail as invite_detail
from formwright.web.views.invites import list as invite_list
from formwright.web.views.invites import new as new_invites
from formwright.web.views.settings import (
    api_key_form,
    api_keys,
    audit,
    branding,
    domains,
    identity_providers,
    odata,
    organisation,
    provisioning,
    sign_in_test,
    trash,
)
from formwright.web.views.settings import list as settings_list
from formwright.web.views.settings import mail as settings_mail
from formwright.web.views.submissions import alerts as submission_alerts
from formwright.web.views.submissions import bulk as submission_bulk
from formwright.web.views.submissions import comments as submission_comments
from formwright.web.views.submissions import detail as submission_detail
from formwright.web.views.submissions import edit as submission_edit
from formwright.web.views.submissions import list as submission_list
from formwright.web.views.submissions import saved_view
from formwright.web.views.submissions.export import file_download, report_zip, streaming_download
from formwright.web.views.submissions.imports import detail as submission_import
from formwright.web.views.submissions.imports import list as submission_imports
from formwright.web.views.submissions.imports import preview as submission_import_preview
from formwright.web.views.tasks import assigned, mine, prefill
from formwright.web.views.tasks import calendar as task_calendar
from formwright.web.views.tasks import new as new_task
from formwright.web.views.users import groups, person, person_access, personal_data, roles
from formwright.web.views.users import list as user_list
from formwright.web.views.webhooks import delivery as webhook_delivery
from formwright.web.views.webhooks import detail as webhook_detail
from formwright.web.views.webhooks import list as webhook_list
from formwright.web.views.webhooks import replay as webhook_replay

_PAGE_HANDLERS: list[HTTPRouteHandler] = [
    *first_owner.HANDLERS,
    *account.HANDLERS,
    *two_factor.HANDLERS,
    *set_password.HANDLERS,
    *sign_in.HANDLERS,
    *sign_in_two_factor.HANDLERS,
    *oidc_accounts.HANDLERS,
    *oidc_sign_in.HANDLERS,
    *oidc_logout.HANDLERS,
    *identities.HANDLERS,
    *overview.HANDLERS,
    *go_to.HANDLERS,
    *form_list.HANDLERS,
    *form.HANDLERS,
    *form_home.HANDLERS,
    *form_share.HANDLERS,
    *form_map.HANDLERS,
    *form_gallery.HANDLERS,
    *form_summary.HANDLERS,
    *basemap.HANDLERS,
    *form_templates.HANDLERS,
    *question_library.HANDLERS,
    *designer_blocks.HANDLERS,
    *folders.HANDLERS,
    *designer_editor.HANDLERS,
    *designer_media.HANDLERS,
    *designer_copies.HANDLERS,
    *designer_excel.HANDLERS,
    *designer_new.HANDLERS,
    *designer_preview.HANDLERS,
    *designer_translations.HANDLERS,
    *designer_versions.HANDLERS,
    *submission_list.HANDLERS,
    *submission_alerts.HANDLERS,
    *saved_view.HANDLERS,
    *submission_bulk.HANDLERS,
    *submission_comments.HANDLERS,
    *submission_detail.HANDLERS,
    *submission_edit.HANDLERS,
    *submission_imports.HANDLERS,
    *submission_import.HANDLERS,
    *submission_import_preview.HANDLERS,
    *streaming_download.HANDLERS,
    *file_download.HANDLERS,
    *report_zip.HANDLERS,
    *export_edit.HANDLERS,
    *export_detail.HANDLERS,
    *datasource_list.HANDLERS,
    *datasource_forms.HANDLERS,
    *datasource_detail.HANDLERS,
    *datasource_pull.HANDLERS,
    *datasource_upload.HANDLERS,
    *new_task.HANDLERS,
    *prefill.HANDLERS,
    *task_calendar.HANDLERS,
    *report_template.HANDLERS,
    *receipts.HANDLERS,
    *assigned.HANDLERS,
    *mine.HANDLERS,
    *fill_branding.HANDLERS,
    *position_map.HANDLERS,
    *branding.HANDLERS,
    *invite_list.HANDLERS,
    *new_invites.HANDLERS,
    *invite_detail.HANDLERS,
    *user_list.HANDLERS,
    *groups.HANDLERS,
    *person.HANDLERS,
    *person_access.HANDLERS,
    *personal_data.HANDLERS,
    *roles.HANDLERS,
    *trash.HANDLERS,
    *webhook_list.HANDLERS,
    *webhook_replay.HANDLERS,
    *webhook_delivery.HANDLERS,
    *webhook_detail.HANDLERS,
    *settings_list.HANDLERS,
    *api_keys.HANDLERS,
    *api_key_form.HANDLERS,
    *odata.HANDLERS,
    *domains.HANDLERS,
    *identity_providers.HANDLERS,
    *provisioning.HANDLERS,
    *sign_in_test.HANDLERS,
    *audit.HANDLERS,
    *settings_mail.HANDLERS,
    *organisation.HANDLERS,
    *api_docs_views.HANDLERS,
]
_FILL_HANDLERS: list[HTTPRouteHandler] = [
    *fill_views.HANDLERS,
    *fill_files.HANDLERS,
    *invite_pages.HANDLERS,
    *return_pages.HANDLERS,
]


def web_routes() -> list[HTTPRouteHandler | Router]:
    """Return the handlers of all pages, the rate-limited fill pages, and the static files."""
    return [*_PAGE_HANDLERS, Router("", route_handlers=_FILL_HANDLERS, guards=[limit_requests]), static_files_handler()]


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
