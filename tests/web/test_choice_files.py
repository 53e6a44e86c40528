"""Importing XLSForms whose choices are in attached files."""

import json
import re
from typing import Any

import httpx
from actors import Account
from factories.datasources import datasource
from factories.files import png
from factories.requests import PREFIX, get
from factories.web_client import Visit, visit
from unit.xlsform.workbooks import survey

from formwright.core.auth.permissions import Permission
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyLimits, KeyProperties

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TOWNS = b"name,label,land\nkiel,Kiel,de\nnice,Nice,fr\n"
PIER = {
    "type": "Feature",
    "id": 7,
    "properties": {"title": "Pier"},
    "geometry": {"type": "Point", "coordinates": [10, 54]},
}
SITES = {"type": "FeatureCollection", "features": [PIER]}


def workbook(choice_filter: str = "land=${land}") -> bytes:
    return survey(
        ["text", "land", "Land", "", "", ""],
        ["select_one_from_file towns.csv", "town", "Town", choice_filter, "minimal", ""],
        ["select_one_from_file sites.geojson", "site", "Site", "", "", ""],
        ["select_one_external cities", "city", "City", "", "", ""],
        columns="type name label choice_filter appearance parameters",
    )


async def upload(site: Visit, content: bytes, *attached: tuple[str, bytes]) -> httpx.Response:
    files = [("file", ("visit.xlsx", content)), *(("attached", one) for one in attached)]
    return await site.http.post("/forms/import", data={"_csrf_token": site.token}, files=files)


async def fields_of(account: Account, form_id: str) -> dict[str, Any]:
    versions = await get(account, f"/forms/customer/{account.id}/forms/{form_id}/versions")
    return {one["name"]: one for one in versions["items"][-1]["fields"]}


async def test_attached_files_become_data_sources(account: Account) -> None:
    cities = await datasource(account, name="cities")
    async with visit(account) as site:
        bad = await upload(site, workbook(), ("towns.csv", b"name,label\nkiel,A\nkiel,B\n"))
        assert bad.status_code == 422
        assert "towns.csv" in bad.text
        towns, sites = ("towns.csv", TOWNS), ("sites.geojson", json.dumps(SITES).encode())
        new_upload = await upload(site, workbook(), towns, sites, ("other.csv", b"not,needed"))
        report = (await site.http.get(new_upload.headers["location"])).text
    sources = {one["name"]: one for one in (await get(account, f"/customers/{account.id}/datasources"))["items"]}
    assert sources.keys() == {"towns.csv", "sites.geojson", "cities"}
    [form_id] = re.findall(r"frm_\w+", new_upload.headers["location"])[:1]
    fields = await fields_of(account, form_id)
    assert fields["town"] == {
        "type": "lookup", "name": "town", "label": "Town", "datasourceId": sources["towns.csv"]["id"],
        "display": ["label"], "filter": {"land": "land"},
    }  # fmt: skip
    assert (fields["site"]["datasourceId"], fields["site"]["display"]) == (sources["sites.geojson"]["id"], ["title"])
    rows = (await get(account, f"/customers/{account.id}/datasources/{sources['sites.geojson']['id']}/rows"))["items"]
    assert [row["data"] for row in rows] == [{"id": 7, "title": "Pier", "geometry": "54 10"}]
    forms = f"/forms/customer/{account.id}/forms"
    [version] = (await get(account, f"{forms}/{form_id}/versions"))["items"]
    exported = await account.api.get(f"{PREFIX}{forms}/{form_id}/versions/{version['id']}/xlsform")
    headers = {"content-type": XLSX}
    again = await account.api.post(f"{PREFIX}{forms}/import", content=exported.content, headers=headers)
    assert await fields_of(account, again.json()["id"]) == fields
    # The data source that exists has another key column.
    assert "city" not in fields
    assert f"The key column of the data source cities is {cities['keyColumn']}, not name." in report


