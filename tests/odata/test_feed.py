"""The OData feed: its tables and rows, paging, sorting, counting, deltas, and who may read it."""

from typing import Any
from xml.etree import ElementTree

import pytest
from actors import Account
from factories.forms import form
from factories.random_answers import publish
from factories.requests import PREFIX
from factories.submissions import started, submission
from fixtures.feed import FeedClient

from formwright.domain.feeds import service as feeds
from formwright.odata import reader

OPTIONS = [{"value": "a,b", "label": "A"}, {"value": "c", "label": "C"}]
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": {"en": "Site", "de": "Ort"}},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "decimal", "name": "depth", "label": "Depth"},
    {"type": "boolean", "name": "safe", "label": "Safe"},
    {"type": "date", "name": "day", "label": "Day"},
    {"type": "time", "name": "at", "label": "At"},
    {"type": "datetime", "name": "seen", "label": "Seen"},
    {"type": "choices", "name": "kinds", "label": "Kinds", "options": OPTIONS},
    {"type": "location", "name": "spot", "label": "Spot"},
    {
        "type": "repeat",
        "name": "visits",
        "label": "Visits",
        "fields": [{"type": "integer", "name": "size", "label": "Size"}],
    },
]
ANSWERS: dict[str, Any] = {
    "site": "Häfen 😀 <b>",
    "people": 2**53,
    "depth": -0.125,
    "safe": False,
    "day": "2026-03-29",
    "at": "14:30",
    "seen": "2026-03-29T02:30:00+02:00",
    "kinds": ["a,b", "c"],
    "spot": {"latitude": -90, "longitude": 180, "accuracy": 3.5},
    "visits": [{"size": 7}, {}, {"size": 8}],
}


async def test_every_kind_of_answer_has_a_column_with_its_type(feed: FeedClient) -> None:
    new_form = await form(feed.account, name="Größe – Δ 1", fields=FIELDS)
    full = await submission(feed.account, new_form, data=ANSWERS, externalId="x1", location=ANSWERS["spot"])
    await submission(feed.account, new_form, data={})
    draft = await started(feed.account, new_form, "page1", people="many", day="2026-02-31", spot={"latitude": 1})

    document = await feed.get("")
    names = [one["name"] for one in document["value"]]
    assert names == ["Submissions_Größe_Δ_1", "Submissions_Größe_Δ_1__visits", "Tasks", "Users"]
    assert document["@odata.context"] == f"https://forms.test{feed.root}$metadata"
    one, empty, draft_row = await feed.rows(names[0])
    assert one == {
        "_id": full["id"],
        "_status": "SUBMITTED",
        "_started": full["startedAt"],
        "_submitted": full["submittedAt"],
        "_updated": full["updated"],
        "_user_id": None,
        "_external_id": "x1",
        "_note": None,
        "_version_id": full["versionId"],
        "_revision": 1,
        "_latitude": -90,
        "_longitude": 180,
        "_accuracy": 3.5,
        "_location": "POINT (180.0 -90.0)",
        "site": "Häfen 😀 <b>",
        "people": 2**53,
        "depth": -0.125,
        "safe": False,
        "day": "2026-03-29",
        "at": "14:30:00",
        "seen": "2026-03-29T00:30:00.000Z",
        "kinds": "a\\,b,c",
        "spot": "POINT (180.0 -90.0)",
        "spot_latitude": -90,
        "spot_longitude": 180,
        "spot_accuracy": 3.5,
    }
    assert set(empty) == set(one)
    assert (draft_row["_id"], draft_row["people"], draft_row["day"], draft_row["spot"], draft_row["spot_latitude"]) == (
        draft.id,
        None,
        None,
        None,
        1,
    )
    rows = [{"_submission_id": full["id"], "_row": n, "size": size} for n, size in ((1, 7), (2, None), (3, 8))]
    assert await feed.rows(names[1]) == rows
    [expanded] = await feed.rows(names[0], filter="people eq 9007199254740992", expand="visits", select="_id")
    assert expanded == {"_id": full["id"], "visits": rows}
    key = {"_submission_id": full["id"], "_row": 3, "size": 8}
    assert key.items() <= (await feed.get(f"{names[1]}(_submission_id='{full['id']}',_row=3)")).items()
    assert (await feed.get(f"{names[0]}('{full['id']}')", select="people"))["people"] == 2**53
    for path in (f"{names[0]}('sub_x')", f"{names[1]}('{full['id']}')", "Submissions_x", "Users('", f"{names[0]}__x"):
        assert (await feed.get(path, 404))["error"]["code"] == "odata.not_found"


