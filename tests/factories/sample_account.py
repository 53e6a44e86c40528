"""An account with one of everything, and an example call of every operation."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from actors import Account

from factories import datasources, files, submission_imports
from factories.datasources import datasource
from factories.forms import FIELDS, bundle, form
from factories.invites import invite
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.subscribers import URL, subscriber
from factories.tasks import task
from factories.users import grants, group, role, user
from formwright.api.binary_bodies import media_type_of
from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.xlsform.exporter import export_xlsform

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def deletions_last(operation: Operation) -> tuple[bool, bool]:
    """Sort key: deletions after everything else, and those of comments before that of their submission."""
    is_deletion = operation.method == "DELETE"
    return is_deletion, is_deletion and "{commentId}" not in operation.path


_numbers = itertools.count(1)
_IMPORTED = b"site,people\nHarbour,3\n"
_FIELDS = [*FIELDS, {"type": "photo", "name": "photos", "label": "Photos", "maxFiles": 5}]


@dataclass(frozen=True, slots=True)
class World:
    """An account and the id of one resource of each kind, by the name of the path parameter."""

    account: Account
    ids: dict[str, str]
    draft: str = ""
    """A version that can still be changed."""
    parent: str = ""
    """Another folder besides the one in `ids`."""
    pulled: str = ""
    """A synced data source, besides the one in `ids`."""
    revoked: str = ""
    completed: str = ""
    """Tasks that can be ended, besides the one in `ids`."""
    spare: dict[str, str] = field(default_factory=dict)
    """Another data source, role, group and draft that nothing uses, by the name of the parameter; a role to grant."""
    deleted: dict[str, str] = field(default_factory=dict)
    """A resource of each kind that is in the trash, by the name of the path parameter."""


@dataclass(frozen=True, slots=True)
class Example:
    """A call of an operation that succeeds, even if it is repeated."""

    body: Callable[[World], dict[str, Any]] | None = None
    file: Callable[[World], bytes] | None = None
    ids: Callable[[World], dict[str, str]] = field(default=lambda world: {})
    query: Callable[[World], list[tuple[str, str]]] = field(default=lambda world: [])


async def world(account: Account, within: str | None = None) -> World:
    """Fill an account with one of everything, in the folder `within` if the resource can be in one."""
    folders = f"/forms/customer/{account.id}/folders"
    hook = await subscriber(account)
    new_form = await form(account, folderId=within, fields=_FIELDS)
    filled = await submission(account, new_form)
    work = await task(account, new_form)
    table = await datasource(account)
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    hooks = f"/webhooks/customer/{account.id}"
    invocations = await get(account, f"{hooks}/subscribers/{hook['id']}/invocations")
    events = await get(account, f"{hooks}/events")
    photo = await files.sent(account, new_form)
    exports = f"/customers/{account.id}/exports"
    nightly = {"name": "Nightly", "formId": new_form["id"], "schedule": {"every": "MONTHLY"}, "destination": _BUCKET}
    export = await post(account, exports, nightly)
    ids = {
        "customerId": account.id,
        "userId": (await user(account)).id,
        "groupId": (await group(account, account.owner.id))["id"],
        "roleId": (await role(account))["id"],
        "formId": new_form["id"],
        "versionId": new_form["publishedVersionId"],
        "submissionId": filled["id"],
        "commentId": (
            await post(account, f"/customers/{account.id}/submissions/{filled['id']}/comments", {"body": "Checked."})
        )["id"],
        "fileId": photo["id"],
        "mediaId": (await files.media(account, new_form))["id"],
        "importId": (await submission_imports.send(account, new_form, _IMPORTED)).json()["id"],
        "datasourceId": table["id"],
        "taskId": work["id"],
        "inviteId": (await invite(account, new_form))["id"],
        "templateId": (
            await post(account, f"/forms/customer/{account.id}/templates", {"name": "Visit", "fields": FIELDS})
        )["id"],
        "blockId": (
            await post(account, f"/forms/customer/{account.id}/question-blocks", {"name": "Visit", "fields": FIELDS})
        )["id"],
        "folderId": (await post(account, folders, {"name": "North", "parentId": within}))["id"],
        "viewId": (await post(account, f"/customers/{account.id}/views", _named_view(new_form["id"])))["id"],
        "exportId": export["id"],
        "runId": (await post(account, f"{exports}/{export['id']}/runs", None))["id"],
        "subscriberId": hook["id"],
        "invocationId": invocations["items"][0]["id"],
        "eventId": events["items"][0]["id"],
    }
    spare_draft = await post(account, versions, {"fields": FIELDS})
    draft = await post(account, versions, {"fields": FIELDS})
    parent = await post(account, folders, {"name": "South", "parentId": within})
    pulled = await datasources.pulled(account)
    ends = [(await task(account, new_form))["id"] for _ in range(2)]
    spare = {
        "datasourceId": (await datasource(account))["id"],
        "roleId": (await role(account))["id"],
        "versionId": spare_draft["id"],
        "grantable": (await role(account))["id"],
        "groupId": (await group(account))["id"],
    }
    deleted = await _deleted(account, new_form, within)
    return World(
        account,
        ids,
        draft["id"],
        parent["id"],
        pulled["id"],
        revoked=ends[0],
        completed=ends[1],
        spare=spare,
        deleted=deleted,
    )


async def _deleted(account: Account, kept: dict[str, Any], within: str | None) -> dict[str, str]:
    """Create a resource of each kind and move it to the trash; return their ids."""
    of_forms, of_account = f"/forms/customer/{account.id}", f"/customers/{account.id}"
    folder = {"name": "Gone", "parentId": within}
    table = await datasource(account, rows=[*datasources.rows(2), {"number": ROW}])
    ids = {
        "formId": (await form(account, folderId=within))["id"],
        "folderId": (await post(account, of_forms + "/folders", folder))["id"],
        "templateId": (await post(account, of_forms + "/templates", {"name": "Gone", "fields": FIELDS}))["id"],
        "blockId": (await post(account, of_forms + "/question-blocks", {"name": "Gone", "fields": FIELDS}))["id"],
        "datasourceId": (await datasource(account))["id"],
        "userId": (await user(account)).id,
        "groupId": (await group(account))["id"],
        "roleId": (await role(account))["id"],
    }
    versions = f"{of_forms}/forms/{kept['id']}/versions"
    version = (await post(account, versions, {"fields": FIELDS}))["id"]
    places = [f"{of_forms}/{name}s/{ids[name + 'Id']}" for name in ("form", "folder", "template")]
    places += [f"{of_account}/{name}s/{ids[name + 'Id']}" for name in ("datasource", "user", "group", "role")]
    places.append(f"{of_forms}/question-blocks/{ids['blockId']}")
    for place in [*places, f"{versions}/{version}", f"{of_account}/datasources/{table['id']}/rows?key={ROW}"]:
        response = await account.api.delete(PREFIX + place)
        assert response.status_code == 200, response.text
    return ids | {"versionId": version, "ofRow": table["id"]}


ROW = "C-gone"
"""The key of a deleted row."""


def _form(world: World) -> dict[str, Any]:
    settings = {"language": "en"}
    whole = {"name": "Visit", "fields": _fields(world), "publish": True, "tags": ["field"], "settings": settings}
    return whole | {"folderId": world.ids.get("folderId")}


def _fields(world: World) -> list[dict[str, Any]]:
    look_up = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": world.ids.get("datasourceId")}
    return [*_FIELDS, look_up] if "datasourceId" in world.ids else _FIELDS


# Nothing listens there, so tests of the destination fail right away.
_BUCKET = {
    "type": "S3",
    "endpoint": "http://127.0.0.1:9",
    "region": "eu-central-1",
    "bucket": "reports",
    "accessKeyId": "AKIA",
    "secretAccessKey": "not a secret",
}


def _export(world: World) -> dict[str, Any]:
    return {
        "name": "Nightly",
        "formId": world.ids["formId"],
        "viewId": world.ids["viewId"],
        "format": "CSV",
        "schedule": {"every": "DAILY", "hour": 5},
        "incremental": True,
        "recipients": [world.ids["userId"]],
    }


def _template(world: World) -> dict[str, Any]:
    return {"name": "Visit", "fields": _fields(world), "language": "en", "tags": ["field"]}


def _block(world: World) -> dict[str, Any]:
    return {"name": f"Visit {next(_numbers)}", "fields": _fields(world), "language": "en", "description": "Where"}


def _form_change(world: World) -> dict[str, Any]:
    return {"name": "Visits", "tags": ["field"], "folderId": world.ids["folderId"], "fields": _fields(world)}


def _version(world: World) -> dict[str, Any]:
    return {"fields": _fields(world), "settings": {"language": "en"}, "remarks": "Shorter"}


def _folder(world: World) -> dict[str, Any]:
    return {"name": f"Folder {next(_numbers)}", "parentId": world.parent}


def _bundle_import(world: World) -> dict[str, Any]:
    described = {"name": "Clients", "keyColumn": "number", "columns": ["number"]}
    sources = {world.ids["datasourceId"]: described} if "datasourceId" in world.ids else {}
    mapping = {"Clients": world.ids["datasourceId"]} if "datasourceId" in world.ids else {}
    exported = bundle(fields=_fields(world), datasources=sources)
    return {"bundle": exported, "folderId": world.ids.get("folderId"), "datasources": mapping, "publish": True}


def _copy(world: World) -> dict[str, Any]:
    return {"name": "Copy", "folderId": world.ids["folderId"], "versionId": world.ids["versionId"], "publish": True}


def _xlsform(world: World) -> bytes:
    return export_xlsform("Visit", Definition(msgspec.convert(FIELDS, list[AnyField]), FormSettings()))[0]


def _submission(world: World) -> dict[str, Any]:
    return {
        "data": {"site": "Harbour", "people": 3, "kind": "a", "day": "2026-03-29"},
        "externalId": f"crm-{next(_numbers)}",
        "submittedAt": "2026-03-29T14:30:00+02:00",
        "userId": world.ids["userId"],
        "location": {"latitude": 53.5, "longitude": 10, "accuracy": 4},
    }


def _submission_bulk(world: World) -> dict[str, Any]:
    one = {"id": world.ids["submissionId"]}
    items = [
        # Without an external id, so that it can be created again.
        {"op": "create", "formId": world.ids["formId"], **_submission(world) | {"externalId": None}},
        {"op": "update", **one, **_submission_change(world)},
        {"op": "review", **one, "status": "REJECTED", "note": "Which quay?"},
    ]
    return {"items": items, "atomic": True}


def _submission_change(world: World) -> dict[str, Any]:
    return _submission(world) | {"status": "REJECTED", "note": "Please name the site."}


def _named_view(form_id: str) -> dict[str, Any]:
    return {"name": f"View {next(_numbers)}", "formId": form_id}


def _view(world: World) -> dict[str, Any]:
    answers = {"site": "Harbour", "people[gte]": "3"}
    filter_ = {"status": ["SUBMITTED"], "userId": world.ids["userId"], "lastDays": 7, "answers": answers}
    place = {"folderId": world.ids["folderId"]} if "folderId" in world.ids else {}
    columns = ["submittedAt", "answers.site"]
    return _named_view(world.ids["formId"]) | {"filter": filter_ | place, "columns": columns, "order": "-updated"}


def _task(world: World) -> dict[str, Any]:
    return {
        "recipients": _recipients(world),
        "message": "Please",
        "data": {"site": "Harbour"},
        "dueAt": "2030-01-01T00:00:00Z",
        "completeWhen": "ALL",
        "externalId": f"erp-{next(_numbers)}",
    }


def _grant(world: World) -> dict[str, Any]:
    return grants(world.spare["grantable"], form=world.ids["formId"])[0]


def _grant_query(world: World) -> list[tuple[str, str]]:
    role_id, form_id = world.spare["grantable"], world.ids["formId"]
    return [("roleId", role_id), ("resourceType", "form"), ("resourceId", form_id)]


def _invite(world: World) -> dict[str, Any]:
    return {
        "formId": world.ids["formId"],
        "userId": world.ids["userId"],
        "name": "Ann",
        "message": "Please",
        "data": {"site": "Harbour"},
        "expiresAt": "2130-01-01T00:00:00Z",
        "remindAt": "2129-12-01T00:00:00Z",
        "externalId": f"crm-{next(_numbers)}",
    }


def _invites(world: World) -> list[tuple[str, str]]:
    return [("formId", world.ids["formId"]), ("status", "PENDING"), ("email", "ann@example.com"), ("limit", "2")]


def _recipients(world: World) -> dict[str, Any]:
    return {"users": [world.ids["userId"]], "groups": [world.ids["groupId"]]}


def _task_update(world: World) -> dict[str, Any]:
    return {"message": f"Soon {next(_numbers)}", "recipients": _recipients(world)}


def _task_change(world: World) -> dict[str, Any]:
    return {"id": world.ids["taskId"]} | _task_update(world)


def _grants(world: World) -> list[dict[str, Any]]:
    ids = {"account": world.ids["customerId"], "folder": world.ids["folderId"], "form": world.ids["formId"]}
    return grants(world.ids["roleId"], **ids)


def _user(world: World) -> dict[str, Any]:
    rights = {"groups": [world.ids["groupId"]], "grants": _grants(world)}
    return {"email": f"ann{next(_numbers)}@example.org", "name": "Ann", "language": "de"} | rights


def _group(world: World) -> dict[str, Any]:
    rights = {"members": [world.ids["userId"]], "grants": _grants(world)}
    return {"name": f"Team {next(_numbers)}"} | rights


def _role(world: World) -> dict[str, Any]:
    return {"name": f"Reviewer {next(_numbers)}", "permissions": ["submissions:read", "submissions:edit"]}


def _subscriber(world: World) -> dict[str, Any]:
    return {"url": URL, "name": "CRM", "types": ["submission.*"], "formIds": [world.ids["formId"]]}


def _reconciliation(world: World) -> dict[str, Any]:
    held = [{"id": world.ids["submissionId"], "revision": 1}]
    return {"submissions": held, "formIds": [world.ids["formId"]], "submittedTo": "2100-01-01T00:00:00Z"}


def _submissions(world: World) -> list[tuple[str, str]]:
    return [("formId", world.ids["formId"]), ("status", "SUBMITTED"), ("order", "-updated"), ("limit", "5")]


def _summary(world: World) -> list[tuple[str, str]]:
    return [("status", "SUBMITTED"), ("answers.people[gte]", "1"), ("splitBy", "kind")]


_LIST = Example(query=lambda world: [("limit", "2")])
_ONE = Example()


def _restored(name: str) -> Example:
    return Example(ids=lambda world: {name: world.deleted[name]})


EXAMPLES: dict[str, Example] = {
    "listSubmissions": Example(query=_submissions),
    "listCustomerSubmissions": Example(query=_submissions),
    "listSubmissionFeatures": Example(query=_submissions),
    "getSubmission": _ONE,
    "getSubmissionReport": _ONE,
    "createSubmission": Example(_submission),
    "updateSubmission": Example(_submission_change),
    "changeSubmissions": Example(_submission_bulk),
    "deleteSubmission": _ONE,
    "listSubmissionRevisions": _LIST,
    "listSubmissionComments": _LIST,
    "createSubmissionComment": Example(lambda world: {"body": "Which quay?", "mentions": [world.account.owner.id]}),
    "getSubmissionComment": _ONE,
    "deleteSubmissionComment": _ONE,
    "uploadFile": Example(
        file=lambda world: files.png(),
        query=lambda world: [("field", "photos"), ("name", "dot.png")],
    ),
    "importSubmissions": Example(file=lambda world: _IMPORTED, query=lambda world: [("name", "visits.csv")]),
    "listSubmissionImports": Example(query=lambda world: [("formId", world.ids["formId"]), ("limit", "2")]),
    "getSubmissionImport": _ONE,
    "getFile": _ONE,
    "listSubmissionFiles": _ONE,
    "listFormMedia": _ONE,
    "addFormMedia": Example(file=lambda world: files.png(), query=lambda world: [("name", "map.png")]),
    "deleteFormMedia": _ONE,
    "downloadFormMedia": _ONE,
    "importFormMedia": Example(file=lambda world: files.archive({"map.png": files.png(2)})),
    "downloadSubmissionFiles": Example(query=lambda world: [("formId", world.ids["formId"])]),
    "listViews": Example(query=lambda world: [("formId", world.ids["formId"]), ("limit", "2")]),
    "createView": Example(_view),
    "getView": _ONE,
    "updateView": Example(_view),
    "deleteView": _ONE,
    "listExports": _LIST,
    "createExport": Example(_export),
    "getExport": _ONE,
    "updateExport": Example(lambda world: _export(world) | {"destination": _BUCKET}),
    "deleteExport": _ONE,
    "listExportRuns": _LIST,
    "startExportRun": _ONE,
    "testExportDestination": _ONE,
    "getExportRun": _ONE,
    "createForm": Example(_form),
    "createCustomerForm": Example(_form),
    "listForms": _LIST,
    "getForm": _ONE,
    "getFormSummary": Example(query=_summary),
    "updateForm": Example(_form_change),
    "importForm": Example(file=_xlsform, query=lambda world: [("name", "From Excel"), ("publish", "true")]),
    "listFormVersions": _LIST,
    "upsertForm": Example(lambda world: _form(world) | {"externalId": f"erp-{next(_numbers)}"}),
    "getFormReceipts": _ONE,
    "updateFormReceipts": Example(lambda world: {"recipient": "FIELD", "field": "site"}),
    "copyForm": Example(_copy),
    "getFormBundle": _ONE,
    "getFormVersionBundle": _ONE,
    "importFormBundle": Example(_bundle_import),
    "createFormVersion": Example(_version),
    "validateFormVersion": Example(_version),
    "getFormVersion": _ONE,
    "updateFormVersion": Example(_version, ids=lambda world: {"versionId": world.draft}),
    "publishFormVersion": _ONE,
    "getFormVersionSchema": _ONE,
    "getFormVersionChanges": Example(query=lambda world: [("since", world.ids["versionId"])]),
    "exportFormVersion": _ONE,
    "getFormVersionExportReport": _ONE,
    "listTemplates": _LIST,
    "createTemplate": Example(_template),
    "getTemplate": _ONE,
    "updateTemplate": Example(_template),
    "listQuestionBlocks": Example(query=lambda world: [("q", "visit"), ("limit", "2")]),
    "createQuestionBlock": Example(_block),
    "getQuestionBlock": _ONE,
    "updateQuestionBlock": Example(_block),
    "listQuestionBlockVersions": Example(query=lambda world: [("number", "1"), ("limit", "2")]),
    "listQuestionBlockForms": _LIST,
    "deleteQuestionBlock": _ONE,
    "restoreQuestionBlock": _restored("blockId"),
    "listFolders": _LIST,
    "createFolder": Example(_folder),
    "getFolder": _ONE,
    "updateFolder": Example(_folder),
    "moveForms": Example(lambda world: {"formIds": [world.ids["formId"]]}),
    "deleteFormVersion": Example(ids=lambda world: {"versionId": world.spare["versionId"]}),
    "restoreFormVersion": _restored("versionId"),
    "deleteForm": _ONE,
    "restoreForm": _restored("formId"),
    "deleteTemplate": _ONE,
    "restoreTemplate": _restored("templateId"),
    "deleteFolder": _ONE,
    "restoreFolder": _restored("folderId"),
    "upsertDatasource": Example(lambda world: datasources.body() | {"externalId": f"erp-{next(_numbers)}"}),
    "createDatasource": Example(lambda world: datasources.body()),
    "listDatasources": _LIST,
    "listCustomerDatasources": _LIST,
    "getDatasource": _ONE,
    "updateDatasource": Example(lambda world: {"name": f"Clients {next(_numbers)}", "types": {"number": "text"}}),
    "refreshDatasource": Example(ids=lambda world: {"datasourceId": world.pulled}),
    "listDatasourceRows": Example(query=lambda world: [("q", "customer"), ("limit", "1")]),
    "replaceDatasourceRows": Example(lambda world: {"rows": datasources.rows(3)}),
    "upsertDatasourceRows": Example(lambda world: {"rows": datasources.rows(1)}),
    "listDatasourceImports": _LIST,
    "deleteDatasourceRow": Example(query=lambda world: [("key", "C-1")]),
    "restoreDatasourceRow": Example(
        lambda world: {"key": ROW}, ids=lambda world: {"datasourceId": world.deleted["ofRow"]}
    ),
    "deleteDatasource": Example(ids=lambda world: {"datasourceId": world.spare["datasourceId"]}),
    "restoreDatasource": _restored("datasourceId"),
    "createTask": Example(_task),
    "listTasks": _LIST,
    "getTask": _ONE,
    "getTaskCounts": Example(query=lambda world: [("by", "user")]),
    "updateTask": Example(_task_update),
    "updateTaskByReference": Example(_task_change),
    "revokeTask": Example(ids=lambda world: {"taskId": world.revoked}),
    "completeTask": Example(ids=lambda world: {"taskId": world.completed}),
    "createInvite": Example(_invite),
    "listInvites": Example(query=_invites),
    "getInvite": _ONE,
    "resendInvite": _ONE,
    "revokeInvite": _ONE,
    "listCustomers": _LIST,
    "getCustomer": _ONE,
    "getBranding": _ONE,
    "updateBranding": Example(lambda world: {"accentColor": "#2355c8", "senderName": "Harbour"}),
    "updateLogo": Example(file=lambda world: files.png()),
    "deleteLogo": _ONE,
    "listUsers": Example(query=lambda world: [("status", "ACTIVE"), ("groupId", world.ids["groupId"])]),
    "createUser": Example(_user),
    "getUser": _ONE,
    "updateUser": Example(_user),
    "upsertUser": Example(lambda world: _user(world) | {"externalId": f"hr-{next(_numbers)}"}),
    "getUserAccess": Example(query=lambda world: [("permission", "forms:read"), ("formId", world.ids["formId"])]),
    "listGroups": Example(query=lambda world: [("userId", world.ids["userId"]), ("limit", "2")]),
    "createGroup": Example(_group),
    "getGroup": _ONE,
    "updateGroup": Example(_group),
    "upsertGroup": Example(lambda world: _group(world) | {"externalId": f"hr-{next(_numbers)}"}),
    "listRoles": _LIST,
    "createRole": Example(_role),
    "getRole": _ONE,
    "updateRole": Example(_role),
    "addUserGrant": Example(_grant),
    "removeUserGrant": Example(query=_grant_query),
    "addGroupGrant": Example(_grant),
    "removeGroupGrant": Example(query=_grant_query),
    "addGroupMember": Example(
        lambda world: {"userId": world.ids["userId"]}, ids=lambda world: {"groupId": world.spare["groupId"]}
    ),
    "removeGroupMember": Example(ids=lambda world: {"groupId": world.spare["groupId"]}),
    "deleteUser": _ONE,
    "restoreUser": _restored("userId"),
    "deleteGroup": _ONE,
    "restoreGroup": _restored("groupId"),
    "deleteRole": Example(ids=lambda world: {"roleId": world.spare["roleId"]}),
    "restoreRole": _restored("roleId"),
    "listTrash": _LIST,
    "createSubscriber": Example(_subscriber),
    "createCustomerSubscriber": Example(_subscriber),
    "listEventTypes": _LIST,
    "reconcileSubmissions": Example(_reconciliation),
    "listReconciliationDays": Example(query=lambda world: [("formId", world.ids["formId"]), ("limit", "2")]),
    "replayEvents": Example(lambda world: {"afterSequence": 0, "types": ["submission.*"]}),
    "rotateSubscriberSecret": Example(lambda world: {"overlapHours": 1}),
    "listSubscribers": _LIST,
    "getSubscriber": _ONE,
    "updateSubscriber": Example(lambda world: _subscriber(world) | {"status": "ACTIVE"}),
    "deleteSubscriber": _ONE,
    "listInvocations": _LIST,
    "getInvocation": _ONE,
    "testSubscriber": _ONE,
    "retryInvocation": _ONE,
    "retryFailedInvocations": _ONE,
    "cancelInvocation": _ONE,
    "listAnnouncements": Example(query=lambda world: [("kind", "DEPRECATION"), ("limit", "2")]),
    "listAuditEntries": Example(query=lambda world: [("action", "form.*"), ("limit", "2")]),
    "listEvents": Example(query=lambda world: [("type", "form.created"), ("formId", world.ids["formId"])]),
    "getEvent": _ONE,
}
"""An example for each operation, by its name."""


def example(operation: Operation) -> Example:
    """Return the operation's example."""
    assert operation.name in EXAMPLES, (
        f"{operation.name} ({operation.method} {operation.path}) has no example: add one to EXAMPLES in"
        " tests/factories/sample_account.py, and the tenant and cast matrices and the OpenAPI walk will cover it."
    )
    return EXAMPLES[operation.name]


