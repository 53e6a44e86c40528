"""Conventions of all operations: ids and times, headers, methods, media types, queries, HTTPS."""

import gzip
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec
import pytest
from actors import Account, Stage
from factories.datasources import datasource, rows
from factories.pagination import items_of
from factories.sample_account import BY_NAME, World, call, example, path, unchanged, world
from fixtures.one_database import ONE_DATABASE

from formwright.api.operations import Operation
from formwright.api.pagination import PageQuery
from formwright.api.v1_0.operations import OPERATIONS

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
TIMES = {"created", "updated", "timestamp", "startedAt", "submittedAt", "dueAt", "nextTry", "started"}
LISTS = pytest.mark.parametrize(
    "operation", [o for o in OPERATIONS if o.query and issubclass(o.query, PageQuery)], ids=lambda o: o.name
)
EVERY = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)


async def test_times_are_rfc_3339_in_utc_with_milliseconds_and_ids_have_prefixes(
    account: Account,
) -> None:
    here = await world(account)
    plain = [o for o in OPERATIONS if o.method == "GET" and set(o.parameters) <= {"customerId"}]
    responses = [await call(o, here, query=[]) for o in [*plain, BY_NAME["getInvocation"]]]
    answered = _members([one.json() for one in responses if "json" in one.headers["content-type"]])
    # An object with such a name is part of the schema of an event.
    shown = [(name, value) for name, value in answered if not isinstance(value, dict)]
    for name, value in shown:
        if name in TIMES:
            assert value is None or TIME.fullmatch(value), f"{name}: {value}"
        elif (name == "id" or name.endswith("Id")) and name not in ("externalId", "accessKeyId", "xformId"):
            assert value is None or ID.fullmatch(value), f"{name}: {value}"
    assert TIMES - {"started"} <= {name for name, _ in shown}


async def test_created_is_the_current_time(account: Account) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    new_datasource = await datasource(account)
    assert before <= datetime.fromisoformat(new_datasource["created"]) <= datetime.now(UTC)


@ONE_DATABASE
@pytest.mark.parametrize("given", ["a", "8f14e45f-ceea-467f-a8b6-0a9dc1b1d5c9", "A.b_c-9", "x" * 128])
async def test_a_valid_request_id_is_used(account: Account, given: str) -> None:
    response = await account.api.get("/api/v1.0/nothing", headers={"x-request-id": given})
    assert response.headers.get_list("x-request-id") == [given]
    assert response.json()["requestId"] == given


@ONE_DATABASE
@pytest.mark.parametrize("given", ["", " ", "x" * 129, "a b", "ä", "<script>", 'a"b', "a,b"])
async def test_an_invalid_request_id_is_replaced(account: Account, given: str) -> None:
    response = await account.api.get("/api/v1.0/nothing", headers={"x-request-id": given.encode()})
    assert re.fullmatch(r"req_[0-7][0-9a-z]{25}", response.headers["x-request-id"])
    assert response.json()["requestId"] == response.headers["x-request-id"]


async def test_each_request_has_its_own_id(account: Account) -> None:
    ids = {(await account.api.get("/api/v1.0/customers")).headers["x-request-id"] for _ in range(5)}
    assert len(ids) == 5


async def test_every_response_has_strict_transport_security(account: Account) -> None:
    for address in ("/api/v1.0/customers", "/api/v1.0/nothing", "/api/v1.0/openapi.json"):
        response = await account.api.get(address)
        assert int(response.headers["strict-transport-security"].partition("max-age=")[2]) >= 31_536_000
        assert response.headers["x-content-type-options"] == "nosniff"


@ONE_DATABASE
@EVERY
async def test_plain_http_requests_are_rejected_and_not_redirected(standing: World, operation: Operation) -> None:
    account = standing.account
    async with unchanged(operation, standing), _plain(account.stage, account.key) as plain:
        response = await call(operation, standing, client=plain)
    assert (response.status_code, response.json()["code"]) == (403, "https.required")
    assert response.headers["content-type"] == "application/problem+json"
    assert {"location", "strict-transport-security"} & response.headers.keys() == set()