async def test_metadata_describes_what_the_rows_have(feed: FeedClient) -> None:
    new_form = await form(feed.account, fields=FIELDS)
    await submission(feed.account, new_form, data=ANSWERS)
    response = await feed.http.get(feed.root + "$metadata")
    assert response.headers["content-type"].startswith("application/xml")
    schema = ElementTree.fromstring(response.content).find(".//{*}Schema")
    assert schema is not None
    types = {one.get("Name"): one for one in schema.findall("{*}EntityType")}
    values = {"Edm.String": str, "Edm.Int64": int, "Edm.Double": int | float, "Edm.Boolean": bool}
    for entity_set in schema.findall(".//{*}EntitySet"):
        name = entity_set.get("Name", "")
        columns = {one.get("Name"): one.get("Type", "") for one in types[name].findall("{*}Property")}
        for row in await feed.rows(name):
            assert list(row) == list(columns)
            for column, value in row.items():
                assert value is None or isinstance(value, values.get(columns[column], str)), column
    assert types["Submissions_Visit"].find("{*}NavigationProperty").get("Type") == (  # type: ignore[union-attr]
        "Collection(Formwright.Submissions_Visit__visits)"
    )


async def test_names_of_columns_never_collide(feed: FeedClient) -> None:
    older = [{"type": "text", "name": name, "label": name} for name in ("inner", "Spot", "SPOT_LONGITUDE")]
    fields: list[dict[str, Any]] = [
        {"type": "location", "name": "spot", "label": "Spot"},
        {"type": "text", "name": "spot_latitude", "label": "Text"},
        {
            "type": "repeat",
            "name": "spot_accuracy",
            "label": "Repeat",
            "fields": [
                {"type": "text", "name": "who", "label": "Who"},
                {"type": "repeat", "name": "inner", "label": "Inner", "fields": [older[0] | {"name": "what"}]},
            ],
        },
    ]
    new_form = await form(feed.account, name="Names", fields=older)
    await submission(feed.account, new_form, data={"inner": "a", "Spot": "b", "SPOT_LONGITUDE": "c"})
    await publish(feed.account, new_form["id"], fields)
    place = {"latitude": 1.5, "longitude": 2.5, "accuracy": 3.5}
    data = {"spot": place, "spot_latitude": "x", "spot_accuracy": [{"who": "y", "inner": [{"what": "z"}]}]}
    await submission(feed.account, new_form, data=data)
    document = await feed.http.get(f"{feed.root}$metadata")
    edm = "{http://docs.oasis-open.org/odata/ns/edm}"
    tags = (f"{edm}Property", f"{edm}NavigationProperty")
    for entity in ElementTree.fromstring(document.content).iter(f"{edm}EntityType"):
        names = [one.attrib["Name"].casefold() for one in entity if one.tag in tags]
        assert len(set(names)) == len(names), entity.attrib["Name"]
    old, new = await feed.rows("Submissions_Names", expand="spot_accuracy,inner")
    assert [old[name] for name in ("inner_", "Spot_", "SPOT_LONGITUDE")] == ["a", "b", "c"]
    assert [new[name] for name in ("spot_latitude", "spot_latitude_", "spot_longitude_", "spot_accuracy_")] == [
        "x",
        1.5,
        2.5,
        3.5,
    ]
    assert (new["spot_accuracy"][0]["who"], new["inner"][0]["what"]) == ("y", "z")
    for condition in ("spot_accuracy_ eq 3.5", "spot_latitude eq 'x'", "spot_longitude_ gt 2"):
        [found] = await feed.rows("Submissions_Names", filter=condition)
        assert found["_id"] == new["_id"]
    [found] = await feed.rows("Submissions_Names", filter="inner_ eq 'a' and Spot_ eq 'b'")
    assert found["_id"] == old["_id"]


async def test_a_table_keeps_its_name_and_the_columns_of_older_versions(feed: FeedClient) -> None:
    one, other = await form(feed.account), await form(feed.account)
    await submission(feed.account, one)
    names = [entry["name"] for entry in (await feed.get(""))["value"]]
    assert names[:2] == ["Submissions_Visit", f"Submissions_Visit_{other['id'][-6:]}"]
    path = f"{PREFIX}/forms/customer/{feed.account.id}/forms/{one['id']}"
    fields = [{"type": "text", "name": "people", "label": "People, in words"}]
    response = await feed.account.api.put(path, json={"name": "Renamed", "fields": fields, "publish": True})
    assert response.status_code == 200, response.text
    await submission(feed.account, one, data={"people": "three"})
    assert [entry["title"] for entry in (await feed.get(""))["value"]][:2] == ["Renamed", "Visit"]
    rows = await feed.rows("Submissions_Visit", select="site,people")
    assert rows == [{"site": "Harbour", "people": "3"}, {"site": None, "people": "three"}]
    assert await feed.rows("Submissions_Visit", filter="people eq '3'", select="people") == [{"people": "3"}]