async def test_files_that_cannot_be_data_sources_are_refused(account: Account) -> None:
    content = survey(
        ["select_one_from_file " + "x" * 300 + ".csv", "a", "A"], ["select_one_from_file s.geojson", "b", "B"]
    )
    async with visit(account) as site:
        for broken in (b"", b"[]", b'{"features": [{"properties": {"id": "\\u0000"}}]}', b'{"features": []}', b"\xff"):
            refused = await upload(site, content, ("s.geojson", broken), ("x" * 300 + ".csv", TOWNS))
            assert (refused.status_code, "s.geojson" in refused.text) == (422, True), broken
    assert (await get(account, f"/customers/{account.id}/datasources"))["items"] == []
    assert (await get(account, f"/forms/customer/{account.id}/forms"))["items"] == []


async def test_the_api_finds_data_sources_by_the_names_of_files(account: Account) -> None:
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    first = await account.api.post(url, content=workbook(), headers={"content-type": XLSX})
    assert "There is no data source named towns.csv. Create it from the file, and import again." in first.text
    source = await datasource(
        account, name="towns", keyColumn="name", rows=[{"name": "kiel", "label": "K", "land": "de"}]
    )
    for choice_filter, expected in (
        ("${land} = land and name != 'x'", None),
        ("${land}=land and name = ${land}", {"land": "land", "name": "land"}),
    ):
        response = await account.api.post(url, content=workbook(choice_filter), headers={"content-type": XLSX})
        town = (await fields_of(account, response.json()["id"]))["town"]
        assert (town["datasourceId"], town.get("filter")) == (source["id"], expected)


def workbook_with_sheet(*more: list[str]) -> bytes:
    choices = [
        ["list_name", "name", "label::English (en)", "label::French (fr)", "land", "a note"],
        ["cities", "kiel", "Kiel", "Kiel", "de", ""],
        ["cities", "nice", "", "Nice", "fr", "x"],
        ["unused", "a", "A", "", "", ""],
        *more,
    ]
    return survey(
        ["text", "land", "Land", ""],
        ["select_one_external cities", "city", "City", "land=${land}"],
        columns="type name label choice_filter",
        external_choices=choices,
    )


async def test_a_file_can_be_read_by_several_keys(account: Account) -> None:
    """As ODK does, expressions find the first row with a key; rows without one are not found by it."""
    content = survey(
        ["text", "code", "Code", ""],
        ["text", "label", "Label", ""],
        ["calculate", "by_code", "", "pulldata('places', 'land', 'code', ${code})"],
        ["calculate", "by_label", "", "pulldata('places', 'land', 'label', ${label})"],
        columns="type name label calculation",
    )
    places = b"code,label,land\n1,Kiel,de\n2,Nice,fr\n3,Kiel,us\n4,,it\n"
    async with visit(account) as site:
        new_upload = await upload(site, content, ("places.csv", places))
    sources = {one["name"]: one for one in (await get(account, f"/customers/{account.id}/datasources"))["items"]}
    assert {name: (one["keyColumn"], one["rowCount"]) for name, one in sources.items()} == {
        "places.csv": ("code", 4),
        "places_by_label.csv": ("label", 2),
    }
    [form_id] = re.findall(r"frm_\w+", new_upload.headers["location"])[:1]
    forms = f"{PREFIX}/forms/customer/{account.id}/forms/{form_id}"
    [version] = (await account.api.get(f"{forms}/versions")).json()["items"]
    published = await account.api.post(f"{forms}/versions/{version['id']}/publish")
    assert published.status_code < 300, published.text
    url = f"{PREFIX}/customers/{account.id}/forms/{form_id}/submissions"
    for answers, lands in (
        ({"code": "3", "label": "Nice"}, ("us", "fr")),
        ({"code": "1", "label": "Kiel"}, ("de", "de")),
        ({"code": "9", "label": "x"}, (None, None)),
    ):
        sent = await account.api.post(url, json={"data": answers})
        assert sent.status_code == 201, sent.text
        assert (sent.json()["data"].get("by_code"), sent.json()["data"].get("by_label")) == lands
    async with visit(account) as site:
        again = await upload(site, content, ("places.csv", places))
        assert "places_by_label.csv with the rows of" in (await site.http.get(again.headers["location"])).text
    assert len((await get(account, f"/customers/{account.id}/datasources"))["items"]) == 2


