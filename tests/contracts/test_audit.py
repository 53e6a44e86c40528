"""Every operation and page that writes adds an audit entry. Generated from the router, so new ones are covered."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from actors import PASSWORD, Account
from factories.files import FIELDS as FILE_FIELDS
from factories.files import TEXT, archive, media, png
from factories.forms import bundle, form
from factories.invites import invite, link
from factories.requests import get, post
from factories.row_files import csv_file
from factories.sample_account import World, call, deletions_last, world
from factories.submissions import submission
from factories.tasks import task
from factories.web_client import Visit, visit

from formwright.api.v1_0.operations import OPERATIONS
from formwright.core import crypto
from formwright.core.pagination import Window
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditActorType, AuditEntry, AuditFilter
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.bulk_changes.models import BulkAction, NewChange, Target
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.translations import export_texts
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.submissions import comments
from formwright.domain.submissions.comment_emails import CommentMailer
from formwright.domain.submissions.models import NewComment
from formwright.domain.users import service as people
from formwright.domain.users.auth import sessions, two_factor
from formwright.domain.users.models import PasswordCredentials

QUIET_OPERATIONS = {"validateFormVersion": "it changes nothing", "reconcileSubmissions": "it changes nothing"}
QUIET_PAGES = {
    "/tasks/new/answers": "it checks answers and saves nothing",
    "/settings/mail/test": "an email to yourself changes nothing in the account",
    "/settings/account/second-factor": "it has no effect until a code is confirmed",
    "/forgot-password": "a request by a stranger changes nothing; the email is listed under Settings, Mail",
    "/sign-in/second/account": "a step of signing in",
    "/sign-in/oidc": "a step of signing in",
    "/sign-in/accounts": "a step of signing in",
    "/settings/sign-in/{provider_id}/test": "it checks that the provider responds",
    "/settings/account/identities/{provider_id}": "it has no effect until the user comes back from the provider",
    "/overview/checklist/dismiss": "whether the checklist is shown is a preference of the user",
    "/overview/checklist/restore": "whether the checklist is shown is a preference of the user",
    "/forms/{form_id}/alert": "emails to oneself are a preference of the user",
    "/submissions/columns": "the choice of columns is a preference of the user",
    "/submissions/exports/{export_id}/remove": "it removes a file that was created for this user only",
    "/submissions/bulk/{change_id}/stop": "it changes no submission",
    "/submissions/bulk/{change_id}/continue": "each submission that it changes has an entry; this one is finished",
    "/settings/personal-data/jobs/{export_id}/remove": "it removes a file that was created for this user only",
    "/forms/{form_id}/imports": "the file waits for its user until it is imported; the start adds an entry",
    "/forms/{form_id}/imports/{import_id}/preview": "it only reads the waiting file",
    "/forms/{form_id}/imports/{import_id}/discard": "it removes a file that was never imported",
    "/datasources/uploads": "the file waits for its user until it is imported; the import adds an entry",
    "/datasources/uploads/{upload_id}/look": "it only reads the waiting file",
    "/datasources/uploads/{upload_id}/discard": "it removes a file that was never imported",
}
"""Operations and pages that write but add no entry, each with the reason."""

ALL = AuditFilter()
SECRET = "Zq7 nobody may read this in a log"


async def read_entries(account: Account, wanted: AuditFilter = ALL) -> list[AuditEntry]:
    """Return the newest audit entries, newest first."""
    async with account.ctx.db.reading() as tx:
        return list((await audit.page(tx, account.actor, wanted, Window(5))).items)


async def entry_of(account: Account, response: httpx.Response) -> AuditEntry:
    """Return the entry of a request."""
    assert response.status_code < 400, response.text
    newest = (await read_entries(account))[0]
    assert newest.actor.request_id == response.headers["x-request-id"], f"{response.request.url} leaves no line"
    assert newest.actor.address == "127.0.0.1"
    await check_sequence_moved(account, str(response.request.url))
    return newest


KEPT = (
    "SELECT hash, name, read_only, ends, limits, rate_limit FROM key_hashes WHERE customer_id = $1 ORDER BY hash",
    "SELECT * FROM forms WHERE customer_id = $1 ORDER BY id",
    "SELECT id, types, form_ids FROM subscribers WHERE customer_id = $1 ORDER BY id",
)
"""State that a process caches for as long as the account's change sequence is unchanged."""
_seen: dict[str, tuple[object, list[object]]] = {}


