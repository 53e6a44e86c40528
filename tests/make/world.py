"""An account with one of everything, and an example call of every operation."""

import itertools
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
from cast import Account

from formwright.api.operation import Operation
from formwright.api.v1_0.operations import OPERATIONS
from make import datasources
from make.datasources import datasource
from make.forms import FIELDS, form
from make.posting import PREFIX, get
from make.submissions import submission
from make.subscribers import URL, subscriber
from make.tasks import task

BY_NAME = {operation.name: operation for operation in OPERATIONS}
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class World:
    """An account and, by the name of the path's member, the id of one thing of each kind in it."""

    account: Account
    ids: dict[str, str]


@dataclass(frozen=True, slots=True)
class Example:
    """What an operation is sent so that it succeeds, again and again."""

    body: Callable[[World], dict[str, Any]] | None = None
    query: Callable[[World], list[tuple[str, str]]] = field(default=lambda world: [])


async def world(account: Account) -> World:
    """Fill an account with one of everything."""
    hook = await subscriber(account)
    made = await form(account)
    filled = await submission(account, made)
    work = await task(account, made)
    table = await datasource(account)
    hooks = f"/webhooks/customer/{account.id}"
    invocations = await get(account, f"{hooks}/subscribers/{hook['id']}/invocations")
    events = await get(account, f"{hooks}/events")
    ids = {
        "customerId": account.id,
        "userId": account.owner.id,
        "formId": made["id"],
        "versionId": made["publishedVersionId"],
        "submissionId": filled["id"],
        "datasourceId": table["id"],
        "taskId": work["id"],
        "subscriberId": hook["id"],
        "invocationId": invocations["items"][0]["id"],
        "eventId": events["items"][0]["id"],
    }
    return World(account, ids)


def _form(world: World) -> dict[str, Any]:
    return {"name": "Visit", "fields": FIELDS, "publish": True, "tags": ["field"], "settings": {"language": "en"}}


def _submission(world: World) -> dict[str, Any]:
    return {
        "data": {"site": "Harbour", "people": 3, "kind": "a", "day": "2026-03-29"},
        "externalId": f"crm-{next(_numbers)}",
        "submittedAt": "2026-03-29T14:30:00+02:00",
        "userId": world.ids["userId"],
        "location": {"latitude": 53.5, "longitude": 10, "accuracy": 4},
    }


def _task(world: World) -> dict[str, Any]:
    return {
        "recipients": {"users": [world.ids["userId"]]},
        "message": "Please",
        "data": {"site": "Harbour"},
        "dueAt": "2030-01-01T00:00:00Z",
        "completeWhen": "ALL",
        "externalId": f"erp-{next(_numbers)}",
    }


def _task_change(world: World) -> dict[str, Any]:
    return {"id": world.ids["taskId"], "message": "Soon", "recipients": {"users": [world.ids["userId"]]}}


def _subscriber(world: World) -> dict[str, Any]:
    return {"url": URL, "name": "CRM", "types": ["submission.*"], "formIds": [world.ids["formId"]]}


def _submissions(world: World) -> list[tuple[str, str]]:
    return [("formId", world.ids["formId"]), ("status", "SUBMITTED"), ("order", "-updated"), ("limit", "5")]


_LIST = Example(query=lambda world: [("limit", "2")])
_ONE = Example()

EXAMPLES: dict[str, Example] = {
    "listSubmissions": Example(query=_submissions),
    "listCustomerSubmissions": Example(query=_submissions),
    "getSubmission": _ONE,
    "createSubmission": Example(_submission),
    "createForm": Example(_form),
    "createCustomerForm": Example(_form),
    "listForms": _LIST,
    "getForm": _ONE,
    "listVersions": _LIST,
    "getVersion": _ONE,
    "createDatasource": Example(lambda world: datasources.body()),
    "listDatasources": _LIST,
    "listCustomerDatasources": _LIST,
    "getDatasource": _ONE,
    "listDatasourceRows": _LIST,
    "createTask": Example(_task),
    "listTasks": _LIST,
    "getTask": _ONE,
    "changeTask": Example(_task_change),
    "listCustomers": _LIST,
    "getCustomer": _ONE,
    "listUsers": _LIST,
    "getUser": _ONE,
    "createSubscriber": Example(_subscriber),
    "createCustomerSubscriber": Example(_subscriber),
    "listSubscribers": _LIST,
    "getSubscriber": _ONE,
    "deleteSubscriber": _ONE,
    "listInvocations": _LIST,
    "getInvocation": _ONE,
    "listEvents": Example(query=lambda world: [("type", "form.created"), ("formId", world.ids["formId"])]),
    "getEvent": _ONE,
}
"""An example for each operation, by its name."""


def example(operation: Operation) -> Example:
    """The operation's example."""
    assert operation.name in EXAMPLES, (
        f"{operation.name} ({operation.method} {operation.path}) has no example: add one to EXAMPLES in"
        " tests/make/world.py, and the tenant and cast matrices and the OpenAPI walk will cover it."
    )
    return EXAMPLES[operation.name]


def path(operation: Operation, ids: dict[str, str]) -> str:
    """The address of an operation with these ids in it, percent-encoded."""
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
    """Call an operation as its example says, but for what is named here; `raw` is sent instead of JSON."""
    told = example(operation)
    if body is ...:
        body = told.body(world) if told.body else None
    if raw is None and body is not None:
        raw = json.dumps(body).encode()
    return await (client or world.account.api).request(
        operation.method,
        path(operation, world.ids | ids),
        params=told.query(world) if query is None else query,
        content=raw,
        headers=({} if raw is None else {"content-type": "application/json"}) | (headers or {}),
    )


async def state(account: Account) -> dict[str, Any]:
    """All that an account holds, as the API shows it: to see that nothing changed."""
    lists = [o for o in OPERATIONS if o.method == "GET" and set(o.parameters) <= {"customerId"}]
    answers = {o.name: await account.api.get(path(o, {"customerId": account.id})) for o in lists}
    assert all(answer.status_code == 200 for answer in answers.values())
    return {name: answer.json() for name, answer in answers.items()}
