"""Invalid requests get a 4xx problem with pointers to the errors, and nothing is partially written."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from actors import Account, Stage
from factories.bodies import places, pointers, with_value
from factories.forms import form
from factories.openapi_validator import check
from factories.sample_account import BY_NAME, World, call, example, state, world
from fixtures.one_database import ONE_DATABASE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.api.binary_bodies import is_file
from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.core.errors import pointer

MIB_10 = 10 * 1024 * 1024
TAKING_JSON = [o for o in OPERATIONS if o.body and not is_file(o.body)]
WITH_BODY = pytest.mark.parametrize("operation", TAKING_JSON, ids=lambda o: o.name)

MALFORMED = {
    "empty": b"",
    "spaces": b"  \n",
    "unfinished": b'{"name": "a"',
    "words": b"name=a&fields=",
    "single quotes": b"{'name': 'a'}",
    "comma at the end": b'{"name": "a",}',
    "more behind it": b'{"name": "a"} {}',
    "a comment": b'{"name": "a"} // a',
    "NaN": b'{"name": NaN}',
    "infinity": b'{"name": -Infinity}',
    "beyond all numbers": b'{"name": 1e999}',
    "a number of 5,000 digits": b'{"name": ' + b"7" * 5000 + b"}",
    "a number with a zero before it": b'{"name": 007}',
    "NUL in a text": b'{"name": "a\0b"}',
    "NUL in a name": b'{"na\0me": "a"}',
    "NUL at the end": b'{"name": "a"}\0',
    "a line feed in a text": b'{"name": "a\nb"}',
    "half a surrogate pair": b'{"name": "\\ud83d"}',
    "a surrogate pair turned round": b'{"name": "\\ude00\\ud83d"}',
    "half a surrogate pair as bytes": b'{"name": "\xed\xa0\xbd"}',
    "Latin-1": '{"name": "Käte"}'.encode("latin-1"),
    "UTF-16": '{"name": "a"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "a"}',
    "overlong UTF-8": b'{"name": "\xc0\xaf"}',
    "100,000 lists": b"[" * 100_000 + b"]" * 100_000,
    "100,000 objects": b'{"name":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest_asyncio.fixture(scope="module")
async def here(stage: Stage) -> AsyncIterator[World]:
    """An account with one of every resource, shared by all tests of this module."""
    async with stage.account("Battered") as account:
        created = await world(account)
        account.api.event_hooks["response"].append(check)
        yield created


@ONE_DATABASE
@WITH_BODY
async def test_a_body_that_is_not_json_is_malformed(standing: World, operation: Operation) -> None:
    before = await state(standing.account)
    for what, raw in MALFORMED.items():
        response = await call(operation, standing, raw=raw)
        assert (response.status_code, response.json()["code"]) == (400, "json.malformed"), f"{what}: {response.text}"
    assert await state(standing.account) == before


async def test_the_problem_contains_the_position_of_invalid_utf_8(account: Account) -> None:
    headers = {"content-type": "application/json"}
    response = await account.api.post("/api/v1.0/forms", content=b'{"name": "\xff"}', headers=headers)
    assert "byte 10" in response.json()["detail"]


@ONE_DATABASE
@WITH_BODY
async def test_a_body_that_is_not_an_object_is_rejected_at_the_root(standing: World, operation: Operation) -> None:
    before = await state(standing.account)
    for body in ([], [{}], "text", 5, True, None):
        response = await call(operation, standing, raw=json.dumps(body).encode())
        assert response.status_code == 422, response.text
        # Several tasks or invites can be created at once.
        inside = {"createTask": "/0/recipients", "createInvite": "/0/formId"}
        assert pointers(response.json()) == [inside.get(operation.name, "") if body == [{}] else ""]
    assert await state(standing.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_an_unknown_property_is_rejected_with_a_pointer(standing: World, operation: Operation) -> None:
    good, before = _body(operation, standing), await state(standing.account)
    for name in ("nobody", "Name", "a/b~c", "", "🎉", "a\0b", "__proto__"):
        response = await call(operation, standing, body=good | {name: 1})
        assert response.status_code == 422, response.text
        assert pointers(response.json()) == [pointer(name)]
    assert await state(standing.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_a_wrong_type_is_rejected_with_a_pointer_at_any_depth(standing: World, operation: Operation) -> None:
    good, before = _body(operation, standing), await state(standing.account)
    for steps, value in places(good):
        wrong = 5 if isinstance(value, dict | list) else {"wrong": [5]}
        response = await call(operation, standing, body=with_value(good, steps, wrong))
        assert response.status_code == 422, f"{pointer(*steps)}: {response.text}"
        assert any(p.startswith(pointer(*steps)) for p in pointers(response.json())), response.text
    assert await state(standing.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_all_invalid_properties_are_reported_at_once(here: World, operation: Operation) -> None:
    good = _body(operation, here)
    wrong = {name: 5 if isinstance(value, dict | list) else {"wrong": [5]} for name, value in good.items()}
    response = await call(operation, here, body=wrong | {"nobody": 1})
    named = {p.split("/")[1] for p in pointers(response.json())}
    # A bundle is only read when the rest of the request is valid.
    assert named == {*good, "nobody"} - {"bundle"}


@ONE_DATABASE
@WITH_BODY
async def test_a_nul_character_is_rejected_with_a_pointer_at_any_depth(standing: World, operation: Operation) -> None:
    good, before = _body(operation, standing), await state(standing.account)
    for steps, value in places(good):
        if isinstance(value, str):
            response = await call(operation, standing, body=with_value(good, steps, value + "\0"))
            assert response.status_code == 422, f"{pointer(*steps)}: {response.text}"
            assert pointer(*steps) in pointers(response.json())
    assert await state(standing.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_deep_nesting_is_rejected_everywhere(standing: World, operation: Operation) -> None:
    good, before = _body(operation, standing), await state(standing.account)
    for name in good:
        for depth in (250, 300, 900, 985, 2000):
            raw = json.dumps(good | {name: "HERE"}).replace('"HERE"', '{"a":' * depth + '"\\u0000"' + "}" * depth)
            response = await call(operation, standing, raw=raw.encode())
            assert response.status_code in (400, 422), f"{name}, {depth} levels: {response.text[:300]}"
    assert await state(standing.account) == before


@WITH_BODY
async def test_huge_numbers_are_accepted_or_rejected_with_a_pointer(here: World, operation: Operation) -> None:
    good = _body(operation, here)
    for steps, value in places(good):
        if type(value) in (int, float):
            for number in (2**63, 2**64, -(2**70), 10**400, 1e308, -1e308, 5e-324):
                response = await call(operation, here, body=with_value(good, steps, number))
                if not response.is_success:
                    assert response.status_code in (409, 422), response.text
                    assert response.status_code == 409 or pointer(*steps) in pointers(response.json()), response.text


@WITH_BODY
async def test_long_texts_are_accepted_or_rejected_with_a_pointer(here: World, operation: Operation) -> None:
    good = _body(operation, here)
    for steps, value in places(good):
        if isinstance(value, str):
            for text in ("", "\n", "🎉" * 10_001, "'; DROP TABLE forms; --"):
                response = await call(operation, here, body=with_value(good, steps, text))
                assert response.is_success or response.status_code in (404, 409, 422), (
                    f"{pointer(*steps)}: {response.text}"
                )


@ONE_DATABASE
@WITH_BODY
async def test_a_repeated_property_must_be_valid_each_time(here: World, operation: Operation) -> None:
    good = _body(operation, here)
    name, value = next(iter(good.items()))
    raw = f"{{{json.dumps(name)}: {json.dumps(value)}, {json.dumps(good)[1:]}"
    assert (await call(operation, here, raw=raw.encode())).status_code == operation.status
    raw = f'{json.dumps(_body(operation, here))[:-1]}, {json.dumps(name)}: [["wrong"]]}}'
    response = await call(operation, here, raw=raw.encode())
    assert response.status_code == 422
    assert any(p.startswith(pointer(name)) for p in pointers(response.json()))


async def test_the_last_value_of_a_repeated_property_counts(account: Account) -> None:
    raw = json.dumps(_body(BY_NAME["createForm"], await world(account)))[:-1] + ', "name": "Last"}'
    response = await account.api.post(
        "/api/v1.0/forms", content=raw.encode(), headers={"content-type": "application/json"}
    )
    assert response.json()["name"] == "Last"


@pytest.mark.slow
@ONE_DATABASE
@WITH_BODY
async def test_a_body_of_10_mib_is_accepted_and_one_byte_more_rejected(here: World, operation: Operation) -> None:
    raw = json.dumps(_body(operation, here)).encode().ljust(MIB_10)
    assert (await call(operation, here, raw=raw)).status_code == operation.status
    before = await state(here.account)
    response = await call(operation, here, raw=raw + b" ")
    assert (response.status_code, response.json()["code"]) == (413, "body.too_large")
    response = await call(operation, here, raw=_in_parts(raw + b" "))
    assert (response.status_code, response.json()["code"]) == (413, "body.too_large")
    assert await state(here.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_only_json_is_accepted(standing: World, operation: Operation) -> None:
    before = await state(standing.account)
    for headers in (
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/jsonx"},
        {"content-type": ""},
        {"content-type": ";;;="},
        {"content-encoding": "gzip"},
        {"content-encoding": "nonsense"},
    ):
        response = await call(operation, standing, headers=headers)
        assert (response.status_code, response.json()["code"]) == (415, "body.media_type"), (
            f"{headers}: {response.text}"
        )
    assert await state(standing.account) == before


@ONE_DATABASE
@WITH_BODY
async def test_any_spelling_of_the_json_media_type_is_accepted(here: World, operation: Operation) -> None:
    for media_type in ("application/json; charset=utf-8", "Application/JSON", "application/json;"):
        response = await call(operation, here, headers={"content-type": media_type})
        assert response.status_code == operation.status, f"{media_type}: {response.text}"


@ONE_DATABASE
@pytest.mark.parametrize("length", ["abc", "-1", "1e3", ""])
async def test_an_invalid_content_length_is_not_a_server_error(here: World, length: str) -> None:
    response = await call(BY_NAME["createForm"], here, headers={"content-length": length})
    assert response.status_code < 500, response.text


@pytest.mark.parametrize(
    "text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2026-02-30T00:00:00Z", "2026-03-29T12:00:00"]
)
async def test_a_time_that_cannot_be_stored_is_rejected_with_a_pointer(here: World, text: str) -> None:
    for name, member in (
        ("createSubmission", "submittedAt"),
        ("createTask", "dueAt"),
        ("updateTaskByReference", "dueAt"),
    ):
        operation = BY_NAME[name]
        response = await call(operation, here, body=_body(operation, here) | {member: text})
        assert response.status_code == 422, response.text
        assert pointers(response.json()) == [f"/{member}"]
    many = [_body(BY_NAME["createTask"], here) | created for created in ({}, {"dueAt": text})]
    response = await call(BY_NAME["createTask"], here, body=many)
    assert pointers(response.json()) == ["/1/dueAt"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FUZZ = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@FUZZ
@given(body=JSON, place=st.integers(0, 1000))
async def test_random_json_in_a_form_causes_no_server_error(account: Account, body: Any, place: int) -> None:
    await _survives(account, BY_NAME["createForm"], {}, body, place)


@FUZZ
@given(body=JSON, place=st.integers(0, 1000))
async def test_random_json_in_a_submission_causes_no_server_error(account: Account, body: Any, place: int) -> None:
    listed = (await account.api.get(f"/api/v1.0/forms/customer/{account.id}/forms")).json()["items"]
    new_form = listed[0] if listed else await form(account)
    await _survives(account, BY_NAME["createSubmission"], {"formId": new_form["id"]}, body, place)


async def _survives(account: Account, operation: Operation, ids: dict[str, str], body: Any, place: int) -> None:
    """Yield the value as a whole body, and as a property of valid bodies."""
    here = World(account, {"customerId": account.id, "userId": account.owner.id, **ids})
    good = _body(operation, here)
    steps = [steps for steps, _ in places(good)]
    for sent in (body, with_value(good, steps[place % len(steps)], body)):
        response = await call(
            operation, here, raw=json.dumps(sent, ensure_ascii=False).encode("utf-8", "surrogatepass")
        )
        assert response.status_code in (201, 400, 409, 422), response.text


def _body(operation: Operation, world: World) -> dict[str, Any]:
    body = example(operation).body
    assert body
    return body(world)


async def _in_parts(raw: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(raw), 1024 * 1024):
        yield raw[start : start + 1024 * 1024]


async def test_the_last_of_repeated_random_properties_counts(account: Account) -> None:
    body = b'{"name": "First", "fields": [{"type": "text", "name": "site", "label": "Site"}], "name": "Last"}'
    response = await account.api.post("/api/v1.0/forms", content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["name"]) == (201, "Last")