async def check_sequence_moved(account: Account, what: str) -> None:
    """Assert that the account's change sequence has moved if any cached state has changed since the last check."""
    async with account.ctx.db.reading() as tx:
        order = await tx.fetch_one("SELECT stamp, sequence FROM account_order WHERE customer_id = $1", account.id)
        rows = [[tuple(row) for row in await tx.fetch(sql, account.id)] for sql in KEPT]
    was = _seen.get(account.id)
    _seen[account.id] = (tuple(order or ()), list(rows))
    changed = was is not None and was[1] != rows
    assert not changed or was[0] != _seen[account.id][0], f"{what} changes what others keep, and moves no order"


def _others(here: World) -> dict[str, dict[str, str]]:
    """Return other ids for operations that would change nothing with the example's ids."""
    return {"moveForms": {"folderId": here.parent}, "publishFormVersion": {"versionId": here.draft}}


async def test_every_writing_operation_adds_an_entry_with_key_and_request(account: Account) -> None:
    here = await world(account)
    key = (await read_entries(account, AuditFilter(action="key.created")))[0].resource_id
    for operation in sorted(OPERATIONS, key=deletions_last):
        if operation.method != "GET" and operation.name not in QUIET_OPERATIONS:
            response = await call(operation, here, **_others(here).get(operation.name, {}))
            assert response.status_code == operation.status, f"{operation.name}: {response.text}"
            line = await entry_of(account, response)
            assert (line.actor.type, line.actor.id, line.actor.name) == (AuditActorType.KEY, key, "Test"), (
                operation.name
            )


@dataclass(frozen=True, slots=True)
class PostedForm:
    """The body that a page posts, built from the ids that its address may contain."""

    form: Callable[[dict[str, str]], dict[str, Any]] = field(default=lambda ids: {})
    json: Callable[[dict[str, str]], dict[str, Any]] | None = None
    file: Callable[[], bytes] | None = None
    of: str = ""
    """The task that the page is about, if it is not the shared one."""

    def address(self, path: str, ids: dict[str, str]) -> str:
        return path.format(**ids | ({"task_id": ids[self.of]} if self.of else {}))


def _xlsform() -> bytes:
    asked = msgspec.convert([{"type": "text", "name": "site", "label": "Site"}], list[AnyField])
    return export_xlsform("Visit", Definition(asked, FormSettings()))[0]


_NAMES = ("site", "other")
"""The fields of the form, and of its draft."""


def _translations() -> bytes:
    fields = [{"type": "text", "name": name, "label": {"fr": "Lieu"}} for name in _NAMES]
    return export_texts(Definition(msgspec.convert(fields, list[AnyField]), FormSettings()), ["fr"])


def _draft(ids: dict[str, str]) -> dict[str, Any]:
    base = {"versionId": ids["version_id"], "number": 1, "revision": 1}
    return {"base": base, "fields": [{"type": "text", "name": "other", "label": "Other"}], "settings": {}}


_EXPORT = {"form": "", "format": "CSV", "every": "WEEKLY", "time": "06:00", "weekday": "1", "day": "1"}


_BLOCK = {"fields": [{"type": "text", "name": "street", "label": "Street"}], "language": "en"}


def _import_start(ids: dict[str, str]) -> dict[str, Any]:
    mapping = {"column:other": "answers.other", "previewed": json.dumps({"answers.other": "other"})}
    return mapping | {"version": ids["version_id"]}


