"""The OpenAPI document is committed, valid, complete and correct."""

import difflib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from actors import Account, Stage
from factories import datasources, exports, subscribers
from factories.forms import form
from factories.invites import every_state
from factories.openapi_validator import check, codes, described, faults_of
from factories.requests import PREFIX, get
from factories.sample_account import BY_NAME, World, call, example, world
from factories.tasks import every_event
from openapi_spec_validator import OpenAPIV31SpecValidator

from formwright.api.binary_bodies import is_file
from formwright.api.openapi import document as openapi_document
from formwright.api.v1_0.operations import OPERATIONS
from formwright.api.v1_0.schemas.events import CATALOGUE

COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"

QUIET = {"validateFormVersion", "reconcileSubmissions"}
"""Operations with a body that change nothing."""

FIXED = [
    ("get", "/customers/{customerId}/submissions/{submissionId}"),
    ("get", "/forms/customer/{customerId}/forms/{formId}"),
    ("get", "/webhooks/customer/{customerId}/events"),
    ("post", "/customers/{customerId}/datasources"),
    ("post", "/customers/{customerId}/{formId}/tasks"),
    ("get", "/customers/{customerId}/users/{userId}"),
    ("get", "/submissions"),
    ("post", "/forms"),
    ("put", "/tasks"),
    ("get", "/datasources"),
    ("post", "/webhooks/subscribers"),
]


def test_the_committed_document_is_current() -> None:
    committed, generated = COMMITTED.read_text(), openapi_document.format_document()
    changes = list(difflib.unified_diff(committed.splitlines(), generated.splitlines(), "committed", "made", n=1))
    assert not changes, "docs/openapi.json is out of date: run `make openapi`\n" + "\n".join(changes[:60])


def test_the_document_is_valid_openapi_3_1() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(described()).iter_errors()] == []


@pytest.mark.parametrize(("method", "path"), FIXED)
def test_the_paths_of_the_specification_exist(method: str, path: str) -> None:
    assert method in described()["paths"].get(PREFIX + path, {})


def test_the_document_and_the_router_match(stage: Stage) -> None:
    described_calls = {(m.upper(), path) for path, methods in described()["paths"].items() for m in methods}
    api: Any = stage.entrance.interfaces["/api"].app
    assert api.routes - {("GET", f"{PREFIX}/openapi.json")} == described_calls


async def test_the_document_needs_no_key(stage: Stage) -> None:
    async with stage.client() as nobody:
        response = await nobody.get(f"{PREFIX}/openapi.json")
    assert response.status_code == 200
    assert response.json() == described()


def test_every_operation_has_a_unique_id_and_a_summary() -> None:
    operations = [operation for methods in described()["paths"].values() for operation in methods.values()]
    assert all(operation["summary"] and operation["tags"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)


def test_every_operation_parameter_and_property_is_described() -> None:
    operations = [operation for methods in described()["paths"].values() for operation in methods.values()]
    # The generated sentence on permissions alone does not describe an operation.
    assert [o["operationId"] for o in operations if "\n\n" not in o["description"]] == []
    assert [(o["operationId"], p["name"]) for o in operations for p in o["parameters"] if not p["description"]] == []
    schemas = described()["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description")] == []
    assert [
        (name, member)
        for name, schema in schemas.items()
        for member, described_as in schema.get("properties", {}).items()
        if member not in ("type", "op") and not _is_described(described_as)
    ] == []


def _is_described(schema: dict[str, Any]) -> bool:
    """Whether a property has a description, or refers to a schema, which has one."""
    return bool({"description", "$ref"} & schema.keys()) or any(map(_is_described, schema.get("anyOf", [])))


