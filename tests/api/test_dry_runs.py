"""`?dryRun=true` returns the usual response and changes nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from actors import Account
from factories import datasources
from factories.datasources import datasource, rows
from factories.requests import PREFIX, get
from factories.sample_account import BY_NAME, call, example, state, world

from formwright.api.v1_0.operations import OPERATIONS


async def test_a_dry_run_returns_the_usual_response_and_changes_nothing(account: Account) -> None:
    here = await world(account)
    before, events = await state(account), await get(account, f"/webhooks/customer/{account.id}/events")
    for operation in [one for one in OPERATIONS if one.method != "GET"]:
        response = await call(operation, here, query=[*example(operation).query(here), ("dryRun", "true")])
        assert response.status_code == operation.status, f"{operation.name}: {response.text}"
        assert await state(account) == before, operation.name
        assert await get(account, f"/webhooks/customer/{account.id}/events") == events, operation.name


async def test_a_dry_run_rejects_invalid_requests(account: Account) -> None:
    here = await world(account)
    response = await call(BY_NAME["createTask"], here, body={"recipients": {"users": []}}, query=[("dryRun", "true")])
    assert response.status_code == 422
    response = await call(BY_NAME["createTask"], here, query=[("dryRun", "perhaps")])
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "?dryRun")


_ROWS = {"rows": rows(3)}
_TAKEN_IN = [
    ("PUT", "", {"name": "Another"}),
    ("PUT", "", {"name": "Another"} | _ROWS),
    ("PUT", "", _ROWS),
    ("PUT", "", {}),
    ("PUT", "", {"types": {"name": "text"}}),
    ("PUT", "/rows", _ROWS),
    ("PUT", "/rows", {"rows": rows(2)}),
    ("POST", "/rows", _ROWS),
]


@pytest.mark.parametrize(("method", "tail", "body"), _TAKEN_IN)
async def test_a_dry_run_on_a_data_source_returns_what_the_real_call_returns(
    account: Account, method: str, tail: str, body: dict[str, Any]
) -> None:
    new_datasource = await datasource(account)
    address = f"{PREFIX}/customers/{account.id}/datasources/{new_datasource['id']}"
    dry = await account.api.request(method, address + tail, json=body, params={"dryRun": "true"})
    done = await account.api.request(method, address + tail, json=body)
    assert dry.status_code == done.status_code == 200, dry.text
    assert _timeless(dry.json()) == _timeless(done.json())


@pytest.mark.parametrize("new", [datasources.body, datasources.pulled_body])
async def test_a_dry_run_of_a_new_data_source_returns_what_is_created_later(
    account: Account, new: Callable[[], dict[str, Any]]
) -> None:
    address, body = f"{PREFIX}/customers/{account.id}/datasources", new()
    dry, done = [(await account.api.post(address + query, json=body)).json() for query in ("?dryRun=true", "")]
    assert dry["created"][:4] == done["created"][:4]
    assert _timeless(dry) == _timeless(done)


def _timeless(document: dict[str, Any]) -> dict[str, Any]:
    """Return a response without the parts that differ between any two calls."""
    moving = ("id", "created", "updated", "dryRun", "nextDue")
    kept = {name: value for name, value in document.items() if name not in moving}
    return {name: _timeless(value) if isinstance(value, dict) else value for name, value in kept.items()}


@pytest.mark.parametrize(("method", "tail", "body"), [one for one in _TAKEN_IN if one[0] == "PUT" and not one[1]])
async def test_a_dry_run_on_a_data_source_respects_if_match(
    account: Account, method: str, tail: str, body: dict[str, Any]
) -> None:
    new_datasource = await datasource(account)
    address, headers = (
        f"{PREFIX}/customers/{account.id}/datasources/{new_datasource['id']}{tail}",
        {"if-match": '"other"'},
    )
    for query in ("", "?dryRun=true"):
        response = await account.api.request(method, address + query, json=body, headers=headers)
        assert (response.status_code, response.json()["code"]) == (412, "precondition.failed")
    tag = (await account.api.get(address)).headers["etag"]
    response = await account.api.request(method, address + "?dryRun=true", json=body, headers={"if-match": tag})
    assert response.status_code == 200, response.text
