"""Copies of forms: within an account, and as a bundle into another one."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import FIELDS, bundle, form
from factories.requests import PREFIX, get, post

LANGUAGES = {"en": "Client", "de": "Kunde 🎉", "ar": "عميل"}


def lookup(datasource_id: str, **members: Any) -> dict[str, Any]:
    return {"type": "lookup", "name": "client", "label": LANGUAGES, "datasourceId": datasource_id, **members}


def fields_with(datasource_id: str, **members: Any) -> list[dict[str, Any]]:
    """Return fields with a lookup in a section of a repeat."""
    section = {"type": "section", "name": "who", "label": "Who", "fields": [lookup(datasource_id, **members)]}
    return [*FIELDS, {"type": "repeat", "name": "visits", "label": "Visits", "fields": [section]}]


def path(account: Account, rest: str = "") -> str:
    return f"/forms/customer/{account.id}/forms{rest}"


async def published(account: Account, form: dict[str, Any]) -> dict[str, Any]:
    version: dict[str, Any] = await get(account, path(account, f"/{form['id']}/versions/{form['publishedVersionId']}"))
    return version


async def import_into(account: Account, body: dict[str, Any], query: str = "") -> Any:
    return await account.api.post(PREFIX + path(account, "/import-bundle") + query, json=body)


def errors(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def test_a_bundle_arrives_in_another_account_as_it_was(account: Account, stranger: Account) -> None:
    mine, theirs = [await datasource(one, name="Clients") for one in (account, stranger)]
    settings = {"language": "de", "thanks": {"de": "Danke", "en": "Thanks"}}
    about = {"name": "Besuch", "description": "Wöchentlich", "tags": ["field"], "settings": settings}
    new_form = await form(account, **about, fields=fields_with(mine["id"], display=["name"]))
    exported = await get(account, path(account, f"/{new_form['id']}/bundle"))
    one = await get(account, path(account, f"/{new_form['id']}/versions/{new_form['publishedVersionId']}/bundle"))
    assert one == exported
    assert exported["datasources"] == {
        mine["id"]: {"name": "Clients", "keyColumn": "number", "columns": ["number", "name"]}
    }
    planned = await import_into(stranger, {"bundle": exported}, "?dryRun=true")
    assert planned.status_code == 201
    assert (await get(stranger, path(stranger)))["items"] == []
    copy = (await import_into(stranger, {"bundle": exported, "publish": True})).json()
    assert (copy["name"], copy["description"], copy["tags"]) == ("Besuch", "Wöchentlich", ["field"])
    original, arrived = await published(account, new_form), await published(stranger, copy)
    assert arrived["fields"] == fields_with(theirs["id"], display=["name"])
    assert (arrived["settings"], original["settings"]) == (settings, settings)
    back = (await import_into(account, {"bundle": await get(stranger, path(stranger, f"/{copy['id']}/bundle"))})).json()
    returned = await get(account, path(account, f"/{back['id']}/bundle"))
    # Only the first form of an account can have this `form_id`.
    assert returned == exported | {"xformId": "Besuch_2"}, "there and back is the identity"
    assert back["publishedVersionId"] is None


async def test_what_the_account_lacks_is_listed_at_once(account: Account, stranger: Account) -> None:
    clients, sites = await datasource(account, name="Clients"), await datasource(account, name="Sites")
    fields = [*fields_with(clients["id"]), {**lookup(sites["id"], display=["name"]), "name": "site2"}]
    exported = await get(account, path(account, f"/{(await form(account, fields=fields))['id']}/bundle"))
    few = await datasource(stranger, name="Sites", rows=[{"number": "S-1"}])
    missing = [
        (f"/bundle/datasources/{clients['id']}", "bundle.datasource_missing"),
        (f"/bundle/datasources/{sites['id']}", "bundle.columns_missing"),
    ]
    for query in ("?dryRun=true", ""):
        assert errors(await import_into(stranger, {"bundle": exported}, query)) == missing
    foreign = {"Clients": clients["id"], "Sites": (await datasource(stranger))["id"]}
    assert errors(await import_into(stranger, {"bundle": exported, "datasources": foreign})) == [
        ("/datasources/Clients", "datasource.not_found")
    ]
    other = await datasource(stranger, name="Customers")
    mapped = {"Clients": other["id"], "Sites": other["id"]}
    created = (await import_into(stranger, {"bundle": exported, "datasources": mapped, "publish": True})).json()
    assert few["id"] not in str(await published(stranger, created))
    assert str(await published(stranger, created)).count(other["id"]) == 2


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"format": "something"}, [("/bundle/format", "bundle.format")]),
        ({"version": 2, "pages": []}, [("/bundle/version", "bundle.newer")]),
        ({"version": "1"}, [("/bundle/version", "value.type")]),
        ({"pages": []}, [("/bundle/pages", "value.unknown")]),
        ({"name": ""}, [("/bundle/name", "value.too_short")]),
        ({"fields": []}, [("/bundle/fields", "form.fields.none")]),
        ({"fields": [FIELDS[0], FIELDS[0]]}, [("/bundle/fields/1/name", "field.name.taken")]),
        (
            {"fields": [lookup("dat_01h455vb4pex5vsknk084sn02q")]},
            [("/bundle/fields/0/datasourceId", "bundle.damaged")],
        ),
    ],
)
async def test_a_damaged_or_newer_bundle_is_refused(
    account: Account, change: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert errors(await import_into(account, {"bundle": bundle(**change)})) == expected
    assert (await get(account, path(account)))["items"] == []


async def test_what_is_no_bundle_or_too_large_is_refused(account: Account) -> None:
    for no_bundle in (None, [], "x", {}):
        [(_, code)] = errors(await import_into(account, {"bundle": no_bundle}))
        assert code == "bundle.format"
    assert errors(await import_into(account, {})) == [("/bundle", "value.required")]
    where = PREFIX + path(account, "/import-bundle")
    broken = await account.api.post(where, content=b'{"bundle": {', headers={"content-type": "application/json"})
    assert (broken.status_code, broken.json()["code"]) == (400, "json.malformed")
    large = await import_into(account, {"bundle": {"format": "formwright-form", "name": "x" * (11 * 2**20)}})
    assert (large.status_code, large.json()["code"]) == (413, "body.too_large")


async def test_a_form_or_an_older_version_is_copied_into_another_folder(account: Account, stranger: Account) -> None:
    north = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    new_form = await form(account, description="D", tags=["t"], externalId="erp-1", folderId=north["id"])
    first = new_form["publishedVersionId"]
    changed = {"fields": [FIELDS[0]], "publish": True}
    assert (await account.api.put(PREFIX + path(account, f"/{new_form['id']}"), json=changed)).status_code == 200

    async def copy(**body: Any) -> Any:
        return await account.api.post(PREFIX + path(account, f"/{new_form['id']}/copy"), json=body)

    plain = (await copy()).json()
    same = ("name", "description", "tags", "folderId")
    assert [plain[name] for name in same] == [new_form[name] for name in same]
    assert (plain["externalId"], plain["publishedVersionId"]) == (None, None)
    other = (await copy(name="Old", folderId=None, versionId=first, publish=True)).json()
    assert (other["name"], other["folderId"]) == ("Old", None)
    assert (await published(account, other))["fields"] == FIELDS
    theirs, folder = await form(stranger), await post(stranger, f"/forms/customer/{stranger.id}/folders", {"name": "N"})
    assert errors(await copy(versionId=theirs["publishedVersionId"])) == [("/versionId", "form.version.not_found")]
    assert errors(await copy(folderId=folder["id"])) == [("/folderId", "folder.not_found")]
    [_, event] = (await get(account, f"/webhooks/customer/{account.id}/events", order="-sequence", limit=2))["items"]
    assert (event["type"], event["data"]["id"]) == ("form.created", other["id"])