def test_an_error_code_always_has_the_same_status() -> None:
    responses = [
        (status, code)
        for methods in described()["paths"].values()
        for operation in methods.values()
        for status, response in operation["responses"].items()
        for code in codes(response)
    ]
    statuses: dict[str, set[str]] = {}
    for status, code in responses:
        statuses.setdefault(code, set()).add(status)
    assert {code: found for code, found in statuses.items() if len(found) > 1} == {}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_operation_documents_that_the_database_may_be_unavailable(name: str) -> None:
    operation = BY_NAME[name]
    responses = described()["paths"][PREFIX + operation.path][operation.method.lower()]["responses"]
    assert "database.unavailable" in codes(responses["503"])
    assert ("files.unavailable" in codes(responses["503"])) == operation.streams_body


async def test_an_unreadable_table_is_answered_as_documented(
    account: Account, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(account.ctx.files, "_folder", tmp_path / "gone")
    address, headers = f"{PREFIX}/customers/{account.id}/datasources?name=a", {"content-type": "text/csv"}
    response = await account.api.post(address, content=b"k\n1\n", headers=headers)
    assert (response.status_code, response.json()["code"]) == (503, "files.unavailable")


@pytest.mark.parametrize("name", [name for name, one in BY_NAME.items() if one.method == "GET" or name in QUIET])
async def test_the_example_of_every_reading_operation_is_answered_as_documented(standing: World, name: str) -> None:
    """`test_audit` calls all operations that change something."""
    response = await call(BY_NAME[name], standing)
    assert response.status_code == BY_NAME[name].status, response.text
    await check(response)


@pytest_asyncio.fixture(scope="module")
async def here(stage: Stage) -> AsyncIterator[World]:
    """An account with one of everything, in which tests create more."""
    async with stage.account("Created") as account:
        furnished = await world(account)
        account.api.event_hooks["response"].append(check)
        yield furnished


@pytest.mark.parametrize("name", [o.name for o in OPERATIONS if o.location])
async def test_a_created_resource_can_be_read_at_its_location(here: World, name: str) -> None:
    response = await call(BY_NAME[name], here)
    assert response.status_code == BY_NAME[name].status, response.text
    read = await here.account.api.get(response.headers["location"])
    assert read.status_code == 200
    assert read.json().items() <= response.json().items()


@pytest.mark.parametrize("name", [o.name for o in OPERATIONS if o.body and not is_file(o.body)])
def test_the_examples_match_the_documented_bodies(standing: World, name: str) -> None:
    body = example(BY_NAME[name]).body
    assert body
    operation = described()["paths"][PREFIX + BY_NAME[name].path][BY_NAME[name].method.lower()]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert faults_of(schema, body(standing)) == []


_STATUSES = ["DISABLED", "ACTIVE"]


async def test_each_event_matches_the_webhooks_section(account: Account) -> None:
    here = await world(account)
    await call(BY_NAME["updateTaskByReference"], here)
    await form(account, publish=False)
    await call(BY_NAME["updateForm"], here)
    await call(BY_NAME["updateForm"], here, body={"status": "ARCHIVED"})
    for name, body in [
        ("updateGroup", ...),
        ("updateQuestionBlock", ...),
        ("updateRole", ...),
        ("updateDatasource", ...),
        *(("updateUser", {"status": s}) for s in _STATUSES),
    ]:
        await call(BY_NAME[name], here, body=body)
    await datasources.fail(account)
    await subscribers.fail(account)
    await call(BY_NAME["updateSubmission"], here)
    await call(BY_NAME["deleteSubmissionComment"], here)
    await call(BY_NAME["deleteSubmission"], here)
    await every_state(account, await form(account))
    await every_event(account, await form(account))
    for operation in (one for one in OPERATIONS if one.name.startswith("restore")):
        assert (await call(operation, here)).status_code == 200
    await exports.every_event(account, (await form(account))["id"])
    events = (await get(account, f"/webhooks/customer/{account.id}/events", limit=1000))["items"]
    assert {event["type"] for event in events} == set(CATALOGUE)
    for event in events:
        described_event = described()["webhooks"][event["type"]]["post"]
        schema = described_event["requestBody"]["content"]["application/json"]["schema"]
        assert faults_of(schema, event) == []
        assert event["category"] == CATALOGUE[event["type"]][0]
