"""Every page, for every actor. Generated from the router: a new page without a rule fails."""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from actors import Account
from contracts.test_audit import PAGES, ids_of
from factories.datasources import rows
from factories.requests import post
from factories.sample_account import state, world
from factories.users import built_in, member
from factories.web_client import Visit, csrf, enter, visit

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import ALL_PERMISSIONS, Permission
from formwright.domain.users import roles
from formwright.domain.users.models import Grant

P = Permission
NEEDS: dict[Permission, list[str]] = {
    P.FORMS_READ: [
        "GET /forms/question-library",
        "GET /forms/question-library/choices",
        "GET /forms/question-library/{block_id}",
        "GET /forms/question-library/{block_id}/versions",
        "GET /forms/templates",
        "GET /forms/{form_id}",
        "GET /forms/{form_id}/design",
        "GET /forms/{form_id}/design/changes",
        "GET /forms/{form_id}/import",
        "GET /forms/{form_id}/preview",
        "GET /forms/{form_id}/share",
        "GET /forms/{form_id}/share/poster",
        "GET /forms/{form_id}/share/qr.png",
        "GET /forms/{form_id}/share/qr.svg",
        "GET /forms/{form_id}/bundle",
        "GET /forms/{form_id}/media.zip",
        "GET /forms/{form_id}/translations",
        "GET /forms/{form_id}/translations.xlsx",
        "GET /forms/{form_id}/versions",
        "GET /forms/{form_id}/versions/{version_id}/excel",
        "GET /forms/new",
    ],
    P.FORMS_EDIT: [
        "GET /forms/{form_id}/settings",
        "POST /folders",
        "POST /folders/{folder_id}/move",
        "POST /folders/{folder_id}/rename",
        "GET /forms/{form_id}/copy",
        "POST /forms/import",
        "POST /forms/import-bundle",
        "POST /forms/{form_id}/copy",
        "POST /forms/new",
        "POST /forms/question-library",
        "POST /forms/question-library/{block_id}",
        "POST /forms/question-library/{block_id}/versions",
        "POST /forms/templates/{template_id}",
        "POST /forms/templates/{template_id}/remove",
        "POST /forms/{form_id}/archive",
        "POST /forms/{form_id}/design/about",
        "POST /forms/{form_id}/design/draft",
        "POST /forms/{form_id}/design/media",
        "POST /forms/{form_id}/design/media/archive",
        "POST /forms/{form_id}/design/media/{media_id}/remove",
        "POST /forms/{form_id}/move",
        "POST /forms/{form_id}/restore",
        "POST /forms/{form_id}/settings",
        "GET /forms/{form_id}/receipts",
        "POST /forms/{form_id}/receipts",
        "GET /forms/{form_id}/report-template",
        "POST /forms/{form_id}/report-template",
        "POST /forms/{form_id}/share/embed",
        "POST /forms/{form_id}/share/limits",
        "POST /forms/{form_id}/share/redirect",
        "POST /forms/{form_id}/template",
        "POST /forms/{form_id}/translations",
        "POST /forms/{form_id}/translations/import",
        "POST /forms/{form_id}/versions/{version_id}/copy",
        # As for a template: each kind needs the permission to delete it.
        "GET /settings/trash/new/{kind}/{record_id}",
        "POST /settings/trash/new/{kind}/{record_id}",
        "POST /settings/trash/{entry_id}/delete",
        "POST /settings/trash/{entry_id}/restore",
    ],
    P.FORMS_PUBLISH: [
        "POST /forms/{form_id}/design/publish",
        "POST /forms/{form_id}/versions/{version_id}/publish",
    ],
    P.SUBMISSIONS_READ: [
        "GET /submissions/choices",
        "POST /forms/{form_id}/alert",
        "GET /forms/{form_id}/map",
        "GET /forms/{form_id}/gallery",
        "GET /forms/{form_id}/imports",
        "GET /forms/{form_id}/imports/{import_id}",
        "GET /forms/{form_id}/imports/{import_id}/errors.csv",
        "GET /forms/{form_id}/imports/{import_id}/state",
        "GET /forms/{form_id}/map/points",
        "GET /forms/{form_id}/map/submissions",
        "GET /forms/{form_id}/summary",
        "GET /submissions",
        "GET /exports",
        "GET /exports/{export_id}",
        "GET /submissions/download.csv",
        "GET /submissions/download.ndjson",
        "GET /submissions/download.parquet",
        "GET /submissions/download.pdf.zip",
        "GET /submissions/download.xlsx",
        "GET /submissions/views/new",
        "POST /submissions/views/new",
        "GET /submissions/exports/{export_id}",
        "GET /submissions/exports/{export_id}/file",
        "GET /submissions/{submission_id}",
        "GET /submissions/{submission_id}/report.pdf",
        "POST /submissions/exports/{export_id}/remove",
    ],
    P.SUBMISSIONS_CREATE: [
        "POST /forms/{form_id}/imports",
        "POST /forms/{form_id}/imports/{import_id}/discard",
        "POST /forms/{form_id}/imports/{import_id}/preview",
        "POST /forms/{form_id}/imports/{import_id}/start",
    ],
    P.SUBMISSIONS_EDIT: [
        "GET /submissions/bulk/{change_id}",
        "POST /submissions/bulk",
        "POST /submissions/bulk/{change_id}/continue",
        "POST /submissions/bulk/{change_id}/stop",
        "POST /submissions/bulk/{change_id}/undo",
        "GET /exports/new",
        "GET /exports/{export_id}/edit",
        "POST /exports/new",
        "POST /exports/{export_id}/delete",
        "POST /exports/{export_id}/edit",
        "POST /exports/{export_id}/run",
        "POST /exports/{export_id}/test",
        "GET /submissions/{submission_id}/edit",
        "GET /submissions/views/{view_id}/edit",
        "POST /submissions/views/{view_id}/delete",
        "POST /submissions/views/{view_id}/edit",
        "POST /submissions/views/{view_id}/filter",
        "POST /submissions/{submission_id}/answers",
        "POST /submissions/{submission_id}/comments",
        "POST /submissions/{submission_id}/comments/{comment_id}/delete",
        "POST /submissions/{submission_id}/delete",
        "POST /submissions/{submission_id}/status",
    ],
    P.DATASOURCES_READ: [
        "GET /datasources/{datasource_id}",
        "GET /datasources/{datasource_id}/columns",
        "GET /datasources/{datasource_id}/forms",
        "GET /datasources/{datasource_id}/imports",
        "GET /datasources/{datasource_id}/row",
        "GET /datasources/{datasource_id}/schedule",
    ],
    P.DATASOURCES_EDIT: [
        "GET /datasources/new",
        "GET /datasources/{datasource_id}/import",
        "GET /datasources/uploads/{upload_id}",
        "GET /datasources/uploads/{upload_id}/state",
        "POST /datasources/pulled",
        "POST /datasources/uploads",
        "POST /datasources/uploads/{upload_id}/discard",
        "POST /datasources/uploads/{upload_id}/import",
        "POST /datasources/uploads/{upload_id}/look",
        "POST /datasources/{datasource_id}/name",
        "POST /datasources/{datasource_id}/schedule",
        "POST /datasources/{datasource_id}/schedule/refresh",
        "POST /datasources/{datasource_id}/types",
    ],
    P.PEOPLE_READ: [
        "GET /people",
        "GET /people/groups",
        "GET /people/groups/{group_id}",
        "GET /people/roles",
        "GET /people/roles/{role_id}",
        "GET /people/{user_id}",
    ],
    P.PEOPLE_MANAGE: [
        "GET /people/groups/choices",
        "GET /people/new",
        "GET /people/roles/new",
        "GET /settings/mail",
        "GET /settings/personal-data",
        "GET /settings/personal-data/jobs/{export_id}",
        "GET /settings/personal-data/jobs/{export_id}/file",
        "POST /people/groups",
        "POST /people/groups/{group_id}",
        "POST /people/groups/{group_id}/grants",
        "POST /people/groups/{group_id}/members",
        "POST /people/new",
        "POST /people/roles/new",
        "POST /people/roles/{role_id}",
        "POST /people/{user_id}",
        "POST /people/{user_id}/grants",
        "POST /people/{user_id}/invitation",
        "POST /people/{user_id}/second-factor",
        "POST /people/{user_id}/status",
        "POST /settings/mail/test",
        "POST /settings/personal-data/erase",
        "POST /settings/personal-data/export",
        "POST /settings/personal-data/jobs/{export_id}/remove",
    ],
    P.TASKS_READ: ["GET /tasks", "GET /tasks/calendar", "GET /tasks/{task_id}"],
    P.TASKS_MANAGE: [
        "GET /tasks/new",
        "GET /tasks/new/answers",
        "GET /tasks/new/choices",
        "POST /tasks/new",
        "POST /tasks/new/answers",
        "POST /tasks/{task_id}/complete",
        "POST /tasks/{task_id}/reassign",
        "POST /tasks/{task_id}/revoke",
    ],
    P.INVITES_READ: ["GET /invites", "GET /invites/{invite_id}"],
    P.INVITES_MANAGE: [
        "GET /invites/new",
        "GET /invites/new/choices",
        "POST /invites/new",
        "POST /invites/{invite_id}/link",
        "POST /invites/{invite_id}/resend",
        "POST /invites/{invite_id}/revoke",
    ],
    P.CUSTOMER_EDIT: [
        "GET /settings/mail/{mail_id}",
        "GET /settings/mail/{mail_id}/file",
        "GET /settings/connections/odata",
        "GET /settings/branding",
        "GET /settings/organisation",
        "GET /settings/sign-in",
        "GET /settings/sign-in/new",
        "GET /settings/sign-in/{provider_id}",
        "GET /settings/sign-in/{provider_id}/try",
        "GET /settings/sign-in/domains",
        "POST /settings/sign-in/domains",
        "POST /settings/sign-in/domains/release",
        "GET /settings/sign-in/provisioning",
        "POST /settings/sign-in/provisioning",
        "POST /settings/sign-in/provisioning/rotate",
        "POST /settings/sign-in/provisioning/disable",
        "POST /settings/sign-in/new",
        "POST /settings/sign-in/{provider_id}",
        "POST /settings/sign-in/{provider_id}/remove",
        "POST /settings/sign-in/{provider_id}/test",
        "POST /settings/connections/odata",
        "POST /settings/branding",
        "POST /settings/organisation",
    ],
    P.KEYS_READ: ["GET /settings/connections/api-keys"],
    P.KEYS_MANAGE: [
        "GET /settings/connections/api-keys/new",
        "POST /settings/connections/api-keys/new",
        "GET /settings/connections/api-keys/{key_id}",
        "POST /settings/connections/api-keys/{key_id}",
        "POST /settings/connections/api-keys/{key_id}/revoke",
        "POST /settings/connections/api-keys/{key_id}/rotate",
    ],
    P.WEBHOOKS_READ: [
        "GET /settings/connections/webhooks",
        "GET /settings/connections/webhooks/{subscriber_id}",
        "GET /settings/connections/webhooks/{subscriber_id}/deliveries/{invocation_id}",
    ],
    P.WEBHOOKS_MANAGE: [
        "GET /settings/connections/webhooks/new",
        "GET /settings/connections/webhooks/{subscriber_id}/edit",
        "GET /settings/connections/webhooks/{subscriber_id}/replay",
        "POST /settings/connections/webhooks",
        "POST /settings/connections/webhooks/{subscriber_id}",
        "POST /settings/connections/webhooks/{subscriber_id}/delete",
        "POST /settings/connections/webhooks/{subscriber_id}/deliveries/{invocation_id}/cancel",
        "POST /settings/connections/webhooks/{subscriber_id}/deliveries/{invocation_id}/retry",
        "POST /settings/connections/webhooks/{subscriber_id}/disable",
        "POST /settings/connections/webhooks/{subscriber_id}/enable",
        "POST /settings/connections/webhooks/{subscriber_id}/replay",
        "POST /settings/connections/webhooks/{subscriber_id}/retry-failed",
        "POST /settings/connections/webhooks/{subscriber_id}/secret",
        "POST /settings/connections/webhooks/{subscriber_id}/test",
    ],
    P.AUDIT_READ: ["GET /settings/audit"],
}
"""The permission that each page requires."""
EVERYBODY = {
    "GET /": "leads to the overview",
    "GET /overview": "shows only figures of what the visitor may read",
    "GET /go-to": "finds only what the visitor may open",
    "GET /go-to/results": "finds only what the visitor may open",
    "GET /forms": "users without the permission see the forms that they can fill in",
    "GET /datasources": "users without the permission learn whom to ask",
    "GET /basemap.pmtiles": "the background of maps, without data of accounts",
    "GET /settings": "shows what the visitor may open",
    "GET /settings/trash": "shows what the visitor may restore",
    "POST /sign-out": "the user's own session",
    "GET /my/tasks": "the user's own",
    "GET /my/tasks/{task_id}": "the user's own",
    "POST /my/tasks/{task_id}/decline": "the user's own",
    "POST /overview/checklist/dismiss": "the user's own checklist, which reveals nothing",
    "POST /overview/checklist/restore": "the user's own checklist, which reveals nothing",
    "POST /submissions/columns": "the user's own choice of columns, which reveals nothing",
    "GET /settings/account": "the user's own",
    "POST /settings/account": "the user's own",
    "POST /settings/account/password": "the user's own",
    "POST /settings/account/identities/{provider_id}": "the user's own",
    "POST /settings/account/identities/{provider_id}/unlink": "the user's own",
    "POST /settings/account/sessions/end-others": "the user's own",
    "POST /settings/account/sessions/{session_id}/end": "the user's own",
    "GET /settings/account/second-factor": "the user's own",
    "GET /settings/account/second-factor/qr.svg": "the user's own",
    "POST /settings/account/second-factor": "the user's own",
    "POST /settings/account/second-factor/codes": "the user's own",
    "POST /settings/account/second-factor/confirm": "the user's own",
    "POST /settings/account/second-factor/off": "the user's own",
}
"""Pages that every signed-in user may open, with the reason."""
OPEN = {
    "GET /sign-in": "the way in",
    "POST /sign-in": "the way in",
    "GET /sign-in/second": "the way in",
    "POST /sign-in/second": "the way in",
    "POST /sign-in/second/account": "the way in",
    "POST /sign-in/oidc/{provider_id}/back-channel-logout": "the identity provider calls it, with a signed token",
    "GET /sign-in/accounts": "the way in",
    "POST /sign-in/accounts": "the way in",
    "GET /sign-in/oidc": "the way in",
    "POST /sign-in/oidc": "the way in",
    "GET /sign-in/oidc/{provider_id}": "the way in",
    "GET /sign-in/oidc/{provider_id}/start": "the way in",
    "GET /sign-in/oidc/{provider_id}/callback": "the way in",
    "GET /forgot-password": "the way in",
    "POST /forgot-password": "the way in",
    "GET /set-password/{token}": "the link opens it",
    "POST /set-password/{token}": "the link opens it",
    "GET /first-owner/{token}": "the link opens it",
    "POST /first-owner/{token}": "the link opens it",
    "GET /docs": "what the API is, for everybody",
    "GET /docs/changes": "what the API is, for everybody",
    "GET /docs/events": "what the API is, for everybody",
    "GET /docs/guides": "the documentation, for everybody",
    "GET /docs/guides/{section}/{name}": "the documentation, for everybody",
    "GET /docs/shapes": "what the API is, for everybody",
    "GET /docs/{slug}": "what the API is, for everybody",
    "GET /files/{file_id}": "the link is signed",
    "GET /files/{file_id}/thumbnail": "the link is signed",
    "GET /health/live": "for load balancers",
    "GET /health/ready": "for load balancers",
    "GET /fill/branding/{color}": "the same for all",
    "GET /fill/branding/{customer_id}/{name}": "logos are public",
    "GET /fill/sw.js": "the same for all",
    "GET /fill/{token}": "the link opens it",
    "POST /fill/{token}/files": "the link opens it",
    "POST /fill/{token}/opened": "the link opens it",
    "POST /fill/{token}/decline": "the link opens it",
    "POST /fill/{token}/submissions/{client_id}/link": "the link opens it",
    "POST /fill/{token}/answers": "the link opens it",
    "GET /fill/{token}/qr.svg": "the link opens it",
    "GET /fill/{token}/challenge": "the link opens it",
    "GET /fill/{token}/devices/{device}": "the link opens it",
    "GET /fill/{token}/lookup/{name}": "the link opens it",
    "GET /fill/{token}/basemap.pmtiles": "the link opens it",
    "GET /fill/{token}/lookup/{name}/rows": "the link opens it",
    "POST /fill/{token}/submissions/{client_id}": "the link opens it",
    "PUT /fill/{token}/submissions/{client_id}": "the link opens it",
}
"""Pages that need no session, with the reason."""
NEVER = {
    "upload_id": "upl_01h455vb4pex5vsknk084sn02q",
    "import_id": "imp_01h455vb4pex5vsknk084sn02q",
    "provider_id": "idp_01h455vb4pex5vsknk084sn02q",
    "mail_id": "mai_01h455vb4pex5vsknk084sn02q",
    "export_id": "0123456789abcdef" * 2,
}


