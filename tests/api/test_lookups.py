"""Rows that lookups refer to: stored with the submission, and used to pre-fill tasks."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import pytest
from actors import Account
from factories.datasources import datasource
from factories.files import FIELDS as FILES
from factories.files import listed, uploaded
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.tasks import task
from factories.web_client import visit

from formwright.domain.datasources.row_snapshots import find_snapshots

CLIENTS = [
    {"number": "C-1", "name": "Harbour Works", "street": "Quay 1", "staff": 12, "vip": True, "secret": "s1"},
    {"number": "C-2", "name": "Café Zentral", "street": "Quay 2", "staff": 3, "vip": False, "secret": "s2"},
]


def fields(of: str) -> list[dict[str, Any]]:
    look_up = {"type": "lookup", "label": "Client", "datasourceId": of, "display": ["name"]}
    return [
        look_up | {"name": "client", "mapping": {"street": "street", "staff": "people", "vip": "vip"}},
        {"type": "text", "name": "street", "label": "Street"},
        {"type": "integer", "name": "people", "label": "People", "max": 10},
        {"type": "boolean", "name": "vip", "label": "VIP"},
        {
            "type": "repeat",
            "name": "visits",
            "label": "Visits",
            "max": 200,
            "fields": [
                look_up | {"name": "guest", "mapping": {"street": "where"}},
                {"type": "text", "name": "where", "label": "Where"},
            ],
        },
    ]


async def create_form(account: Account) -> tuple[dict[str, Any], dict[str, Any]]:
    """A data source with two clients, and a form that looks them up."""
    table = await datasource(account, rows=CLIENTS)
    return table, await form(account, fields=fields(table["id"]))


async def replace(account: Account, table: dict[str, Any], rows: Sequence[dict[str, Any]]) -> None:
    path = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    response = await account.api.put(path, json={"rows": rows})
    assert response.status_code == 200, response.text


async def submit(
    account: Account, form: dict[str, Any], data: dict[str, Any], seen: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the submission that the page creates from these answers."""
    path = f"{form['fillPath']}/submissions/{uuid4()}"
    body = {"versionId": form["publishedVersionId"], "data": data} | ({"seen": seen} if seen is not None else {})
    async with account.stage.client() as page:
        response = await page.post(path, json=body)
    assert response.status_code == 201, response.text
    read: dict[str, Any] = await get(account, f"/customers/{account.id}/submissions/{response.json()['id']}")
    return read


def snapshot(table: dict[str, Any], pointer: str, key: str, version: int | None, data: Any) -> dict[str, Any]:
    return {"pointer": pointer, "datasourceId": table["id"], "version": version, "key": key, "data": data}


FIRST = {"name": "Harbour Works", "street": "Quay 1", "staff": 12, "vip": True}


async def rejected_errors(account: Account, path: str, **body: Any) -> list[tuple[str, str]]:
    response = await account.api.post(PREFIX + path, json=body)
    assert response.status_code == 422, response.text
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def test_a_submission_stores_the_rows_of_its_lookups_including_repeats(account: Account) -> None:
    table, visit = await create_form(account)
    data = {"client": "C-1", "street": "Corrected 7", "visits": [{"where": "x"}, {"guest": "C-2"}]}
    came = await submission(account, visit, data=data)
    guest = {"name": "Café Zentral", "street": "Quay 2"}
    assert came["lookups"] == [
        snapshot(table, "/data/client", "C-1", 1, FIRST),
        snapshot(table, "/data/visits/1/guest", "C-2", 1, guest),
    ]
    assert came["data"] == data
    await replace(account, table, [])
    assert (await get(account, f"/customers/{account.id}/submissions/{came['id']}")) == came
    events = (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]
    assert [event["data"] for event in events if event["type"] == "submission.submitted"] == [came]