def path(operation: Operation, ids: dict[str, str]) -> str:
    """Return the path of an operation with these ids in it, percent-encoded."""
    return PREFIX + re.sub(r"\{(\w+)\}", lambda name: quote(ids[name[1]], safe=""), operation.path)


async def call(
    operation: Operation,
    world: World,
    *,
    client: httpx.AsyncClient | None = None,
    body: Any = ...,
    raw: bytes | AsyncIterator[bytes] | None = None,
    query: list[tuple[str, str]] | None = None,
    headers: dict[str, str] | None = None,
    **ids: str,
) -> httpx.Response:
    """Call an operation like its example, except for the arguments given here; `raw` is sent instead of JSON."""
    sample = example(operation)
    if body is ...:
        body = sample.body(world) if sample.body else None
    if raw is None and body is not None:
        raw = json.dumps(body).encode()
    elif raw is None and sample.file:
        raw = sample.file(world)
    client = client or world.account.api
    # httpx parses a URL once more for its base and for each set of parameters, even an empty one.
    return await client.request(
        operation.method,
        str(client.base_url).rstrip("/") + path(operation, world.ids | sample.ids(world) | ids),
        params=(sample.query(world) if query is None else query) or None,
        content=raw,
        headers=({} if raw is None else {"content-type": media_type_of(operation.body)}) | (headers or {}),
    )