MEMBERS_CAME = (
    *("users", "sign_ins", "roles", "grants", "account_order", "events", "audit_log"),
    *("deliveries", "subscriber_heads"),
)
"""Tables in which a new user appears."""


def page_calls(account: Account) -> list[str]:
    """Return the method and route of each page."""
    return [
        f"{method} {route.path_format}"
        for route in account.stage.entrance.app.routes
        for method in sorted(set(getattr(route, "methods", ())) - {"OPTIONS"})
        if not route.path_format.startswith(("/api/", "/odata/", "/scim/", "/static/"))
    ]


@pytest_asyncio.fixture
async def site(account: Account) -> AsyncIterator[Visit]:
    """A browser with a CSRF token in which nobody has signed in."""
    async with account.stage.client() as http:
        yield Visit(http, csrf((await http.get("/sign-in")).text))


async def act_as(account: Account, site: Visit, *given: Grant) -> None:
    """Sign in as a new member of the account with these grants."""
    who = await member(account, *given)
    await enter(account, site.http, who.id)


async def send(site: Visit, route: str, ids: dict[str, str]) -> Any:
    """Open the page, or post what it posts."""
    method, _, path = route.partition(" ")
    where = path.format(**ids | NEVER) + (f"?form={ids['form_id']}" if "/download." in path else "")
    if method == "GET":
        return await site.http.get(where)
    one = PAGES.get(path)
    if one is None or one.json:
        return await (site.send(where, one.json(ids)) if one and one.json else site.post(where))
    files = {"file": ("a", one.file())} if one.file else None
    return await site.post(where, one.form(ids), files=files)


