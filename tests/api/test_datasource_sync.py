"""Data sources whose rows are pulled. For the worker, see tests/worker."""

import json
from typing import Any

import pytest
from actors import Account
from factories.datasources import body, datasource, fail, pulled
from factories.requests import PREFIX, get
from httpx import Response

from formwright.core.clock import rfc3339

URL = "https://erp.example.org/customers.csv?list=7"
SECRET = "Bearer s3cret-of-the-erp"


def _body(**pull: Any) -> dict[str, Any]:
    return {name: value for name, value in body(pull={"url": URL} | pull).items() if name != "rows"}


async def _make(account: Account, given: dict[str, Any], **query: Any) -> Response:
    return await account.api.post(f"{PREFIX}/customers/{account.id}/datasources", json=given, params=query)


async def _made(account: Account, **pull: Any) -> dict[str, Any]:
    response = await _make(account, _body(**pull))
    assert response.status_code == 201, response.text
    assert response.json().pop("import") is None
    created: dict[str, Any] = await get(account, f"/customers/{account.id}/datasources/{response.json()['id']}")
    return created


async def _change(account: Account, datasource: dict[str, Any], **members: Any) -> Response:
    return await account.api.put(f"{PREFIX}/customers/{account.id}/datasources/{datasource['id']}", json=members)


async def _changed(account: Account, datasource: dict[str, Any], **pull: Any) -> dict[str, Any]:
    response = await _change(account, datasource, pull=pull)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["pull"]
    assert found == (await get(account, f"/customers/{account.id}/datasources/{datasource['id']}"))["pull"]
    return found