async def test_names_may_occur_several_times_in_a_list_of_a_sheet(account: Account) -> None:
    """Such as a choice “other” for each land, as ODK allows: it filters them by their other columns."""
    content = survey(
        ["text", "land", "Land", "", ""],
        ["select_one_external cities", "city", "City", "land=${land}", ""],
        ["text", "which", "Which?", "", "${city} = 'other'"],
        ["note", "n", "In ${city}", "", "jr:choice-name(${city}, '${city}') = 'Other in France'"],
        columns="type name label choice_filter relevant",
        external_choices=[
            ["list_name", "name", "label", "land"],
            ["cities", "kiel", "Kiel", "de"],
            ["cities", "other", "Other", "de"],
            ["cities", "other", "Other in France", "fr"],
            ["cities", "other_2", "Another", "fr"],
        ],
    )
    forms = f"{PREFIX}/forms/customer/{account.id}/forms"
    response = await account.api.post(f"{forms}/import?publish=true", content=content, headers={"content-type": XLSX})
    form = response.json()
    assert {one["code"]: one["effect"] for one in form["report"]} == {
        "xlsform.choice_keys": "converted",
        "xlsform.row_filter": "converted",
    }
    [source] = (await get(account, f"/customers/{account.id}/datasources"))["items"]
    rows = (await get(account, f"/customers/{account.id}/datasources/{source['id']}/rows"))["items"]
    assert [(row["data"]["key"], row["data"]["name"]) for row in rows] == [
        ("kiel", "kiel"), ("other", "other"), ("other_3", "other"), ("other_2", "other_2"),
    ]  # fmt: skip
    fields = await fields_of(account, form["id"])
    assert fields["city_row"]["mapping"] == {"name": "city", "label": "city_row_label"}
    assert (fields["which"]["visibleIf"], fields["city"]["hidden"]) == ("city == 'other'", True)
    url = f"{PREFIX}/customers/{account.id}/forms/{form['id']}/submissions"
    for answers, stored in (
        ({"land": "fr", "city_row": "other_3", "which": "Nice"}, {"city": "other", "which": "Nice"}),
        ({"land": "de", "city_row": "kiel"}, {"city": "kiel"}),
    ):
        sent = await account.api.post(url, json={"data": answers})
        assert sent.status_code == 201, sent.text
        assert stored.items() <= sent.json()["data"].items()
    kept = (await account.api.post(url, json={"data": {"land": "de", "city_row": "kiel", "which": "x"}})).json()["data"]
    assert "which" not in kept
    refused = await account.api.post(url, json={"data": {"land": "fr", "city_row": "other"}})
    assert refused.status_code == 422, refused.text


