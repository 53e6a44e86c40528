"""Calls of the client: every operation with its types, complete lists, and errors."""

import asyncio
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from actors import Account
from factories.clients import connected
from factories.forms import FIELDS
from factories.openapi_validator import described, faults_of
from factories.requests import PREFIX
from factories.sample_account import BY_NAME, World, example
from fixtures.one_database import ONE_DATABASE
from fixtures.sync_client import Bridge, waiting
from formwright_client import ApiError, Client, Paginator, Upload, etag

from formwright.api.binary_bodies import media_type_of
from formwright.api.operations import Operation
from scripts.client.python_syntax import snake_case
from scripts.client.resources import method_name

METHODS = {
    name: method_name(name) for name in BY_NAME if name.replace("Customer", "", 1) not in BY_NAME.keys() - {name}
}
FORM: Any = {"name": "Visit", "fields": FIELDS, "publish": True}


pytestmark = ONE_DATABASE


def arguments(name: str, world: World) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of the operation's example, the way the client accepts them."""
    operation, sample = BY_NAME[name], example(BY_NAME[name])
    ids = world.ids | sample.ids(world)
    positional = [ids[one] for one in operation.parameters if one != "customerId"]
    query = dict(sample.query(world))
    named: dict[str, Any] = {key: value for key, value in query.items() if not key.startswith("answers.")}
    if len(named) < len(query):
        named["answers"] = {key.partition(".")[2]: value for key, value in query.items() if key not in named}
    if sample.file:
        positional.append(Upload(sample.file(world), media_type_of(operation.body)))
    elif sample.body:
        named |= sample.body(world)
    if operation.method != "GET":
        named["dryRun"] = True
    return positional, {snake_case(key): value for key, value in named.items()}


async def test_each_call_is_accepted_and_its_response_matches_its_type(standing: World) -> None:
    """The requests of every operation are accepted, and the responses have the documented types."""
    bridge = Bridge(standing.account.stage.entrance, asyncio.get_running_loop())
    client = connected(standing.account, bridge, max_retries=0)
    for name in METHODS.keys() - {"listEvents"}:
        resource, method = METHODS[name]
        positional, named = arguments(name, standing)
        methods = getattr(client, resource)
        is_upload = bool(positional) and isinstance(positional[-1], Upload)
        call = getattr(methods, f"{method}_from_file", None) if is_upload else None
        call = call or getattr(methods, method)
        found = await asyncio.to_thread(_call, call, positional, named)
        assert isinstance(found, bytes) or faults_of(_answer_schema(BY_NAME[name]), found) == [], name