PAGES: dict[str, PostedForm] = {
    "/folders": PostedForm(lambda ids: {"name": "East"}),
    "/folders/{folder_id}/rename": PostedForm(lambda ids: {"name": "West"}),
    "/folders/{folder_id}/move": PostedForm(lambda ids: {"folder": ids["other_folder"]}),
    "/forms/{form_id}/move": PostedForm(lambda ids: {"folder": ids["folder_id"]}),
    "/forms/{form_id}/settings": PostedForm(lambda ids: {"name": "Other", "description": "About"}),
    "/forms/{form_id}/template": PostedForm(lambda ids: {"name": "Kept"}),
    "/forms/{form_id}/share/limits": PostedForm(lambda ids: {"maxResponses": "7"}),
    "/forms/{form_id}/share/redirect": PostedForm(lambda ids: {"redirectUrl": "https://www.example.org/"}),
    "/forms/{form_id}/receipts": PostedForm(lambda ids: {"recipient": "RESPONDENT"}),
    "/forms/{form_id}/report-template": PostedForm(lambda ids: {"template": "= Report", "action": "save"}),
    "/forms/{form_id}/share/embed": PostedForm(lambda ids: {"sites": "https://www.example.org"}),
    "/forms/{form_id}/design/draft": PostedForm(json=_draft),
    "/forms/{form_id}/design/about": PostedForm(json=lambda ids: {"name": "About", "description": ""}),
    "/forms/{form_id}/design/media": PostedForm(file=png),
    "/forms/{form_id}/design/media/archive": PostedForm(file=lambda: archive({"a.png": png()})),
    "/forms/{form_id}/design/media/{media_id}/remove": PostedForm(),
    "/forms/{form_id}/design/publish": PostedForm(lambda ids: {"version": ids["version_id"], "revision": "2"}),
    "/forms/{form_id}/archive": PostedForm(),
    "/forms/{form_id}/restore": PostedForm(),
    "/forms/{form_id}/imports/{import_id}/start": PostedForm(_import_start),
    "/forms/{form_id}/translations": PostedForm(
        lambda ids: {"language": "de"} | {f"text.{name}/label": "Ort" for name in _NAMES}
    ),
    "/forms/{form_id}/translations/import": PostedForm(file=_translations),
    "/forms/{form_id}/versions/{version_id}/publish": PostedForm(),
    "/forms/{form_id}/versions/{version_id}/copy": PostedForm(),
    "/forms/{form_id}/copy": PostedForm(lambda ids: {"name": "Copy"}),
    "/forms/import-bundle": PostedForm(lambda ids: {"bundle": json.dumps(bundle())}),
    "/forms/new": PostedForm(lambda ids: {"name": "New"}),
    "/forms/import": PostedForm(file=_xlsform),
    "/forms/question-library": PostedForm(json=lambda ids: _BLOCK | {"name": "Address", "description": ""}),
    "/forms/question-library/{block_id}": PostedForm(lambda ids: {"name": "Other"}),
    "/forms/question-library/{block_id}/versions": PostedForm(json=lambda ids: _BLOCK | {"basedOn": 1}),
    "/forms/templates/{template_id}": PostedForm(lambda ids: {"name": "Other"}),
    "/forms/templates/{template_id}/remove": PostedForm(),
    "/settings/trash/{entry_id}/restore": PostedForm(),
    "/settings/trash/new/{kind}/{record_id}": PostedForm(),
    "/settings/trash/{entry_id}/delete": PostedForm(),
    "/settings/connections/api-keys/new": PostedForm(lambda ids: {"name": "CRM", "access": "all"}),
    "/settings/connections/api-keys/{key_id}": PostedForm(lambda ids: {"name": "ERP"}),
    "/settings/connections/api-keys/{key_id}/rotate": PostedForm(lambda ids: {"overlap": "24"}),
    "/settings/connections/api-keys/{key_id}/revoke": PostedForm(),
    "/settings/connections/webhooks": PostedForm(lambda ids: {"name": "CRM", "url": "https://crm.example.org"}),
    "/settings/connections/webhooks/{subscriber_id}": PostedForm(
        lambda ids: {"name": "ERP", "url": "https://erp.example.org"}
    ),
    "/settings/connections/webhooks/{subscriber_id}/test": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/retry-failed": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/replay": PostedForm(lambda ids: {"by": "event", "after": "1"}),
    "/settings/connections/webhooks/{subscriber_id}/secret": PostedForm(lambda ids: {"overlap": "24"}),
    "/settings/connections/webhooks/{subscriber_id}/deliveries/{invocation_id}/cancel": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/deliveries/{invocation_id}/retry": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/disable": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/enable": PostedForm(),
    "/settings/connections/webhooks/{subscriber_id}/delete": PostedForm(),
    "/datasources/{datasource_id}/name": PostedForm(lambda ids: {"name": "Renamed"}),
    "/datasources/{datasource_id}/types": PostedForm(lambda ids: {"type:number": "text"}),
    "/datasources/{datasource_id}/schedule": PostedForm(
        lambda ids: {"url": "https://example.org/a.csv", "every": "P1D"}
    ),
    "/datasources/{datasource_id}/schedule/refresh": PostedForm(),
    "/datasources/pulled": PostedForm(lambda ids: {"name": "Pulled", "key": "id", "url": "https://example.org/b.csv"}),
    "/datasources/uploads/{upload_id}/import": PostedForm(lambda ids: {"name": "Imported", "key": "id"}),
    "/invites/new": PostedForm(lambda ids: {"form": ids["open_form_id"], "people": "Ann <ann@example.org>"}),
    "/invites/{invite_id}/link": PostedForm(),
    "/invites/{invite_id}/resend": PostedForm(),
    "/invites/{invite_id}/revoke": PostedForm(),
    "/tasks/new": PostedForm(lambda ids: {"form": ids["open_form_id"], "users": ids["user_id"]}),
    "/tasks/{task_id}/reassign": PostedForm(lambda ids: {"users": ids["user_id"]}),
    "/tasks/{task_id}/revoke": PostedForm(),
    "/tasks/{task_id}/complete": PostedForm(of="second_task"),
    "/my/tasks/{task_id}/decline": PostedForm(of="third_task"),
    "/people/new": PostedForm(lambda ids: {"name": "Ann", "email": "ann@example.org"}),
    "/people/{user_id}": PostedForm(lambda ids: {"name": "Mia", "email": "mia@example.org", "language": "de"}),
    "/people/{user_id}/grants": PostedForm(lambda ids: {"role": ids["role_id"], "place": f"form:{ids['form_id']}"}),
    "/people/{user_id}/status": PostedForm(lambda ids: {"status": "DISABLED"}),
    "/people/groups": PostedForm(lambda ids: {"name": "Ops"}),
    "/people/groups/{group_id}": PostedForm(lambda ids: {"name": "North"}),
    "/people/groups/{group_id}/members": PostedForm(lambda ids: {"user": ids["user_id"]}),
    "/people/groups/{group_id}/grants": PostedForm(
        lambda ids: {"role": ids["role_id"], "place": f"form:{ids['form_id']}"}
    ),
    "/people/roles/new": PostedForm(lambda ids: {"name": "Reader", "permissions": "forms:read"}),
    "/people/roles/{role_id}": PostedForm(lambda ids: {"name": "Editor", "permissions": "forms:edit"}),
    "/submissions/{submission_id}/status": PostedForm(
        lambda ids: {"status": "REJECTED", "note": SECRET, "revision": "1"}
    ),
    "/submissions/{submission_id}/answers": PostedForm(json=lambda ids: {"data": {"site": SECRET}, "revision": 2}),
    "/submissions/bulk": PostedForm(lambda ids: {"action": "APPROVE", "row": f"{ids['submission_id']}.3"}),
    "/submissions/bulk/{change_id}/undo": PostedForm(),
    "/submissions/{submission_id}/comments": PostedForm(lambda ids: {"body": SECRET}),
    "/submissions/{submission_id}/comments/{comment_id}/delete": PostedForm(),
    "/submissions/{submission_id}/delete": PostedForm(lambda ids: {"revision": "4"}),
    "/submissions/views/new": PostedForm(lambda ids: {"name": "Mine"}),
    "/submissions/views/{view_id}/edit": PostedForm(lambda ids: {"name": "Ours", "visibility": "ACCOUNT"}),
    "/submissions/views/{view_id}/filter": PostedForm(),
    "/submissions/views/{view_id}/delete": PostedForm(),
    "/exports/new": PostedForm(lambda ids: _EXPORT | {"name": "Nightly"}),
    "/exports/{export_id}/test": PostedForm(),
    "/exports/{export_id}/edit": PostedForm(lambda ids: _EXPORT | {"name": "Weekly"}),
    "/exports/{export_id}/run": PostedForm(),
    "/exports/{export_id}/delete": PostedForm(),
    "/settings/personal-data/export": PostedForm(lambda ids: {"user": ids["user_id"]}),
    "/settings/personal-data/erase": PostedForm(lambda ids: {"user": ids["user_id"], "seen": "0"}),
    "/settings/connections/odata": PostedForm(lambda ids: {"enabled": "1"}),
    "/settings/sign-in/provisioning": PostedForm(lambda ids: {"name": "Entra ID"}),
    "/settings/sign-in/provisioning/rotate": PostedForm(),
    "/settings/sign-in/provisioning/disable": PostedForm(),
    "/settings/branding": PostedForm(lambda ids: {"sender": "Harbour", "color": "#aa0000", "custom": "1"}),
    "/settings/organisation": PostedForm(lambda ids: {"name": "Hafen", "locale": "de", "zone": "Europe/Berlin"}),
    "/settings/account": PostedForm(lambda ids: {"name": "Owner", "language": "de"}),
    "/settings/account/sessions/{session_id}/end": PostedForm(),
    "/settings/account/sessions/end-others": PostedForm(),
    "/settings/account/second-factor/codes": PostedForm(lambda ids: {"password": PASSWORD}),
    "/settings/account/second-factor/off": PostedForm(lambda ids: {"password": PASSWORD}),
    "/settings/account/password": PostedForm(
        lambda ids: {"current": PASSWORD, "password": "another long one", "again": "another long one"}
    ),
    "/sign-out": PostedForm(),
}
"""What each page posts, in an order in which each has something to change."""
ELSEWHERE = (
    "/sign-in",
    "/sign-in/second",
    "/set-password/{token}",
    "/first-owner/{token}",
    "/settings/account/second-factor/confirm",
    "/settings/sign-in/domains",
    "/settings/sign-in/domains/release",
    "/scim/v2",
    "/sign-in/oidc/{provider_id}/back-channel-logout",
    "/scim/v2/{path}",
    "/settings/sign-in/new",
    "/settings/sign-in/{provider_id}",
    "/settings/sign-in/{provider_id}/remove",
    "/settings/account/identities/{provider_id}/unlink",
    "/people/{user_id}/invitation",
    "/people/{user_id}/second-factor",
)
"""Pages that need a code, a link or an identity provider.

See tests/web/test_login_flow.py, tests/web/test_first_owner.py and tests/web/test_oidc_sign_in.py.
"""
FILLING = (
    "/fill/{token}/submissions/{client_id}",
    "/fill/{token}/answers",
    "/fill/{token}/submissions/{client_id}/link",
    "/fill/{token}/files",
    "/fill/{token}/opened",
    "/fill/{token}/decline",
)
"""Pages for people without an account."""