async def test_lists_in_a_sheet_become_data_sources(account: Account) -> None:
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    headers = {"content-type": XLSX}
    twice = workbook_with_sheet(["cities", "kiel", "Kiel", "Kiel", "de", ""])
    first = await account.api.post(url, content=twice, headers=headers)
    assert first.json()["counts"] == {"questions": 0, "rules": 0, "looks": 0, "converted": 1, "none": 1}
    assert {(one["sheet"], one["code"], one["effect"]) for one in first.json()["report"]} == {
        ("external_choices", "xlsform.no_effect", "none"),
        ("survey", "xlsform.row_filter", "converted"),
    }
    [source] = (await get(account, f"/customers/{account.id}/datasources"))["items"]
    assert (source["name"], source["keyColumn"]) == ("cities", "name")
    rows = (await get(account, f"/customers/{account.id}/datasources/{source['id']}/rows"))["items"]
    assert [row["data"] for row in rows] == [
        {"name": "kiel", "label": "Kiel", "label_fr": "Kiel", "land": "de", "a_note": None},
        {"name": "nice", "label": "nice", "label_fr": "Nice", "land": "fr", "a_note": "x"},
    ]
    async with visit(account) as site:
        new_upload = await upload(site, workbook_with_sheet())
        report = (await site.http.get(new_upload.headers["location"])).text
    assert "The account has a data source named cities with the rows of cities" in report
    assert (
        "No question or rule is missing. 2 are expressed in another way. Everything else was imported as is." in report
    )
    [form_id] = re.findall(r"frm_\w+", new_upload.headers["location"])[:1]
    for one in (first.json()["id"], form_id):
        city = (await fields_of(account, one))["city"]
        assert (city["datasourceId"], city["display"], city["filter"]) == (source["id"], ["label"], {"land": "land"})


async def test_other_rows_get_a_data_source_of_their_own(account: Account) -> None:
    """A list of the workbook is never replaced by rows that only have its name, also in its next edition."""
    cities = await datasource(account, name="cities", keyColumn="name", rows=[{"name": "ulm", "label": "Ulm"}])
    url, headers = f"{PREFIX}/forms/customer/{account.id}/forms/import", {"content-type": XLSX}
    first = (await account.api.post(url, content=workbook_with_sheet(), headers=headers)).json()
    note = "The account has a data source named cities with other rows. Those of the form are in cities_2."
    assert note in [one["detail"] for one in first["report"]]
    edited = workbook_with_sheet(["cities", "ulm", "Ulm", "Ulm", "de", ""])
    editions = [(await account.api.post(url, content=edited, headers=headers)).json() for _ in range(2)]
    assert (editions[0]["xformId"], editions[1]["xformId"]) == ("A_form_2", "A_form_3")
    sources = {one["id"]: one for one in (await get(account, f"/customers/{account.id}/datasources"))["items"]}
    looked_up = [(await fields_of(account, one["id"]))["city"]["datasourceId"] for one in (first, *editions)]
    assert [sources[one]["name"] for one in looked_up] == ["cities_2", "cities_3", "cities_3"]
    rows = [await keys_of(account, one) for one in (cities["id"], *looked_up[:2])]
    assert rows == [["ulm"], ["kiel", "nice"], ["kiel", "nice", "ulm"]]


async def keys_of(account: Account, source_id: str) -> list[str]:
    rows = await get(account, f"/customers/{account.id}/datasources/{source_id}/rows")
    return [row["key"] for row in rows["items"]]


async def test_attached_files_with_other_rows_get_data_sources_of_their_own(account: Account) -> None:
    content = survey(
        ["select_one_from_file towns.csv", "town", "Town", ""],
        ["calculate", "land", "", "instance('towns')/root/item[name = ${town}]/land"],
        columns="type name label calculation",
    )
    moved, swapped = TOWNS.replace(b"nice,Nice,fr", b"nice,Nice,it"), b"name,label,land\nnice,Nice,fr\nkiel,Kiel,de\n"
    async with visit(account) as site:
        forms = [
            re.findall(r"frm_\w+", (await upload(site, content, ("towns.csv", rows))).headers["location"])[0]
            for rows in (TOWNS, moved, TOWNS, swapped, moved)
        ]
    sources = {one["id"]: one["name"] for one in (await get(account, f"/customers/{account.id}/datasources"))["items"]}
    fields = [await fields_of(account, one) for one in forms]
    names = [sources[one["town"]["datasourceId"]] for one in fields]
    assert names == ["towns.csv", "towns_2.csv", "towns.csv", "towns_3.csv", "towns_2.csv"]
    # Expressions still call the rows by the name of the file.
    assert [one["town"]["mapping"] for one in fields] == [{"land": "land"}] * 5