async def test_rows_can_be_filtered_sorted_paged_and_counted(feed: FeedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    new_form = await form(feed.account)
    for number in range(7):
        await submission(feed.account, new_form, data={"site": f"Pier {number}", "people": number % 3})
    await submission(feed.account, new_form, data={"site": "nobody's"})
    table = "Submissions_Visit"

    async def sites(**options: Any) -> list[str]:
        return [row["site"].removeprefix("Pier ") for row in await feed.rows(table, select="site", **options)]

    small = "odata.maxpagesize=2"
    assert await sites(prefer=small) == [*"0123456", "nobody's"]
    assert await sites(prefer=small, skip=2, top=3) == [*"234"]
    assert await sites(prefer=small, filter="people ge 1 and people lt 2") == [*"14"]
    assert await sites(filter="not (people eq 1) and startswith(site,'Pier')") == [*"02356"]
    assert await sites(filter="people eq null or site eq 'Pier 6'") == ["6", "nobody's"]
    assert await sites(filter="site eq 'nobody''s' and _status in ('SUBMITTED','APPROVED')") == ["nobody's"]
    assert await sites(filter="_submitted gt 2100-01-01T00:00:00Z") == []
    assert await sites(filter="_status eq 'SUBMITTED' and year(_submitted) gt 2000", top=1) == ["0"]
    assert await sites(orderby="people desc,site", prefer=small) == [*"2514036", "nobody's"]
    assert await sites(orderby="people,site desc", prefer=small, skip=1, top=4) == [*"6304"]
    assert await sites(orderby="_updated", prefer=small) == [*"0123456", "nobody's"]
    page = await feed.get(table, count="true", top=1, filter="people eq 0", select="_id")
    assert (page["@odata.count"], len(page["value"]), "@odata.nextLink" in page) == (3, 1, False)
    response = await feed.http.get(f"{feed.root}{table}/$count")
    assert (response.text, response.headers["content-type"].partition(";")[0]) == ("8", "text/plain")

    monkeypatch.setattr(reader, "MAX_EXAMINED", 2)
    monkeypatch.setattr(reader, "MAX_AT_ONCE", 4)
    rare = "contains(site,'6')"
    assert await sites(filter=rare, prefer=small) == ["6"]
    assert (await feed.get(table, filter=rare, prefer=small))["value"] == []
    for options in ({"orderby": "site"}, {"count": "true", "filter": rare}):
        error = (await feed.get(table, 400, **options))["error"]
        assert error["code"] == "odata.option"
        assert "$filter" in error["message"]


async def test_options_of_other_programs_are_ignored(feed: FeedClient) -> None:
    """Up to 200 parameters, which is the limit of all requests."""
    others = "&".join(f"x{number}=1" for number in range(150))
    table = (await feed.get(""))["value"][0]["url"]
    assert (await feed.get(f"{table}?{others}"))["value"] == (await feed.get(table))["value"]


async def test_a_delta_has_what_was_added_changed_and_deleted(feed: FeedClient) -> None:
    new_form, other = await form(feed.account), await form(feed.account, name="Other")
    kept, changed, deleted = [await submission(feed.account, new_form) for _ in range(3)]
    first_page = await feed.get("Submissions_Visit", prefer="odata.track-changes,odata.maxpagesize=2", select="people")
    # Changes after the first page was read are in the delta, even if a later page has them already.
    path = f"{PREFIX}/customers/{feed.account.id}/submissions/"
    await feed.account.api.put(path + changed["id"], json={"data": {"site": "Harbour", "people": 9}})
    last = await feed.get(first_page["@odata.nextLink"])
    assert "@odata.nextLink" not in last
    await feed.account.api.delete(path + deleted["id"])
    added = await submission(feed.account, new_form)
    await submission(feed.account, other)

    delta = await feed.get(last["@odata.deltaLink"])
    assert delta["@odata.context"].endswith("$metadata#Submissions_Visit/$delta")
    rows = [one for one in delta["value"] if "reason" not in one]
    assert rows == [{"people": 9}, {"people": 3}]
    assert [one["id"] for one in delta["value"] if "reason" in one] == [f"Submissions_Visit('{deleted['id']}')"]
    again = await feed.get(delta["@odata.deltaLink"])
    assert again["value"] == []
    full = await feed.get("Submissions_Visit", deltatoken=0)
    assert {one["_id"] for one in full["value"] if "_id" in one} == {kept["id"], changed["id"], added["id"]}
    assert (await feed.get("Submissions_Visit", 410, deltatoken=10**9))["error"]["code"] == "odata.delta_expired"
    assert (await feed.get("Users", 400, deltatoken=1))["error"]["code"] == "odata.option"


async def test_data_sources_tasks_and_users_have_tables(feed: FeedClient) -> None:
    columns = ["no", "Name (kurz)", "Name kurz", "ärger", "since"]
    rows = [{"no": "a'1", "Name (kurz)": "A", "Name kurz": "B", "ärger": 1.5, "since": "2026-01-02"}, {"no": "b"}]
    body = {"name": "Kunden", "keyColumn": "no", "columns": columns, "rows": rows}
    response = await feed.account.api.post(f"{PREFIX}/customers/{feed.account.id}/datasources", json=body)
    assert response.status_code == 201, response.text
    first = {"no": "a'1", "Name_kurz": "A", "Name_kurz_2": "B", "c_ärger": 1.5, "since": "2026-01-02"}
    assert await feed.rows("Datasource_Kunden", filter="c_ärger gt 1 or no eq 'b'", top=1) == [first]
    assert first.items() <= (await feed.get("Datasource_Kunden('a''1')")).items()
    assert len(await feed.rows("Datasource_Kunden", prefer="odata.maxpagesize=1")) == 2
    assert [one["email"] for one in await feed.rows("Users")] == [feed.account.owner.email]
    assert await feed.rows("Tasks", orderby="dueAt desc") == []


WRONG = [
    ({"filter": "people gt"}, 400, "odata.filter"),
    ({"filter": "people gt 'x'"}, 400, "odata.filter"),
    ({"filter": "nothing eq 1"}, 400, "odata.filter"),
    ({"filter": "people"}, 400, "odata.filter"),
    ({"filter": "_submitted gt 2026-02-31T00:00:00Z"}, 400, "odata.filter"),
    ({"filter": "(" * 2100 + "people eq 1" + ")" * 2100}, 400, "odata.filter"),
    ({"filter": "not " * 900 + "safe"}, 400, "odata.filter"),
    ({"filter": "visits/any(v: v/size gt 1)"}, 400, "odata.filter"),
    ({"filter": "matchesPattern(site,'(a+)+$')"}, 400, "odata.filter"),
    ({"select": "nothing"}, 400, "odata.option"),
    ({"orderby": "site sideways"}, 400, "odata.option"),
    ({"top": "-1"}, 400, "odata.option"),
    ({"skiptoken": "e30x"}, 400, "odata.option"),
    ({"count": "maybe"}, 400, "odata.option"),
    ({"expand": "visits($top=1)"}, 501, "odata.not_supported"),
    ({"search": "x"}, 501, "odata.not_supported"),
    ({"apply": "groupby((site))"}, 501, "odata.not_supported"),
]


async def test_wrong_options_are_rejected_with_the_reason(feed: FeedClient) -> None:
    await form(feed.account, fields=FIELDS)
    for options, status, code in WRONG:
        error = (await feed.get("Submissions_Visit", status, **options))["error"]
        assert (error["code"], bool(error["message"])) == (code, True), options
    twice = await feed.http.get(f"{feed.root}Users?$top=1&$top=2")
    assert twice.status_code == 400
    for path in ("$batch", "Users/email"):
        assert (await feed.get(path, 501))["error"]["code"] == "odata.not_supported"
    posted = await feed.http.post(f"{feed.root}Users", json={})
    assert (posted.status_code, posted.json()["error"]["code"]) == (405, "method.not_allowed")


async def test_only_a_key_of_the_account_opens_its_feed_once_it_is_switched_on(
    account: Account, feed: FeedClient
) -> None:
    async with account.stage.account("Other") as other, account.stage.client() as http:
        for auth, status, code in (
            (None, 401, "key.missing"),
            (("x", "fwk_wrong"), 401, "key.unknown"),
            (("x", other.key), 404, "customer.not_found"),
        ):
            response = await http.get(feed.root, auth=auth)
            assert (response.status_code, response.json()["error"]["code"]) == (status, code)
            assert ("www-authenticate" in response.headers) is (status == 401)
        response = await http.get(f"/odata/v4/{other.id}/", auth=("x", other.key))
        assert (response.status_code, response.json()["error"]["code"]) == (403, "odata.disabled")
        response = await http.get(feed.root, headers={"authorization": "Basic !!!"})
        assert response.status_code == 401
        plain = await http.get(f"http://forms.test{feed.root}", auth=("x", account.key))
        assert (plain.status_code, plain.json()["error"]["code"]) == (403, "https.required")
    async with account.ctx.db.writing() as tx:
        await feeds.switch(tx, account.actor, enabled=False)
        await feeds.switch(tx, account.actor, enabled=False)
    assert (await feed.get("Users", 403))["error"]["code"] == "odata.disabled"
    log = (await account.api.get(f"{PREFIX}/customers/{account.id}/audit")).json()["items"]
    assert [one["action"] for one in log if one["action"].startswith("feed.")] == ["feed.disabled", "feed.enabled"]


async def test_no_key_is_repeated_in_a_response(feed: FeedClient) -> None:
    response = await feed.http.get(feed.root + "Users", params={"$top": "x"})
    assert (response.status_code, feed.account.key in response.text + str(response.headers)) == (400, False)
