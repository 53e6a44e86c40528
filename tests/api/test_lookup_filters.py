"""Rows that a lookup's filter leaves out: no answer, from whomever, unless the row was let through when it was seen."""

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


async def made(account: Account) -> tuple[dict[str, Any], dict[str, Any]]:
    table = await datasource(account, rows=ROWS)
    return table, await form(account, fields=fields(table["id"]))


async def moved(account: Account, table: dict[str, Any], *cities: str) -> None:
    """The clients move to other cities: each time a new version of the datasource."""
    path = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    for city in cities:
        answer = await account.api.put(path, json={"rows": [ROWS[0] | {"city": city}, ROWS[1]]})
        assert answer.status_code == 200, answer.text


async def filled(
    account: Account, form: dict[str, Any], data: dict[str, Any], seen: int | None = None, client_id: str = ""
) -> list[tuple[str, str]] | dict[str, Any]:
    """What the page is answered: the faults, or the submission. `seen`: at which version the client was chosen."""
    body = {"versionId": form["publishedVersionId"], "data": data}
    body |= {"seen": {"client": {"C-1": seen}}} if seen is not None else {}
    async with account.stage.client() as page:
        answer = await page.post(f"{form['fillPath']}/submissions/{client_id or uuid4()}", json=body)
    if answer.status_code == 422:
        return faults(answer)
    assert answer.status_code in (200, 201), answer.text
    read: dict[str, Any] = answer.json()
    return read