def _writing_pages(account: Account) -> set[str]:
    return {
        route.path_format
        for route in account.stage.entrance.app.routes
        if set(getattr(route, "methods", ())) & {"POST", "PUT", "PATCH", "DELETE"}
        if not route.path_format.startswith("/api/")
    }


def test_every_writing_page_is_covered(account: Account) -> None:
    known = {*PAGES, *QUIET_PAGES, *FILLING, *ELSEWHERE}
    assert _writing_pages(account) == known, "a page that writes has no example in PAGES, or outlived its route"


async def ids_of(account: Account, here: World) -> dict[str, str]:
    f = await form(account, publish=False)
    versions = (await get(account, f"/forms/customer/{account.id}/forms/{f['id']}/versions"))["items"]
    view = {"name": "Seen", "formId": here.ids["formId"], "order": "-updated"}
    second, third = [await task(account, {"id": here.ids["formId"]}) for _ in range(2)]
    async with account.ctx.db.writing() as tx:
        owner = await people.load_actor(tx, account.owner)
        mailer = CommentMailer(account.ctx.secret_box, "")
        own = await comments.create(tx, owner, mailer, NewComment("Mine"), submission_id=here.ids["submissionId"])
    return {
        "comment_id": own.id,
        "task_id": here.ids["taskId"],
        "export_id": here.ids["exportId"],
        "second_task": second["id"],
        "third_task": third["id"],
        "folder_id": here.ids["folderId"],
        "open_form_id": here.ids["formId"],
        "invite_id": here.ids["inviteId"],
        "user_id": here.ids["userId"],
        "group_id": here.ids["groupId"],
        "role_id": here.ids["roleId"],
        "other_folder": here.parent,
        "form_id": f["id"],
        "media_id": (await media(account, f))["id"],
        "version_id": versions[0]["id"],
        "block_id": here.ids["blockId"],
        "template_id": here.ids["templateId"],
        "entry_id": here.deleted["templateId"],
        "kind": "template",
        "record_id": here.deleted["templateId"],
        "datasource_id": here.ids["datasourceId"],
        "subscriber_id": here.ids["subscriberId"],
        "invocation_id": here.ids["invocationId"],
        "submission_id": here.ids["submissionId"],
        "change_id": await _changed_in_bulk(account, here.ids["formId"]),
        "view_id": (await post(account, f"/customers/{account.id}/views", view))["id"],
        "key_id": (await read_entries(account, AuditFilter(action="key.created")))[0].resource_id,
        "session_id": await _signed_in_elsewhere(account),
    }