@ONE_DATABASE
@pytest.mark.parametrize(
    "address",
    ["/api", "/api/", "/api/v1.0", "/api/v1.0/", "/api/v1", "/api/v2.0/forms", "/api/v1.0/form", "/api/v1.0/formsx"],
)
async def test_unknown_paths_return_a_problem(account: Account, address: str) -> None:
    response = await account.api.get(address)
    assert (response.status_code, response.json()["code"]) == (404, "route.not_found")
    assert response.headers["content-type"] == "application/problem+json"


@ONE_DATABASE
@EVERY
async def test_an_unsupported_method_returns_the_supported_ones(standing: World, operation: Operation) -> None:
    address = path(operation, standing.ids)
    taken = {o.method for o in OPERATIONS if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", o.path), operation.path)}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - taken:
        response = await standing.account.api.request(method, address)
        assert (response.status_code, response.json()["code"]) == (405, "method.not_allowed"), method
        allowed = {word.strip() for word in response.headers["allow"].split(",")} - {"OPTIONS"}
        assert operation.method in allowed <= taken | {"HEAD"}
        assert ("HEAD" in allowed) == ("GET" in allowed)


@ONE_DATABASE
@EVERY
async def test_options_lists_the_methods_of_a_path(standing: World, operation: Operation) -> None:
    response = await standing.account.api.options(path(operation, standing.ids))
    taken = {o.method for o in OPERATIONS if o.path == operation.path}
    assert (response.status_code, response.content) == (204, b"")
    assert set(response.headers["allow"].split(", ")) == taken | {"OPTIONS"} | ({"HEAD"} if "GET" in taken else set())


@ONE_DATABASE
@EVERY
async def test_an_accept_header_without_json_returns_406(standing: World, operation: Operation) -> None:
    async with unchanged(operation, standing):
        response = await call(operation, standing, headers={"accept": "text/html, image/png"})
    assert (response.status_code, response.json()["code"]) == (406, "accept.not_acceptable")


@pytest.mark.parametrize(
    "accept", ["*/*", "application/*", "application/json", "Application/JSON", "text/html, application/json;q=0.5"]
)
async def test_an_accept_header_with_json_among_others_returns_json(account: Account, accept: str) -> None:
    response = await account.api.get("/api/v1.0/customers", headers={"accept": accept})
    assert response.headers["content-type"] == "application/json"


@ONE_DATABASE
@EVERY
async def test_an_unknown_query_parameter_is_rejected_with_a_pointer(standing: World, operation: Operation) -> None:
    known = {field.encode_name for field in msgspec.structs.fields(operation.query)} if operation.query else set()
    async with unchanged(operation, standing):
        for name in {"nobody", "dryRun", "Limit", "form_id", "a\0b", "ä"} - known:
            response = await call(operation, standing, query=[*example(operation).query(standing), (name, "true")])
            assert (response.status_code, response.json()["code"]) == (400, "query.invalid"), response.text
            assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == [(f"?{name}", "query.unknown")]


@ONE_DATABASE
@LISTS
async def test_an_invalid_limit_is_rejected(standing: World, operation: Operation) -> None:
    for limit in ("0", "-1", "1001", "abc", "", "1.5", " ", "99999999999999999999", "\0", "٣"):
        response = await call(operation, standing, query=[("limit", limit)])
        assert response.status_code == 400, f"{limit!r}: {response.text}"
        assert [fault["pointer"] for fault in response.json()["errors"]] == ["?limit"]


@pytest.mark.parametrize("name", ["listTasks", "listSubmissions", "listEvents", "listAuditEntries"])
async def test_query_parameters_accept_neither_null_nor_numeric_times(standing: World, name: str) -> None:
    members = {"overdue", "dueTo", "submittedFrom", "updatedTo", "after", "from", "to"}
    for member in members & {field.encode_name for field in msgspec.structs.fields(BY_NAME[name].query)}:
        for value in ("null", *(("0", "1700000000", "0.5", "-1700") if member not in ("after", "overdue") else ())):
            response = await call(BY_NAME[name], standing, query=[(member, value)])
            assert response.status_code == 400, f"{member}={value}"
            assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == [(f"?{member}", "query.value")]


@LISTS
async def test_the_smallest_and_largest_limits_are_accepted(standing: World, operation: Operation) -> None:
    for limit in ("1", "1000"):
        response = await call(operation, standing, query=[("limit", limit)])
        assert len(items_of(response.json())) <= int(limit)


@ONE_DATABASE
@LISTS
async def test_all_errors_of_a_query_are_reported_at_once(standing: World, operation: Operation) -> None:
    query = [("limit", "0"), ("nobody", "1"), ("cursor", "a"), ("cursor", "b")]
    response = await call(operation, standing, query=query)
    assert {fault["pointer"] for fault in response.json()["errors"]} == {"?limit", "?nobody", "?cursor"}


@LISTS
async def test_no_value_of_a_query_parameter_causes_a_server_error(standing: World, operation: Operation) -> None:
    names = [field.encode_name for field in msgspec.structs.fields(operation.query)]
    for value in ("", "\0", "a\0b", "🎉", "x" * 5000, "null", "[]", "9" * 400, "-9" * 9, "2026-03-29T14:30:00+02:00"):
        for name in names:
            response = await call(operation, standing, query=[(name, value)])
            assert response.status_code in (200, 400), f"{name}={value[:40]!r}: {response.text}"


async def test_a_query_that_is_not_utf_8_is_not_a_server_error(account: Account) -> None:
    for query in ("status=%FF", "cursor=%ED%A0%BD", "type=%", "&&&=&=1", "limit", "%00=1"):
        for address in ("/api/v1.0/submissions", f"/api/v1.0/webhooks/customer/{account.id}/events"):
            assert (await account.api.get(f"{address}?{query}")).status_code in (200, 400)


async def test_an_unencoded_plus_is_explained(account: Account) -> None:
    response = await account.api.get("/api/v1.0/submissions?submittedFrom=2026-03-29T14:30:00+02:00")
    [fault] = response.json()["errors"]
    assert (fault["pointer"], fault["code"]) == ("?submittedFrom", "query.value")
    assert "%2B" in fault["detail"]


async def test_responses_are_compressed_if_the_client_accepts_it(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(200))
    address = f"/api/v1.0/customers/{account.id}/datasources/{new_datasource['id']}/rows"
    whole = await account.api.get(address, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in whole.headers
    request = account.api.build_request("GET", address, headers={"accept-encoding": "gzip"})
    squeezed = await account.api.send(request, stream=True)
    sent = b"".join([part async for part in squeezed.aiter_raw()])
    assert squeezed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in squeezed.headers["vary"].lower()
    assert len(sent) < len(whole.content) / 2
    assert json.loads(gzip.decompress(sent)) == whole.json()


async def test_links_begin_with_the_url_of_the_request(account: Account) -> None:
    here = await world(account)
    response = await call(BY_NAME["createForm"], here, headers={"host": "forms.example.org:8443"})
    assert response.headers["location"].startswith("https://forms.example.org:8443/api/v1.0/forms/customer/")


async def test_a_204_response_has_neither_body_nor_media_type(account: Account) -> None:
    response = await call(BY_NAME["deleteSubscriber"], await world(account))
    assert (response.status_code, response.content) == (204, b"")
    assert "content-type" not in response.headers


def _plain(stage: Stage, key: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(stage.entrance, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://forms.test", headers={"x-api-key": key})


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every property of every object at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from _members(inner)
    if isinstance(value, list):
        for inner in value:
            yield from _members(inner)