async def state(account: Account) -> dict[str, Any]:
    """Return all rows of an account by table, to check that nothing changed."""
    postgres = account.ctx.settings.is_postgres
    async with account.ctx.db.reading() as tx:
        if not _OWNED:
            owned = await tx.fetch(_OWNED_ON_POSTGRES if postgres else _OWNED_ON_SQLITE)
            _OWNED.extend(sorted({name for (name,) in owned} - _OF_USE))
        if postgres:
            return dict(await tx.fetch(" UNION ALL ".join(_SUM.format(name) for name in _OWNED), account.id))
        return {name: await tx.fetch(_ROWS.format(name), account.id) for name in _OWNED}


_ROWS = "SELECT * FROM {0} WHERE customer_id = $1"
_SUM = "SELECT '{0}', md5(string_agg(r::text, ' ' ORDER BY r::text)) FROM {0} r WHERE customer_id = $1"
_OWNED_ON_SQLITE = "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE c.name = 'customer_id'"
_OWNED_ON_POSTGRES = (
    "SELECT table_name FROM information_schema.columns WHERE column_name = 'customer_id' AND table_schema = 'public'"
)
_OWNED: list[str] = []
"""The tables with a customer's data; filled on first use."""
_OF_USE = {"api_keys", "key_rates", "sessions"}
"""Tables that only record use: a rejected call counts as use too."""


@asynccontextmanager
async def unchanged(operation: Operation, *worlds: World) -> AsyncIterator[None]:
    """Assert that the block changes nothing in the accounts. Operations that only read are not checked."""
    accounts = [one.account for one in worlds] if operation.method != "GET" else []
    before = [await state(account) for account in accounts]
    yield
    assert [await state(account) for account in accounts] == before, f"{operation.name} changed something"