async def _changed_in_bulk(account: Account, form_id: str) -> str:
    """Approve a submission by a bulk change of the owner; return the id of the change."""
    one = await submission(account, {"id": form_id})
    async with account.ctx.db.writing() as tx:
        owner = await people.load_actor(tx, account.owner)
        new = NewChange(BulkAction.APPROVE, [Target(one["id"], 1)])
        change = await bulk_changes.start(tx, owner, new)
        await bulk_changes.run_step(tx, owner, change_id=change.id)
    return change.id


async def _drafted(account: Account, form_id: str) -> str:
    versions = f"/forms/customer/{account.id}/forms/{form_id}/versions"
    asked = [{"type": "text", "name": "third", "label": "Third"}]
    return str((await post(account, versions, {"fields": asked}))["id"])


async def _signed_in_elsewhere(account: Account) -> str:
    """Give the owner two more sessions and a second factor; return the id of one session."""
    ctx = account.ctx
    async with ctx.db.writing() as tx:
        for _ in range(2):
            await sessions.create(tx, PasswordCredentials(account.id, account.owner.id, "-"))
        owner = await people.load_actor(tx, account.owner)
        secret = await two_factor.start_setup(tx, owner, ctx.secret_box)
        code = crypto.totp_code(secret, ctx.clock.now() // 1000 // crypto.STEP_S)
        assert await two_factor.confirm_setup(tx, owner, ctx.secret_box, code)
        return (await sessions.list_own(tx, owner, ctx.clock.now()))[0].id


async def test_every_writing_page_adds_an_entry_with_the_person(account: Account) -> None:
    ids = await ids_of(account, await world(account))
    async with visit(account) as site:
        for path, one in PAGES.items():
            if "{upload_id}" in path:
                sent = await site.post("/datasources/uploads", files={"file": ("a.csv", csv_file([["id"], ["1"]]))})
                ids["upload_id"] = sent.headers["location"].rpartition("/")[2]
            if "{import_id}" in path:
                table = {"file": ("a.csv", csv_file([["other"], ["Harbour"]]))}
                sent = await site.post(f"/forms/{ids['form_id']}/imports", files=table)
                ids["import_id"] = sent.headers["location"].rpartition("/")[2]
            if path.endswith("/versions/{version_id}/publish"):
                # Publishing the published version would change nothing.
                ids["version_id"] = await _drafted(account, ids["form_id"])
            files = {"file": ("a", one.file())} if one.file else None
            where = one.address(path, ids)
            sending = site.send(where, one.json(ids)) if one.json else site.post(where, one.form(ids), files=files)
            line = await entry_of(account, await sending)
            who = (line.actor.type, line.actor.id, line.actor.name)
            assert who == (AuditActorType.USER, account.owner.id, account.owner.name), path


async def test_an_invited_person_is_recorded_without_the_link(account: Account) -> None:
    f = await form(account)
    path = await link(account, await invite(account, f))
    async with account.stage.client() as http:
        opened = await entry_of(account, await http.post(f"{path}/opened"))
        declined = await entry_of(account, await http.post(f"{path}/decline", data={"reason": SECRET}))
    assert [(line.actor.type, line.actor.id) for line in (opened, declined)] == [(AuditActorType.LINK, f["id"])] * 2
    assert (opened.action, declined.action) == ("invite.opened", "invite.declined")
    whole = str(await read_entries(account))
    assert path.removeprefix("/fill/") not in whole
    assert "Zq7" not in whole


async def test_a_failed_sign_in_records_no_typed_text(account: Account) -> None:
    async with account.stage.client() as http:
        site = Visit(http)
        assert (await site.sign_in(account.owner.email, SECRET)).status_code == 422
        assert (await site.sign_in(SECRET + "@example.org", SECRET)).status_code == 422
    [line, *_] = await read_entries(account)
    assert (line.action, line.resource_id) == ("user.sign_in_failed", account.owner.id)
    assert (line.actor.type, line.actor.id, line.actor.address) == (AuditActorType.NOBODY, "", "127.0.0.1")
    assert SECRET not in str(await read_entries(account))


async def test_a_form_filled_by_link_is_recorded_without_the_link(account: Account) -> None:
    f = await form(account, fields=FILE_FIELDS, settings={"editAfterSubmitting": {}})
    token = f["fillPath"].rpartition("/")[2]
    here, filled = f"/fill/{token}/submissions/{uuid.uuid4()}", {"versionId": f["publishedVersionId"]}
    async with account.stage.client() as http:
        for method, actions in (("PUT", "submission.started"), ("POST", "submission.submitted")):
            response = await http.request(method, here, json=filled | {"data": {"site": SECRET}})
            line = await entry_of(account, response)
            assert (line.actor.type, line.actor.id, line.action) == (AuditActorType.LINK, f["id"], actions)
        link, change = response.json()["link"], {"data": {"site": f"{SECRET}2"}, "revision": 2}
        line = await entry_of(account, await http.post(f"{link}/answers", json=change))
        assert (line.actor.type, line.actor.id, line.action) == (AuditActorType.LINK, f["id"], "submission.updated")
        response = await http.post(
            f"/fill/{token}/files?field=papers", content=TEXT, headers={"x-file-name": "Zq7.csv"}
        )
        assert (await entry_of(account, response)).action == "file.uploaded"
    whole = str(await read_entries(account))
    assert token not in whole
    assert link.removeprefix("/fill/") not in whole
    assert SECRET not in whole
    assert "Zq7" not in whole
