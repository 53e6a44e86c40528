"""Lookups of several rows: `lookups`, whose answers are lists of keys."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.random_answers import field, load_export, publish
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.tasks import task
from factories.web_client import visit
from fixtures.feed import FeedClient

ROWS = [
    {"number": "K", "name": "Kiel", "land": "SH"},
    {"number": "L", "name": "Lübeck", "land": "SH"},
    {"number": "U,1", "name": "Ulm 🙂", "land": "BW"},
]


def several(table: dict[str, Any], **members: Any) -> dict[str, Any]:
    return field("lookups", "towns", datasourceId=table["id"], display=["name"]) | members


async def errors(account: Account, form: dict[str, Any], data: dict[str, Any]) -> list[tuple[str, str]]:
    path = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submissions"
    response = await account.api.post(path, json={"data": data})
    assert response.status_code == 422, response.text
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def edit(account: Account, submission: dict[str, Any], data: dict[str, Any]) -> Any:
    return await account.api.put(f"{PREFIX}/customers/{account.id}/submissions/{submission['id']}", json={"data": data})


async def find_ids(account: Account, form: dict[str, Any], **query: str) -> list[str]:
    found = await get(account, "/submissions", formId=form["id"], **query)
    return [one["id"] for one in found["items"]]


async def test_the_rows_are_stored_shown_filtered_and_counted(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    rules = [
        field("integer", "count", calculate="size(towns)"),
        field("text", "why", visibleIf="'K' in towns", required=True),
        field("repeat", "trips", fields=[several(table, name="stops")]),
    ]
    new_form = await form(account, fields=[several(table, indexed=True), *rules])
    assert await errors(account, new_form, {"towns": ["L", "K"]}) == [("/data/why", "value.required")]
    data = {"towns": ["U,1", "K"], "why": "x", "count": 2, "trips": [{}, {"stops": ["L"]}]}
    first = await submission(account, new_form, data=data)
    second = await submission(account, new_form, data={"towns": ["K", "L"], "why": "y"})
    await submission(account, new_form, data={})
    assert first["data"] == data
    assert [(row["pointer"], row["key"], row["data"]) for row in first["lookups"]] == [
        ("/data/towns/0", "U,1", {"name": "Ulm 🙂"}),
        ("/data/towns/1", "K", {"name": "Kiel"}),
        ("/data/trips/1/stops/0", "L", {"name": "Lübeck"}),
    ]
    for query, found in (
        ({"answers.towns": "K"}, {first["id"], second["id"]}),
        ({"answers.towns[in]": "L,Z"}, {second["id"]}),
        ({"answers.towns[contains]": "U,1"}, {first["id"]}),
        ({"answers.stops": "L"}, {first["id"]}),
        ({"q": "lubeck"}, {first["id"], second["id"]}),
    ):
        assert set(await find_ids(account, new_form, **query)) == found, query
    [towns, *_] = (await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary"))["fields"]
    assert (towns["kind"], towns["answered"], towns["rows"]["different"]) == ("LOOKUPS", 2, 3)
    assert [(row["label"], row["count"], row["share"]) for row in towns["rows"]["items"]] == [
        ("Kiel", 2, 1.0),
        ("Lübeck", 1, 0.5),
        ("Ulm 🙂", 1, 0.5),
    ]
    async with visit(account) as site:
        page = (await site.http.get(f"/submissions/{first['id']}")).text
        assert "Ulm 🙂 (U,1), Kiel (K)" in page
        assert '"U,1, K"' in (await site.http.get(f"/submissions/download.csv?form={new_form['id']}")).text


async def test_the_index_counts_what_the_answers_say(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    new_form = await form(account, fields=[several(table, indexed=True)])
    for keys in (["K"], ["K", "L"], []):
        await submission(account, new_form, data={"towns": keys})
    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    found = await get(account, path)
    assert found == await get(account, f"{path}?updatedFrom=2000-01-01T00:00:00Z")
    assert [row["share"] for row in found["fields"][0]["rows"]["items"]] == [1.0, 0.5]


async def test_answers_that_are_no_list_of_existing_rows_are_rejected(account: Account, stranger: Account) -> None:
    table = await datasource(
        account, rows=[*ROWS, *({"number": f"N{n}", "name": "x", "land": "x"} for n in range(101))]
    )
    await datasource(stranger, rows=[{"number": "theirs", "name": "x", "land": "x"}])
    one = field("lookup", "town", datasourceId=table["id"])
    limited = several(table, name="few", minChoices=2, maxChoices=3)
    new_form = await form(account, fields=[several(table), limited, one])
    many = [f"N{n}" for n in range(101)]
    for data, expected in (
        ({"towns": ["K", "L", "K"]}, ("/data/towns", "value.repeated")),
        ({"towns": ["K", "theirs"]}, ("/data/towns/1", "answer.lookup.unknown")),
        ({"towns": "K"}, ("/data/towns", "value.type")),
        ({"towns": ["K", 7]}, ("/data/towns/1", "value.type")),
        ({"towns": [""]}, ("/data/towns/0", "value.too_short")),
        ({"towns": many}, ("/data/towns", "value.too_many")),
        ({"few": ["K"]}, ("/data/few", "value.too_few")),
        ({"few": ["K", "L", "U,1", "N0"]}, ("/data/few", "value.too_many")),
        ({"town": ["K"]}, ("/data/town", "value.type")),
    ):
        assert await errors(account, new_form, data) == [expected], data
    assert await errors(account, new_form, {"towns": ["x"] * 90_000}) == [("/data/towns", "value.too_many")]
    most = await submission(account, new_form, data={"towns": many[:100]})
    assert [row["key"] for row in most["lookups"]] == many[:100]


@pytest.mark.parametrize(
    ("members", "where", "code"),
    [
        ({"mapping": {"name": "town"}}, "/fields/0/mapping", "value.unknown"),
        ({"minChoices": 4, "maxChoices": 3}, "/fields/0/minChoices", "field.range"),
        ({"maxChoices": 101}, "/fields/0/maxChoices", "value.too_great"),
        ({"defaultRule": "['K']"}, "/fields/0/defaultRule", "field.rule"),
        ({"datasourceId": "dat_01m7z1fcbwef0vwstq00gm76p5"}, "/fields/0/datasourceId", "datasource.not_found"),
    ],
)
async def test_definitions_that_cannot_work_are_rejected(
    account: Account, members: dict[str, Any], where: str, code: str
) -> None:
    table = await datasource(account, rows=ROWS)
    body = {"name": "x", "fields": [several(table) | members, field("text", "town")]}
    response = await account.api.post(f"{PREFIX}/forms", json=body)
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [(where, code)]


async def test_a_repeat_does_not_begin_with_lists_of_rows(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    repeat = field("repeat", "trips", rowsFrom="towns", fields=[several(table)])
    response = await account.api.post(f"{PREFIX}/forms", json={"name": "x", "fields": [repeat]})
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["/fields/0/rowsFrom"]


async def test_the_filter_applies_to_each_row_and_accepted_rows_stay(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    new_form = await form(account, fields=[field("text", "land"), several(table, filter={"land": "land"})])
    assert await errors(account, new_form, {"land": "SH", "towns": ["K", "U,1"]}) == [
        ("/data/towns/1", "answer.lookup.filtered")
    ]
    async with account.stage.client() as page:
        asked = {"key": ["L", "Z", "K", "U,1"], "by.land": "SH"}
        found = await page.get(f"{new_form['fillPath']}/lookup/towns", params=asked)
    assert {(item["key"], item["label"]) for item in found.json()["items"]} == {("K", "Kiel"), ("L", "Lübeck")}
    came = await submission(account, new_form, data={"land": "SH", "towns": ["K", "L"]})
    rows = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    moved = [ROWS[0] | {"land": "BW"}, ROWS[2]]
    assert (await account.api.put(rows, json={"rows": moved})).is_success
    # A moved and a deleted row stay, and a row that was not there before is judged as it is now.
    kept = await edit(account, came, {"land": "SH", "towns": ["L", "K"]})
    assert [row["data"] for row in kept.json()["lookups"]] == [{"name": "Lübeck"}, {"name": "Kiel"}]
    refused = await edit(account, came, {"land": "SH", "towns": ["L", "U,1"]})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/data/towns/1"]
    body = {"versionId": new_form["publishedVersionId"], "data": {"land": "SH", "towns": ["K", "L"]}}
    async with account.stage.client() as page:
        path = f"{new_form['fillPath']}/submissions/{uuid4()}"
        response = await page.post(path, json=body | {"seen": {"towns": {"K": 1, "L": 1}}})
    assert response.status_code == 201, response.text


async def test_rows_above_1_mib_keep_only_their_keys(account: Account) -> None:
    long = [{"number": str(number), "name": f"{number} ".ljust(9_900, "x")} for number in range(60)]
    table = await datasource(account, rows=long)
    new_form = await form(account, fields=[several(table), several(table, name="more")])
    keys = [str(number) for number in range(60)]
    came = await submission(account, new_form, data={"towns": keys, "more": keys})
    whole = [row["data"] is not None for row in came["lookups"]]
    assert (len(whole), whole[0], whole[-1]) == (120, True, False)
    assert {row["version"] for row in came["lookups"]} == {1}


async def test_a_field_becomes_a_list_in_a_later_version(feed: FeedClient, tmp_path: Path) -> None:
    account = feed.account
    table = await datasource(account, rows=ROWS)
    one = field("lookup", "towns", datasourceId=table["id"], display=["name"], indexed=True)
    new_form = await form(account, fields=[one])
    before = await submission(account, new_form, data={"towns": "K"})
    version = await publish(account, new_form["id"], [several(table, indexed=True)])
    after = await submission(account, new_form, data={"towns": ["L", "K"]})
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions/{version}/changes"
    [change] = (await get(account, path))["changes"]
    assert (change["kind"], change["breaking"]) == ("RETYPED", True)
    kinds = {
        one["kind"]: one
        for one in (await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary"))["fields"]
    }
    assert {kind: one["answered"] for kind, one in kinds.items()} == {"LOOKUPS": 1, "LOOKUP": 1}
    # As for choices, a filter finds the answers of the published type.
    assert await find_ids(account, new_form, **{"answers.towns": "K"}) == [after["id"]]
    async with visit(account) as site:
        csv = (await site.http.get(f"/submissions/download.csv?form={new_form['id']}")).text
        listed = (await site.http.get(f"/submissions?form={new_form['id']}")).text
        page = (await site.http.get(f"/submissions/{before['id']}")).text
    assert [line.count("K") for line in csv.splitlines()[1:]] == [1, 1]
    typed = await load_export(account, new_form["id"], tmp_path)
    assert sorted(typed.sql("SELECT towns FROM export").fetchall()) == [(["K"],), (["L", "K"],)]
    assert sorted(row["towns"] for row in await feed.rows("Submissions_Visit")) == ["K", "L,K"]
    assert "Lübeck (L), Kiel (K)" in listed
    assert "Kiel (K)" in page


async def test_a_task_is_pre_filled_with_rows(account: Account) -> None:
    table = await datasource(account, rows=ROWS)
    new_form = await form(account, fields=[several(table)])
    work = await task(account, new_form, data={"towns": ["K", "L"]})
    assert work["data"] == {"towns": ["K", "L"]}
    body = {"recipients": {"users": [account.owner.id]}, "data": {"towns": ["K", "Z"]}}
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/{new_form['id']}/tasks", json=body)
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [
        ("/data/towns/1", "answer.lookup.unknown")
    ]