def test_every_page_has_a_rule(account: Account) -> None:
    ruled = [*EVERYBODY, *OPEN, *(route for routes in NEEDS.values() for route in routes)]
    assert sorted(page_calls(account)) == sorted(ruled), "say in NEEDS, EVERYBODY or OPEN who may open a new page"


async def test_without_a_session_pages_lead_to_sign_in(account: Account, site: Visit) -> None:
    ids = await ids_of(account, await world(account))
    before = await state(account)
    for route in [*(r for r in EVERYBODY if r != "GET /"), *(r for routes in NEEDS.values() for r in routes)]:
        response = await send(site, route, ids)
        assert (response.status_code, response.headers.get("location", "")[:8]) == (303, "/sign-in"), route
    assert await state(account) == before


async def test_a_user_without_the_permission_is_refused(account: Account, site: Visit) -> None:
    ids = await ids_of(account, await world(account))
    before = await state(account)
    for table in MEMBERS_CAME:
        del before[table]
    for permission, routes in NEEDS.items():
        async with account.ctx.db.writing() as tx:
            rest = sorted(ALL_PERMISSIONS - {permission})
            role = await roles.create(tx, account.actor, name=f"No {permission}", permissions=rest)
        await act_as(account, site, Grant(role.id, ResourceType.ACCOUNT, account.id))
        for route in routes:
            response = await send(site, route, ids)
            refused = response.status_code in (400, 403, 404) or "fault=" in response.headers.get("location", "")
            assert refused, f"{route} without {permission}: {response.status_code}"
    after = await state(account)
    assert {name: after[name] for name in before} == before