def _call(call: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> Any:
    found = call(*positional, **named)
    if not isinstance(found, Paginator):
        return found
    items = list(found)
    features = bool(items) and items[0].get("type") == "Feature"
    return {"items": items, "nextCursor": None, "next": None} | (
        {"type": "FeatureCollection", "features": items} if features else {}
    )


def _answer_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of the JSON response, or one that matches only null if there is none."""
    described_call = described()["paths"][PREFIX + operation.path][operation.method.lower()]
    content = described_call["responses"][str(operation.status)].get("content", {})
    answer = content.get("application/json") or content.get("application/geo+json", {})
    found: dict[str, Any] = answer.get("schema", {"type": "null"})
    return found


@waiting
def test_a_submission_is_created_changed_and_deleted(client: Client) -> None:
    form = client.forms.create(**FORM)
    submission = client.submissions.create(form["id"], data={"site": "Harbour", "people": 3}, external_id="crm-1")
    read = client.submissions.get(submission["id"])
    assert read["data"] == {"site": "Harbour", "people": 3}
    approved = client.submissions.update(submission["id"], status="APPROVED", if_match=etag(read))
    assert (approved["status"], approved["revision"]) == ("APPROVED", 2)
    with pytest.raises(ApiError) as late:
        client.submissions.update(submission["id"], status="REJECTED", if_match=etag(read))
    assert (late.value.status, late.value.code) == (412, "precondition.failed")
    client.submissions.delete(submission["id"], dry_run=True)
    client.submissions.delete(submission["id"])
    with pytest.raises(ApiError) as gone:
        client.submissions.get(submission["id"])
    assert (gone.value.code, gone.value.request_id[:4]) == ("submission.not_found", "req_")
    assert "submission.not_found" in str(gone.value)


@waiting
def test_many_submissions_are_changed_in_one_call(client: Client) -> None:
    form = client.forms.create(**FORM)
    submission = client.submissions.change(
        items=[{"op": "create", "formId": form["id"], "data": {"site": site}} for site in ("Harbour", "Quay 🎉")]
    )
    ids = [one["id"] or "" for one in submission["items"]]
    changed = client.submissions.change(
        items=[
            {"op": "update", "id": ids[0], "data": {"site": "Quay 4"}},
            {"op": "review", "id": ids[0], "status": "APPROVED"},
            {"op": "delete", "id": ids[1]},
            {"op": "delete", "id": ids[1]},
        ]
    )
    assert [one["status"] for one in changed["items"]] == [200, 200, 204, 404]
    assert (changed["failed"], client.submissions.get(ids[0])["data"]) == (1, {"site": "Quay 4"})
    with pytest.raises(ApiError) as refused:
        client.submissions.change(items=[{"op": "delete", "id": one} for one in ids], atomic=True)
    assert refused.value.code == "submission.bulk_rejected"
    assert [(one.pointer, one.code) for one in refused.value.errors] == [("/items/1/id", "submission.not_found")]


@waiting
def test_an_error_contains_each_validation_error(client: Client) -> None:
    form = client.forms.create(**FORM)
    with pytest.raises(ApiError) as refused:
        client.submissions.create(form["id"], data={"people": "three"})
    assert refused.value.code == "request.invalid"
    assert {(one.pointer, one.code) for one in refused.value.errors} == {
        ("/data/site", "value.required"),
        ("/data/people", "value.type"),
    }
    assert "/data/people: value.type" in str(refused.value)


@waiting
def test_a_list_is_read_to_its_end(client: Client, bridge: Bridge) -> None:
    form = client.forms.create(**FORM)
    created = [client.submissions.create(form["id"], data={"site": f"é{n}&"})["id"] for n in range(5)]
    request_count = len(bridge.asked)
    listed = client.submissions.list(form_id=[form["id"]], order="updated", limit=2)
    assert [one["id"] for one in listed] == created
    assert len(bridge.asked) - request_count == 3
    assert [len(page) for page in listed.pages()] == [2, 2, 1]
    reading = iter(listed)
    first = [next(reading), next(reading)]
    client.submissions.update(created[0], data={"site": "Changed"})
    later = list(reading)
    assert [one["id"] for one in first + later] == [*created, created[0]]
    assert later[-1]["data"] == {"site": "Changed"}


@waiting
def test_lists_are_filtered_by_time_status_and_answers(client: Client) -> None:
    form = client.forms.create(**FORM)
    day = datetime(2026, 3, 29, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    for n, site in enumerate(("a,b", "Quay", "Pier")):
        data = {"site": site, "people": n, "day": date(2026, 3, 29)}
        client.submissions.create(form["id"], data=data, submitted_at=day + timedelta(days=n))

    def sites(**query: Any) -> list[Any]:
        return [one["data"]["site"] for one in client.submissions.list(form_id=[form["id"]], **query)]

    assert sites(submitted_from=day + timedelta(days=1)) == ["Quay", "Pier"]
    assert sites(submitted_to="2026-03-30T00:00:00Z", status=["SUBMITTED", "APPROVED"]) == ["a,b"]
    assert sites(answers={"people[gte]": 1, "site[ne]": "Pier", "day": date(2026, 3, 29)}) == ["Quay"]
    assert sites(answers={"site[in]": ["a,b", "Pier"]}) == ["a,b", "Pier"]
    assert sites(status=["STARTED"]) == []


@waiting
def test_an_id_cannot_change_its_path(client: Client) -> None:
    for name in ("../../../customers", "a/b?c=d#e", "%2e%2e"):
        with pytest.raises(ApiError) as refused:
            client.forms.get(name)
        assert refused.value.status == 404
    for name in ("", ".", ".."):
        with pytest.raises(ValueError, match="not an id"):
            client.submissions.delete(name)


@waiting
def test_another_account_is_not_found(client: Client, stranger: Account) -> None:
    form = client.forms.create(**FORM)
    http = client._http_client
    other = Client(stranger.stage.base_url, stranger.key, http_client=http)
    assert other.get_customer_id() == stranger.id
    with pytest.raises(ApiError) as refused:
        other.forms.get(form["id"])
    assert refused.value.code == "form.not_found"
    with pytest.raises(ApiError) as unknown:
        Client(stranger.stage.base_url, "fwk_nobody", http_client=http).forms.get(form["id"])
    assert unknown.value.code == "key.unknown"


@waiting
def test_one_task_or_several_are_created(client: Client, account: Account) -> None:
    form = client.forms.create(**FORM)
    new: Any = {"recipients": {"users": [account.owner.id]}, "message": "Bitte — 请"}
    assert client.tasks.create(form["id"], **new)["message"] == new["message"]
    assert [task["message"] for task in client.tasks.create_many(form["id"], (new, new))] == [new["message"]] * 2


@waiting
def test_rows_are_uploaded_as_a_file(client: Client) -> None:
    file = Upload.csv(b"number,name\nC-1,Hafen\nC-2,Kai\n")
    datasource = client.datasources.create_from_file(file, name="Customers", key_column="number")
    assert datasource["rowCount"] == 2
    assert [row["key"] for row in client.datasources.list_rows(datasource["id"])] == ["C-1", "C-2"]


@waiting
def test_only_single_resources_have_an_etag(client: Client) -> None:
    client.forms.create(**FORM)
    with pytest.raises(ValueError, match="get"):
        etag(next(iter(client.forms.list())))