async def test_lists_that_are_too_long_become_data_sources(account: Account) -> None:
    towns = [["towns", f"t{number}", f"Town {number}", f"l{number % 3}"] for number in range(1001)]
    content = survey(
        ["text", "land", "Land", "", ""],
        ["select_one towns", "town", "Town", "land = ${land}", ""],
        ["select_multiple towns", "seen", "Seen", "", ""],
        ["calculate", "label", "", "", "jr:choice-name(${town}, '${town}')"],
        columns="type name label choice_filter calculation",
        choices=[["list_name", "name", "label", "land"], *towns],
    )
    url, headers = f"{PREFIX}/forms/customer/{account.id}/forms/import", {"content-type": XLSX}
    created = (await account.api.post(url, content=content, headers=headers)).json()
    lost = [one for one in created["report"] if one["effect"] in ("questions", "rules")]
    assert lost == []
    [source] = (await get(account, f"/customers/{account.id}/datasources"))["items"]
    assert (source["name"], source["keyColumn"], source["rowCount"]) == ("towns", "name", 1001)
    fields = await fields_of(account, created["id"])
    assert fields["town"] == {
        "type": "lookup", "name": "town", "label": "Town", "datasourceId": source["id"], "display": ["label"],
        "filter": {"land": "land"}, "mapping": {"label": "town_label"},
    }  # fmt: skip
    assert (fields["seen"]["type"], fields["seen"]["datasourceId"]) == ("lookups", source["id"])


async def test_a_key_for_forms_only_creates_no_data_sources(account: Account) -> None:
    limits = KeyLimits(permissions=frozenset({Permission.FORMS_READ, Permission.FORMS_EDIT}))
    async with account.ctx.db.writing() as tx:
        _, secret = await keys.create(tx, account.actor, KeyProperties("Forms", limits=limits), maker_name="Test")
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    async with account.stage.client(**{"x-api-key": secret}) as client:
        response = await client.post(url, content=workbook_with_sheet(), headers={"content-type": XLSX})
    assert "There is no data source named cities. Create it from the file, and import again." in response.text
    assert (await get(account, f"/customers/{account.id}/datasources"))["items"] == []


async def test_attached_media_are_added_and_missing_ones_reported(account: Account) -> None:
    content = survey(
        ["text", "a", "A", "a.png", "b.mp3"],
        ["note", "n", "N", "a.png", "c.mp3"],
        columns="type name label image audio",
    )
    async with visit(account) as site:
        damaged, other = ("b.mp3", b"%PDF-1.4"), ("other.png", png(2))
        new_upload = await upload(site, content, ("a.png", png(1)), damaged, other)
        report = (await site.http.get(new_upload.headers["location"])).text
    [form_id] = re.findall(r"frm_\w+", new_upload.headers["location"])[:1]
    path = f"/forms/customer/{account.id}/forms"
    assert [one["name"] for one in (await get(account, f"{path}/{form_id}/media"))["items"]] == ["a.png"]
    assert (await fields_of(account, form_id))["a"]["media"] == {"image": "a.png", "audio": "b.mp3"}
    missing = re.findall(r"The file (\S+) is not attached", report)
    assert missing == ["b.mp3", "c.mp3"]
    response = await account.api.post(f"{PREFIX}{path}/import", content=content, headers={"content-type": XLSX})
    found = [one["detail"] for one in response.json()["report"] if one["code"] == "xlsform.media_missing"]
    assert [text.split()[2] for text in found] == ["a.png", "b.mp3", "c.mp3"]
    copied = (await account.api.post(f"{PREFIX}{path}/{form_id}/copy", json={})).json()
    assert [one["name"] for one in (await get(account, f"{path}/{copied['id']}/media"))["items"]] == ["a.png"]