async def test_the_owner_opens_every_page(account: Account) -> None:
    ids = await ids_of(account, await world(account))
    ids["record_id"] = ids["template_id"]  # One that can still be deleted.
    async with visit(account) as site:
        for route in page_calls(account):
            is_set_up = route != "GET /basemap.pmtiles" and not any(name in route for name in NEVER)
            if route.startswith("GET ") and route not in OPEN and is_set_up:
                path = route + (f"?key={rows(1)[0]['number']}" if route.endswith("/row") else "")
                assert (await send(site, path, ids)).status_code in (200, 303), route


async def test_a_member_of_one_folder_finds_nothing_outside_it(account: Account, site: Visit) -> None:
    ids = await ids_of(account, await world(account))
    mine = await post(account, f"/forms/customer/{account.id}/folders", {"name": "Mine"})
    manager = await built_in(account, "Form manager")
    await act_as(account, site, Grant(manager, ResourceType.FOLDER, mine["id"]))
    before = await state(account)
    for route in [r for routes in NEEDS.values() for r in routes]:
        if any(name in route for name in ("{form_id}", "{folder_id}", "{version_id}", "{submission_id}", "{view_id}")):
            response = await send(site, route, ids)
            gone = response.status_code == 404 or "There is no such" in response.text or route.endswith("/delete")
            assert gone or "fault=" in response.headers.get("location", ""), f"{route}: {response.status_code}"
    assert await state(account) == before