def hidden_fields(of: str) -> list[dict[str, Any]]:
    look_up = {"type": "lookup", "label": "Client", "datasourceId": of}
    hidden = {"type": "text", "label": "Street", "hidden": True}
    return [
        look_up | {"name": "client", "mapping": {"street": "street", "staff": "people"}},
        hidden | {"name": "street"},
        {"type": "integer", "name": "people", "label": "People", "hidden": True},
        {"type": "text", "name": "why", "label": "Why so many?", "visibleIf": "people > 10", "required": True},
        {"type": "integer", "name": "double", "label": "Double", "calculate": "people * 2"},
        {
            "type": "repeat",
            "name": "visits",
            "label": "Visits",
            "fields": [look_up | {"name": "guest", "mapping": {"street": "where"}}, hidden | {"name": "where"}],
        },
    ]


async def test_the_server_copies_columns_into_hidden_fields(account: Account) -> None:
    table = await datasource(account, rows=[*CLIENTS, {"number": "C-3", "name": "Nobody"}])
    visit = await form(account, fields=hidden_fields(table["id"]))
    path = f"/customers/{account.id}/forms/{visit['id']}/submissions"
    assert await rejected_errors(account, path, data={"client": "C-1"}) == [("/data/why", "value.required")]
    assert await rejected_errors(account, path, data={"client": "C-9"}) == [("/data/client", "answer.lookup.unknown")]
    sent = {"client": "C-1", "street": "Forged 1", "why": "x", "visits": [{"where": "Forged"}, {"guest": "C-2"}]}
    came = await submission(account, visit, data=sent)
    copied = {"street": "Quay 1", "people": 12, "double": 24}
    assert came["data"] == sent | copied | {"visits": [{}, {"guest": "C-2", "where": "Quay 2"}]}
    for key, data in (("C-3", {"client": "C-3"}), ("", {})):
        filled = await submit(account, visit, ({"client": key} if key else {}) | {"street": "Forged 2", "people": 3})
        assert filled["data"] == data
    await replace(account, table, [CLIENTS[0] | {"street": "Moved 1"}, CLIENTS[1]])
    edited = await account.api.put(
        f"{PREFIX}/customers/{account.id}/submissions/{came['id']}", json={"data": {"client": "C-2"}}
    )
    assert edited.status_code == 200, edited.text
    assert edited.json()["data"] == {"client": "C-2", "street": "Quay 2", "people": 3, "double": 6}
    kept = await submit(account, visit, {"client": "C-1", "why": "y"}, {"client": {"C-1": 1}})
    assert kept["data"]["street"] == "Quay 1"


