"""Rows that the filter of a lookup excludes are invalid answers, unless they were allowed when they were seen."""

from typing import Any
from uuid import uuid4

from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission

from formwright.domain.datasources.limits import ROW_RETENTION_MS

ROWS = [
    {"number": "C-1", "name": "Harbour Works", "city": "Kiel", "staff": 12, "vip": True},
    {"number": "C-2", "name": "Café Zentral", "city": "Ulm", "staff": 3, "vip": False},
]
OUT = "answer.lookup.filtered"


def fields(of: str) -> list[dict[str, Any]]:
    look_up = {"type": "lookup", "label": "Client", "datasourceId": of, "display": ["name"]}
    narrow = {"city": "city", "staff": "people", "vip": "vip"}
    return [
        {"type": "text", "name": "city", "label": "City"},
        {"type": "decimal", "name": "people", "label": "People", "visibleIf": "vip"},
        {"type": "boolean", "name": "vip", "label": "VIP"},
        look_up | {"name": "client", "filter": narrow, "mapping": {"city": "city"}},
        {
            "type": "repeat",
            "name": "visits",
            "label": "Visits",
            "fields": [
                look_up | {"name": "guest", "filter": {"city": "where", "vip": "vip"}},
                {"type": "text", "name": "where", "label": "Where"},
            ],
        },
    ]


async def create_form(account: Account) -> tuple[dict[str, Any], dict[str, Any]]:
    table = await datasource(account, rows=ROWS)
    return table, await form(account, fields=fields(table["id"]))


async def move_clients(account: Account, table: dict[str, Any], *cities: str) -> None:
    """Move the clients to other cities, each time in a new version of the data source."""
    path = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    for city in cities:
        response = await account.api.put(path, json={"rows": [ROWS[0] | {"city": city}, ROWS[1]]})
        assert response.status_code == 200, response.text


async def submit(
    account: Account, form: dict[str, Any], data: dict[str, Any], seen: int | None = None, client_id: str = ""
) -> list[tuple[str, str]] | dict[str, Any]:
    """Return the errors or the submission that the page gets. `seen`: the version at which the client was chosen."""
    body = {"versionId": form["publishedVersionId"], "data": data}
    body |= {"seen": {"client": {"C-1": seen}}} if seen is not None else {}
    async with account.stage.client() as page:
        response = await page.post(f"{form['fillPath']}/submissions/{client_id or uuid4()}", json=body)
    if response.status_code == 422:
        return faults(response)
    assert response.status_code in (200, 201), response.text
    read: dict[str, Any] = response.json()
    return read