def faults(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.text
    return [(one["pointer"], one["code"]) for one in answer.json()["errors"]]


async def sent(account: Account, form: dict[str, Any], data: dict[str, Any]) -> list[tuple[str, str]]:
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submissions"
    return faults(await account.api.post(path, json={"data": data}))


async def test_what_the_filter_leaves_out_is_refused_from_a_system_and_from_the_page(account: Account) -> None:
    _, visit = await made(account)
    for narrow in ({"city": "Ulm"}, {"city": "kiel"}, {"vip": False}, {"city": "Kiel", "people": 12.5, "vip": True}):
        data = {"client": "C-1", **narrow}
        assert await sent(account, visit, data) == [("/data/client", OUT)]
        assert await filled(account, visit, data) == [("/data/client", OUT)]
    for seen in (0, 1, 99, 2**70):
        assert await filled(account, visit, {"client": "C-1", "city": "Ulm"}, seen) == [("/data/client", OUT)]
    assert (await get(account, "/submissions"))["items"] == []


async def test_what_it_lets_through_is_taken_and_no_answer_narrows_nothing(account: Account) -> None:
    _, visit = await made(account)
    for data in (
        {"client": "C-1"},
        {"client": "C-1", "city": "Kiel", "people": 12.0, "vip": True},
        {"client": "C-1", "city": ""},
        {"client": "C-2", "people": 99, "vip": False},
        {"visits": [{"guest": "C-1", "where": "Kiel"}, {"guest": "C-2"}]},
    ):
        assert isinstance(await filled(account, visit, data), dict), "99 is hidden, and so no answer"


async def test_a_row_of_a_repeat_is_narrowed_by_its_own_answers_and_by_those_around(account: Account) -> None:
    _, visit = await made(account)
    rows = [{"guest": "C-1", "where": "Ulm"}, {"guest": "C-2", "where": "Ulm"}, {"guest": "C-1", "where": "Kiel"}]
    assert await sent(account, visit, {"vip": True, "visits": rows}) == [
        ("/data/visits/0/guest", OUT),
        ("/data/visits/1/guest", OUT),
    ]


async def test_it_is_said_in_the_language_of_the_form_beside_all_other_faults(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    visit = await form(account, fields=fields(table["id"]), settings={"language": "de"})
    path = f"{PREFIX}/customers/{account.id}/forms/{visit['id']}/submissions"
    answer = await account.api.post(path, json={"data": {"client": "C-1", "city": "Ulm", "nothing": 1}})
    assert sorted(faults(answer)) == [("/data/client", OUT), ("/data/nothing", "value.unknown")]
    said = [one["detail"] for one in answer.json()["errors"] if one["code"] == OUT]
    assert said == ["Dieser Eintrag passt nicht zu Ihren anderen Antworten."]


async def test_a_phone_that_was_away_is_judged_by_the_row_that_it_saw(account: Account) -> None:
    table, visit = await made(account)
    await moved(account, table, "Ulm", "Bonn")
    for seen, city in ((1, "Kiel"), (2, "Ulm"), (3, "Bonn")):
        assert isinstance(await filled(account, visit, {"client": "C-1", "city": city}, seen), dict)
    assert await filled(account, visit, {"client": "C-1", "city": "Kiel"}, 2) == [("/data/client", OUT)]
    assert await filled(account, visit, {"client": "C-1", "city": "Kiel"}) == [("/data/client", OUT)]


async def test_who_says_that_she_saw_a_row_before_it_was_there_is_judged_by_the_row_as_it_is(account: Account) -> None:
    table = await datasource(account, rows=ROWS[1:])
    visit = await form(account, fields=fields(table["id"]))
    await moved(account, table, "Ulm")
    assert await filled(account, visit, {"client": "C-1", "city": "Kiel"}, 1) == [("/data/client", OUT)]
    assert isinstance(await filled(account, visit, {"client": "C-1", "city": "Ulm"}, 1), dict)


async def test_what_was_seen_so_long_ago_that_it_is_forgotten_is_taken(account: Account) -> None:
    table, visit = await made(account)
    await moved(account, table, "Ulm")
    async with account.stage.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE datasource_imports SET created = created - $2 WHERE customer_id = $1",
            account.id,
            ROW_RETENTION_MS + 1000,
        )
        await tx.execute("DELETE FROM datasource_rows WHERE customer_id = $1 AND until <= 2", account.id)
    assert isinstance(await filled(account, visit, {"client": "C-1", "city": "Kiel"}, 1), dict)
    assert await filled(account, visit, {"client": "C-1", "city": "Kiel"}, 2) == [("/data/client", OUT)]


async def test_sent_again_after_the_row_moved_it_is_the_same_submission(account: Account) -> None:
    table, visit = await made(account)
    client_id, data = str(uuid4()), {"client": "C-1", "city": "Kiel"}
    first = await filled(account, visit, data, client_id=client_id)
    await moved(account, table, "Ulm")
    assert await filled(account, visit, data, client_id=client_id) == first


async def test_a_correction_keeps_what_was_accepted_and_judges_what_is_new(account: Account) -> None:
    table, visit = await made(account)
    came = await submission(account, visit, data={"client": "C-1", "city": "Kiel"})
    await moved(account, table, "Ulm")
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


async def test_what_was_rejected_may_come_again_with_the_row_that_it_had(account: Account) -> None:
    table, visit = await made(account)
    client_id = str(uuid4())
    first = await filled(account, visit, {"client": "C-1", "city": "Kiel"}, client_id=client_id)
    assert isinstance(first, dict)
    await moved(account, table, "Ulm")
    path = f"{PREFIX}/customers/{account.id}/submissions/{first['id']}"
    assert (await account.api.put(path, json={"status": "REJECTED"})).status_code == 200
    again = {"client": "C-1", "city": "Kiel", "visits": [{"where": "x"}]}
    assert await filled(account, visit, again | {"city": "Bonn"}, client_id=client_id) == [("/data/client", OUT)]
    assert isinstance(await filled(account, visit, again, client_id=client_id), dict)


async def test_a_task_and_an_invite_are_not_filled_in_beforehand_so(account: Account) -> None:
    _, visit = await made(account)
    to = {"users": [account.owner.id]}
    tasks, invites = f"{PREFIX}/customers/{account.id}/{visit['id']}/tasks", f"{PREFIX}/customers/{account.id}/invites"
    wrong, right = {"client": "C-1", "city": "Ulm"}, {"client": "C-1", "vip": True}
    assert faults(await account.api.post(tasks, json={"recipients": to, "data": wrong})) == [("/data/client", OUT)]
    body = {"formId": visit["id"], "email": "a@example.org"}
    assert faults(await account.api.post(invites, json=body | {"data": wrong})) == [("/data/client", OUT)]
    answer = await account.api.post(tasks, json={"recipients": to, "data": right})
    assert answer.json()["data"] == right | {"city": "Kiel"}