async def test_rows_that_fill_hidden_fields_are_read_once(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await datasource(account, rows=CLIENTS)
    visit = await form(account, fields=hidden_fields(table["id"]))
    read: list[set[str]] = []

    async def find(tx: Any, actor: Any, keys: Mapping[str, int | None], *, datasource_id: str) -> Any:
        read.append(set(keys))
        return await find_snapshots(tx, actor, keys, datasource_id=datasource_id)

    monkeypatch.setattr("formwright.domain.forms.lookups.find_snapshots", find)
    data = {"client": "C-1", "why": "x", "visits": [{"guest": "C-2"}]}
    one = await submission(account, visit, data=data)
    await submit(account, visit, data)
    path = f"{PREFIX}/customers/{account.id}/submissions/{one['id']}"
    assert (await account.api.put(path, json={"data": data | {"why": "y"}})).status_code == 200
    assert read == [{"C-1", "C-2"}] * 3


async def test_an_unknown_row_is_rejected_from_the_api(account: Account) -> None:
    _, visit = await create_form(account)
    path = f"/customers/{account.id}/forms/{visit['id']}/submissions"
    data = {"client": "C-9", "people": "x", "visits": [{"guest": "C-1"}, {"guest": "c-1"}]}
    assert set(await rejected_errors(account, path, data=data)) == {
        ("/data/client", "answer.lookup.unknown"),
        ("/data/visits/1/guest", "answer.lookup.unknown"),
        ("/data/people", "value.type"),
    }
    assert (await account.api.get(f"{PREFIX}/submissions")).json()["items"] == []


async def test_the_error_is_in_the_language_of_the_form(account: Account) -> None:
    table = await datasource(account, rows=CLIENTS)
    visit = await form(account, fields=fields(table["id"]), settings={"language": "de"})
    path = f"{PREFIX}/customers/{account.id}/forms/{visit['id']}/submissions"
    response = await account.api.post(path, json={"data": {"client": "C-9"}})
    assert response.json()["errors"][0]["detail"] == "Diesen Eintrag gibt es in der Liste nicht."


async def test_the_page_keeps_the_row_it_saw_after_changes_or_deletion(account: Account) -> None:
    table, visit = await create_form(account)
    await replace(account, table, [CLIENTS[0] | {"street": "Moved 1"}])
    seen = {"client": {"C-1": 1}, "guest": {"C-2": 1}}
    came = await submit(account, visit, {"client": "C-1", "visits": [{"guest": "C-2"}]}, seen)
    guest = {"name": "Café Zentral", "street": "Quay 2"}
    assert came["lookups"] == [
        snapshot(table, "/data/client", "C-1", 1, FIRST),
        snapshot(table, "/data/visits/0/guest", "C-2", 1, guest),
    ]
    now = await submit(account, visit, {"client": "C-1"})
    assert now["lookups"] == [snapshot(table, "/data/client", "C-1", 2, FIRST | {"street": "Moved 1"})]


@pytest.mark.parametrize("version", [0, -1, 99, 2**70])
async def test_an_impossible_row_version_means_the_current_one(account: Account, version: int) -> None:
    table, visit = await create_form(account)
    came = await submit(account, visit, {"client": "C-1"}, {"client": {"C-1": version}, "nobody": {"x": 1}})
    assert came["lookups"] == [snapshot(table, "/data/client", "C-1", 1, FIRST)]


async def test_a_row_created_after_the_version_seen_is_found(account: Account) -> None:
    table, visit = await create_form(account)
    await replace(account, table, [*CLIENTS, {"number": "C-3", "name": "New"}])
    came = await submit(account, visit, {"client": "C-3"}, {"client": {"C-3": 1}})
    found = {"name": "New", "street": None, "staff": None, "vip": None}
    assert came["lookups"] == [snapshot(table, "/data/client", "C-3", 2, found)]


async def test_an_unknown_row_does_not_reject_a_submission_from_the_page(account: Account) -> None:
    table, visit = await create_form(account)
    came = await submit(account, visit, {"client": "C-9", "street": "Quay 9"}, {"client": {"C-9": 1}})
    assert came["lookups"] == [snapshot(table, "/data/client", "C-9", None, None)]
    assert came["data"] == {"client": "C-9", "street": "Quay 9"}


async def test_a_cell_that_does_not_match_the_current_column_type_is_stored_as_text(account: Account) -> None:
    table = await datasource(account, rows=[{"number": "1", "name": "A", "street": "many", "staff": "about 7"}])
    visit = await form(account, fields=fields(table["id"]))
    await replace(account, table, [{"number": "1", "name": "A", "staff": 7}])
    came = await submit(account, visit, {"client": "1"}, {"client": {"1": 1}})
    found = {"name": "A", "street": "many", "staff": "about 7", "vip": None}
    assert came["lookups"] == [snapshot(table, "/data/client", "1", 1, found)]


async def test_rows_above_1_mib_keep_only_their_keys(account: Account) -> None:
    long = {"number": "C-1", "name": "x" * 10_000, "street": "y"}
    table = await datasource(account, rows=[long])
    visit = await form(account, fields=fields(table["id"]))
    came = await submission(account, visit, data={"visits": [{"guest": "C-1"}] * 120})
    whole = {"name": "x" * 10_000, "street": "y"}
    assert [row["data"] for row in came["lookups"]] == [whole] * 104 + [None] * 16
    assert {(row["key"], row["version"]) for row in came["lookups"]} == {("C-1", 1)}


async def test_without_lookups_no_rows_are_stored(account: Account) -> None:
    assert (await submission(account, await form(account)))["lookups"] == []
    _, visit = await create_form(account)
    assert (await submission(account, visit, data={"street": "x"}))["lookups"] == []


async def test_rows_of_other_accounts_do_not_exist(account: Account, stranger: Account) -> None:
    await create_form(account)
    theirs, _ = await create_form(stranger)
    path = f"{PREFIX}/forms"
    response = await account.api.post(path, json={"name": "x", "fields": fields(theirs["id"]), "publish": True})
    assert response.status_code == 422


async def test_a_task_is_pre_filled_from_a_row(account: Account) -> None:
    _, visit = await create_form(account)
    work = await task(account, visit, data={"client": "C-2", "visits": [{"guest": "C-1"}, {"where": "here"}]})
    assert work["data"] == {
        "client": "C-2",
        "street": "Quay 2",
        "people": 3,
        "vip": False,
        "visits": [{"guest": "C-1", "where": "Quay 1"}, {"where": "here"}],
    }
    assert await get(account, f"/customers/{account.id}/tasks/{work['id']}") == work


async def test_explicit_answers_stay_and_mismatching_cells_are_left_out(account: Account) -> None:
    _, visit = await create_form(account)
    work = await task(account, visit, data={"client": "C-1", "street": "By hand"})
    assert work["data"] == {"client": "C-1", "street": "By hand", "vip": True}, "12 people are more than 10"


async def test_a_task_is_pre_filled_again_when_its_data_changes(account: Account) -> None:
    _, visit = await create_form(account)
    work = await task(account, visit, data={"client": "C-1"})
    response = await account.api.put(f"{PREFIX}/tasks", json={"id": work["id"], "data": {"client": "C-2"}})
    assert response.json()["data"] == {"client": "C-2", "street": "Quay 2", "people": 3, "vip": False}
    response = await account.api.put(f"{PREFIX}/tasks", json={"id": work["id"], "message": "Soon"})
    assert response.json()["data"]["client"] == "C-2"


async def test_a_task_with_an_unknown_row_is_rejected(account: Account) -> None:
    _, visit = await create_form(account)
    path = f"/customers/{account.id}/{visit['id']}/tasks"
    to = {"users": [account.owner.id]}
    assert await rejected_errors(account, path, recipients=to, data={"client": "C-9"}) == [
        ("/data/client", "answer.lookup.unknown")
    ]
    work = await post(account, path, {"recipients": to, "data": {"client": "C-1"}})
    response = await account.api.put(f"{PREFIX}/tasks", json={"id": work["id"], "data": {"client": "C-9"}})
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/data/client"]


async def test_task_recipients_look_up_rows_and_upload_files_with_their_link(account: Account) -> None:
    table = await datasource(account, rows=CLIENTS)
    new_form = await form(account, fields=[*fields(table["id"]), *FILES])
    asked = await task(account, new_form)
    async with visit(account) as site:
        [link] = set(re.findall(r'href="(/fill/[^"]+)"', (await site.http.get(f"/my/tasks/{asked['id']}")).text))
    async with account.stage.client() as page:
        found = await page.get(f"{link}/lookup/client", params={"q": "zentral"})
        assert "Café Zentral" in found.text
    mine = new_form | {"fillPath": link}
    file_id = await uploaded(account, mine)
    sent = await submit(account, mine, {"client": "C-2", "site": "Quay", "photos": [file_id]})
    assert (sent["taskId"], sent["data"]["client"]) == (asked["id"], "C-2")
    assert [file["id"] for file in await listed(account, sent["id"])] == [file_id]
    done = await get(account, f"/customers/{account.id}/tasks/{asked['id']}")
    assert (done["status"], done["fulfilments"][0]["submissionId"]) == ("COMPLETED", sent["id"])