def faults(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return [(one["pointer"], one["code"]) for one in response.json()["errors"]]


async def sent(account: Account, form: dict[str, Any], data: dict[str, Any]) -> list[tuple[str, str]]:
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submissions"
    return faults(await account.api.post(path, json={"data": data}))


async def test_filtered_out_rows_are_rejected_from_the_api_and_the_page(account: Account) -> None:
    _, visit = await create_form(account)
    for narrow in ({"city": "Ulm"}, {"city": "kiel"}, {"vip": False}, {"city": "Kiel", "people": 12.5, "vip": True}):
        data = {"client": "C-1", **narrow}
        assert await sent(account, visit, data) == [("/data/client", OUT)]
        assert await submit(account, visit, data) == [("/data/client", OUT)]
    for seen in (0, 1, 99, 2**70):
        assert await submit(account, visit, {"client": "C-1", "city": "Ulm"}, seen) == [("/data/client", OUT)]
    assert (await get(account, "/submissions"))["items"] == []


async def test_matching_rows_are_accepted_and_missing_answers_do_not_filter(account: Account) -> None:
    _, visit = await create_form(account)
    for data in (
        {"client": "C-1"},
        {"client": "C-1", "city": "Kiel", "people": 12.0, "vip": True},
        {"client": "C-1", "city": ""},
        {"client": "C-2", "people": 99, "vip": False},
        {"visits": [{"guest": "C-1", "where": "Kiel"}, {"guest": "C-2"}]},
    ):
        assert isinstance(await submit(account, visit, data), dict), "99 is hidden, and so no answer"


async def test_rows_of_a_repeat_are_filtered_by_their_own_and_outer_answers(account: Account) -> None:
    _, visit = await create_form(account)
    rows = [{"guest": "C-1", "where": "Ulm"}, {"guest": "C-2", "where": "Ulm"}, {"guest": "C-1", "where": "Kiel"}]
    assert await sent(account, visit, {"vip": True, "visits": rows}) == [
        ("/data/visits/0/guest", OUT),
        ("/data/visits/1/guest", OUT),
    ]


async def test_the_error_is_in_the_language_of_the_form_with_all_other_errors(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    visit = await form(account, fields=fields(table["id"]), settings={"language": "de"})
    path = f"{PREFIX}/customers/{account.id}/forms/{visit['id']}/submissions"
    response = await account.api.post(path, json={"data": {"client": "C-1", "city": "Ulm", "nothing": 1}})
    assert sorted(faults(response)) == [("/data/client", OUT), ("/data/nothing", "value.unknown")]
    said = [one["detail"] for one in response.json()["errors"] if one["code"] == OUT]
    assert said == ["Dieser Eintrag passt nicht zu Ihren anderen Antworten."]


async def test_an_offline_device_is_validated_against_the_row_it_saw(account: Account) -> None:
    table, visit = await create_form(account)
    await move_clients(account, table, "Ulm", "Bonn")
    for seen, city in ((1, "Kiel"), (2, "Ulm"), (3, "Bonn")):
        assert isinstance(await submit(account, visit, {"client": "C-1", "city": city}, seen), dict)
    assert await submit(account, visit, {"client": "C-1", "city": "Kiel"}, 2) == [("/data/client", OUT)]
    assert await submit(account, visit, {"client": "C-1", "city": "Kiel"}) == [("/data/client", OUT)]


async def test_a_row_version_before_its_creation_is_validated_against_the_current_row(account: Account) -> None:
    table = await datasource(account, rows=ROWS[1:])
    visit = await form(account, fields=fields(table["id"]))
    await move_clients(account, table, "Ulm")
    assert await submit(account, visit, {"client": "C-1", "city": "Kiel"}, 1) == [("/data/client", OUT)]
    assert isinstance(await submit(account, visit, {"client": "C-1", "city": "Ulm"}, 1), dict)


async def test_a_row_version_that_was_cleaned_up_is_accepted(account: Account) -> None:
    table, visit = await create_form(account)
    await move_clients(account, table, "Ulm")
    async with account.stage.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE datasource_imports SET created = created - $2 WHERE customer_id = $1",
            account.id,
            ROW_RETENTION_MS + 1000,
        )
        await tx.execute("DELETE FROM datasource_rows WHERE customer_id = $1 AND until <= 2", account.id)
    assert isinstance(await submit(account, visit, {"client": "C-1", "city": "Kiel"}, 1), dict)
    assert await submit(account, visit, {"client": "C-1", "city": "Kiel"}, 2) == [("/data/client", OUT)]


async def test_a_repeated_submission_after_a_row_change_is_the_same_submission(account: Account) -> None:
    table, visit = await create_form(account)
    client_id, data = str(uuid4()), {"client": "C-1", "city": "Kiel"}
    first = await submit(account, visit, data, client_id=client_id)
    await move_clients(account, table, "Ulm")
    assert await submit(account, visit, data, client_id=client_id) == first


async def test_a_correction_keeps_accepted_rows_and_validates_new_ones(account: Account) -> None:
    table, visit = await create_form(account)
    came = await submission(account, visit, data={"client": "C-1", "city": "Kiel"})
    await move_clients(account, table, "Ulm")
    path = f"{PREFIX}/customers/{account.id}/submissions/{came['id']}"
    same = {"client": "C-1", "city": "Kiel", "visits": [{"where": "x"}]}
    assert (await account.api.put(path, json={"data": same})).json()["data"] == same
    assert faults(await account.api.put(path, json={"data": {"client": "C-1", "city": "Bonn"}})) == [
        ("/data/client", OUT)
    ]
    now = {"client": "C-1", "city": "Ulm"}
    assert (await account.api.put(path, json={"data": now})).json()["data"] == now
    rows = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    assert (await account.api.put(rows, json={"rows": []})).status_code == 200
    gone = {"client": "C-1", "city": "Bonn"}
    assert (await account.api.put(path, json={"data": gone})).json()["data"] == gone, "nobody knows where it is now"


async def test_a_rejected_submission_may_be_resubmitted_with_its_row(account: Account) -> None:
    table, visit = await create_form(account)
    client_id = str(uuid4())
    first = await submit(account, visit, {"client": "C-1", "city": "Kiel"}, client_id=client_id)
    assert isinstance(first, dict)
    await move_clients(account, table, "Ulm")
    path = f"{PREFIX}/customers/{account.id}/submissions/{first['id']}"
    assert (await account.api.put(path, json={"status": "REJECTED"})).status_code == 200
    again = {"client": "C-1", "city": "Kiel", "visits": [{"where": "x"}]}
    assert await submit(account, visit, again | {"city": "Bonn"}, client_id=client_id) == [("/data/client", OUT)]
    assert isinstance(await submit(account, visit, again, client_id=client_id), dict)


async def test_tasks_and_invites_cannot_be_pre_filled_with_filtered_out_rows(account: Account) -> None:
    _, visit = await create_form(account)
    to = {"users": [account.owner.id]}
    tasks, invites = f"{PREFIX}/customers/{account.id}/{visit['id']}/tasks", f"{PREFIX}/customers/{account.id}/invites"
    wrong, right = {"client": "C-1", "city": "Ulm"}, {"client": "C-1", "vip": True}
    assert faults(await account.api.post(tasks, json={"recipients": to, "data": wrong})) == [("/data/client", OUT)]
    body = {"formId": visit["id"], "email": "a@example.org"}
    assert faults(await account.api.post(invites, json=body | {"data": wrong})) == [("/data/client", OUT)]
    response = await account.api.post(tasks, json={"recipients": to, "data": right})
    assert response.json()["data"] == right | {"city": "Kiel"}