def _faults(response: Response) -> list[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def _sealed(account: Account, datasource: dict[str, Any]) -> dict[str, str]:
    """Return the headers that a worker would send."""
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one("SELECT headers FROM datasource_pulls WHERE datasource_id = $1", datasource["id"])
    assert row
    return dict(json.loads(account.ctx.secret_box.open(row[0])))


async def test_a_pulled_data_source_exists_at_once_and_its_first_pull_is_due(account: Account) -> None:
    created = await _made(account, headers={"Authorization": SECRET}, every="PT90M")
    assert (created["rowCount"], created["columns"], created["version"], created["revision"]) == (0, ["number"], 1, 1)
    assert created["pull"]["nextDue"] <= rfc3339(account.ctx.clock.now())
    assert created["pull"] | {"nextDue": ""} == {
        "url": URL,
        "headers": {"Authorization": None},
        "every": "PT1H30M",
        "status": None,
        "lastStarted": None,
        "lastEnded": None,
        "durationMs": None,
        "rows": None,
        "detail": "",
        "badRows": [],
        "nextDue": "",
    }
    assert (await get(account, "/datasources"))["items"] == [created]


async def test_a_data_source_without_pull_has_null(account: Account) -> None:
    assert (await datasource(account))["pull"] is None


async def test_columns_and_types_of_a_pulled_data_source_can_be_set(account: Account) -> None:
    given = _body() | {"columns": ["number", "price"], "types": {"price": "decimal"}}
    created = (await _make(account, given)).json()
    assert (created["columns"], created["types"]) == (["number", "price"], {"number": "text", "price": "decimal"})
    assert created["pull"]["every"] == "P1D"


async def test_a_dry_run_validates_everything_and_creates_nothing(account: Account) -> None:
    assert (await _make(account, _body(), dryRun="true")).status_code == 201
    assert _faults(await _make(account, _body(every="PT1M"), dryRun="true")) == [
        ("/pull/every", "datasource.pull.every")
    ]
    assert (await get(account, "/datasources"))["items"] == []


async def test_a_name_can_be_used_once(account: Account) -> None:
    given = _body()
    assert (await _make(account, given)).status_code == 201
    response = await _make(account, given)
    assert (response.status_code, response.json()["code"]) == (409, "datasource.name_taken")


@pytest.mark.parametrize(
    ("pull", "faults"),
    [
        ({"url": "https://10.0.0.8/rows"}, [("/pull/url", "datasource.pull.url")]),
        ({"url": "https://169.254.169.254/latest"}, [("/pull/url", "datasource.pull.url")]),
        ({"url": "file:///etc/passwd"}, [("/pull/url", "datasource.pull.url")]),
        ({"url": "https://user:word@example.org/"}, [("/pull/url", "datasource.pull.url")]),
        ({"every": "PT14M"}, [("/pull/every", "datasource.pull.every")]),
        ({"every": "P8D"}, [("/pull/every", "datasource.pull.every")]),
        ({"every": "1 day"}, [("/pull/every", "datasource.pull.every")]),
        ({"headers": {"Host": "a"}}, [("/pull/headers/Host", "datasource.pull.header")]),
        ({"headers": {"If-None-Match": "a"}}, [("/pull/headers/If-None-Match", "datasource.pull.header")]),
        ({"headers": {"X A": "a"}}, [("/pull/headers/X A", "datasource.pull.header")]),
        ({"headers": {"X-A": "a\r\nX-B: b"}}, [("/pull/headers/X-A", "datasource.pull.header")]),
        ({"headers": {"X-A": "a", "x-a": "b"}}, [("/pull/headers/x-a", "datasource.pull.header")]),
        ({"headers": {"X-A": None}}, [("/pull/headers/X-A", "value.type")]),
        ({"headers": {f"X-{n}": "a" for n in range(21)}}, [("/pull/headers", "value.too_many")]),
        (
            {"url": "https://127.0.0.1:0/", "every": "P", "headers": {"Te": "a"}},
            [
                ("/pull/url", "datasource.pull.url"),
                ("/pull/every", "datasource.pull.every"),
                ("/pull/headers/Te", "datasource.pull.header"),
            ],
        ),
    ],
)
async def test_invalid_pulls_are_rejected_with_a_pointer(
    account: Account, pull: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    assert _faults(await _make(account, _body(**pull))) == faults
    assert (await get(account, "/datasources"))["items"] == []


async def test_rows_and_pull_exclude_each_other(account: Account) -> None:
    both = [("/pull", "datasource.pull.rows")]
    assert _faults(await _make(account, body(pull={"url": URL}))) == both
    new_datasource = await datasource(account)
    assert _faults(await _change(account, new_datasource, rows=[], pull={"url": URL})) == both
    assert _faults(await _change(account, new_datasource, rows=[], pull=None)) == both


async def test_a_pull_can_be_added_later(account: Account) -> None:
    new_datasource = await datasource(account)
    answer = await _change(account, new_datasource, pull={"every": "P1W"})
    assert _faults(answer) == [("/pull/url", "value.required")]
    assert (await _changed(account, new_datasource, url=URL, every="P1W"))["every"] == "P7D"
    after = await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}")
    assert (after["rowCount"], after["version"], after["revision"]) == (2, 1, 2)
    gone = (await _change(account, new_datasource, pull=None)).json()
    assert (gone["pull"], gone["rowCount"]) == (None, 2)


async def test_omitted_properties_stay_unchanged(account: Account) -> None:
    created = await _made(account, headers={"Authorization": SECRET}, every="P7D")
    sooner = await _changed(account, created, every="PT15M")
    assert (sooner["url"], sooner["headers"], sooner["every"]) == (URL, {"Authorization": None}, "PT15M")
    await _changed(account, created, url="https://erp.example.org/other.csv")
    assert await _sealed(account, created) == {"Authorization": SECRET}
    renamed = (await _change(account, created, name="Clients")).json()
    assert renamed["pull"]["headers"] == {"Authorization": None}


async def test_null_keeps_a_header_value(account: Account) -> None:
    created = await _made(account, headers={"Authorization": SECRET, "X-Old": "1"})
    found = await _changed(account, created, headers={"Authorization": None, "X-New": "2"})
    assert found["headers"] == {"Authorization": None, "X-New": None}
    assert await _sealed(account, created) == {"Authorization": SECRET, "X-New": "2"}
    answer = await _change(account, created, pull={"headers": {"X-Old": None}})
    assert _faults(answer) == [("/pull/headers/X-Old", "datasource.pull.header.again")]
    assert (await _changed(account, created, headers={}))["headers"] == {}


async def test_header_values_are_not_sent_to_another_server(account: Account) -> None:
    created = await _made(account, headers={"Authorization": SECRET})
    again = [("/pull/headers/Authorization", "datasource.pull.header.again")]
    for url in ("https://thief.example.org/customers.csv", "https://erp.example.org:8443/customers.csv"):
        assert _faults(await _change(account, created, pull={"url": url})) == again
        assert _faults(await _change(account, created, pull={"url": url, "headers": {"Authorization": None}})) == again
    assert await _sealed(account, created) == {"Authorization": SECRET}
    assert (await _changed(account, created, url=url, headers={"Authorization": "x"}))["url"] == url


async def test_no_response_contains_header_values(account: Account) -> None:
    created = await _made(account, headers={"Authorization": SECRET})
    address = f"{PREFIX}/customers/{account.id}/datasources"
    answers = [
        await _change(account, created, pull={"every": "PT15M", "headers": {"Authorization": SECRET, "Host": SECRET}}),
        await _change(account, created, pull={"headers": {"Authorization": SECRET}}),
        await account.api.post(f"{address}/{created['id']}/refresh"),
        *[await account.api.get(f"{address}{tail}") for tail in ("", f"/{created['id']}", f"/{created['id']}/imports")],
    ]
    assert [response.status_code for response in answers] == [422, 200, 202, 200, 200, 200]
    assert not [response.text for response in answers if "s3cret" in response.text]


async def test_refreshing_makes_the_pull_due(account: Account) -> None:
    datasource = await _made(account)
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE datasource_pulls SET due = $2 WHERE datasource_id = $1", datasource["id"], 2**45)
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/datasources/{datasource['id']}/refresh")
    assert (response.status_code, response.json()["id"]) == (202, datasource["id"])
    assert response.json()["pull"]["nextDue"] < "2200"
    assert response.json() == await get(account, f"/customers/{account.id}/datasources/{datasource['id']}")


async def test_a_data_source_without_pull_cannot_be_refreshed(account: Account) -> None:
    new_datasource = await datasource(account)
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/datasources/{new_datasource['id']}/refresh")
    assert (response.status_code, response.json()["code"]) == (409, "datasource.not_pulled")


async def test_the_progress_of_a_pull_does_not_fail_if_match(account: Account) -> None:
    datasource = await pulled(account)
    address = f"{PREFIX}/customers/{account.id}/datasources/{datasource['id']}"
    before = (await account.api.get(address)).headers["etag"]
    await fail(account)
    read = await account.api.get(address, headers={"if-none-match": before})
    assert (read.status_code, read.json()["pull"]["status"]) == (200, "FAILED")
    changed = await account.api.put(address, json={"name": "Clients"}, headers={"if-match": before})
    assert (changed.status_code, changed.json()["revision"]) == (200, datasource["revision"] + 1)
    another = {"pull": {"every": "PT1H"}}
    now = (await account.api.get(address)).headers["etag"]
    assert (await account.api.put(address, json=another)).status_code == 200
    late = await account.api.put(address, json=another, headers={"if-match": now})
    assert (late.status_code, late.json()["code"]) == (412, "precondition.failed")
