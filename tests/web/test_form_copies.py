"""Copying, exporting and importing forms on the pages, without JavaScript."""

import re
from typing import Any

import httpx
from actors import Account
from factories.datasources import datasource
from factories.forms import FIELDS, bundle, form
from factories.requests import get, post
from factories.users import built_in, member
from factories.web_client import Visit, enter, visit

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant

NAME = "Visit <b> & “co”"


async def fields_of(account: Account, response: httpx.Response) -> Any:
    """Return the fields of the draft whose designer a response opens."""
    found = re.fullmatch(r"/forms/(frm_\w+)/design", response.headers["location"])
    assert found, response.text
    versions = await get(account, f"/forms/customer/{account.id}/forms/{found[1]}/versions")
    return versions["items"][-1]["fields"]


async def upload(site: Visit, content: bytes) -> httpx.Response:
    files = {"file": ("visit.formwright.json", content)}
    return await site.http.post("/forms/import-bundle", data={"_csrf_token": site.token}, files=files)


async def test_a_form_is_copied_into_a_folder(account: Account) -> None:
    north = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    new_form = await form(account, name=NAME)
    here = f"/forms/{new_form['id']}"
    async with visit(account) as site:
        assert f'href="{here}/copy"' in (await site.http.get(here + "/settings")).text
        page = (await site.http.get(here + "/copy")).text
        assert 'value="Copy of Visit &lt;b&gt;' in page
        assert "Enter a name" in (await site.post(here + "/copy", {"name": " "})).text
        copied = await site.post(here + "/copy", {"name": "Second", "folder": north["id"]})
        assert await fields_of(account, copied) == FIELDS
        found = (await get(account, f"/forms/customer/{account.id}/forms", name="Second"))["items"]
        assert [one["folderId"] for one in found] == [north["id"]]
        manager = Grant(await built_in(account, "Form manager"), ResourceType.FORM, new_form["id"])
        await enter(account, site.http, (await member(account, manager)).id)
        assert "create forms in any folder" in (await site.http.get(here + "/copy")).text
        assert (await site.post(here + "/copy", {"name": "Third"})).status_code == 422


async def test_an_exported_form_is_imported_and_missing_data_sources_are_chosen(
    account: Account, stranger: Account
) -> None:
    source = await datasource(account, name="Clients <i>")
    lookup = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": source["id"], "display": ["name"]}
    new_form = await form(account, name=NAME, fields=[*FIELDS, lookup])
    async with visit(account) as site:
        file = await site.http.get(f"/forms/{new_form['id']}/bundle")
        assert file.headers["content-disposition"].endswith(".formwright.json")
    few = await datasource(stranger, name="Few", rows=[{"number": "1"}])
    other = await datasource(stranger, name="Other")
    async with visit(stranger) as site:
        page = await upload(site, file.content)
        assert page.status_code == 422
        assert "Import <bdi>Visit &lt;b&gt;" in page.text
        assert "Columns: number, name. Key: number." in page.text
        sent = {"bundle": file.text, f"datasource-{source['id']}": few["id"]}
        assert "lacks columns that the form uses: name." in (await site.post("/forms/import-bundle", sent)).text
        done = await site.post("/forms/import-bundle", sent | {f"datasource-{source['id']}": other["id"]})
        assert await fields_of(stranger, done) == [*FIELDS, lookup | {"datasourceId": other["id"]}]


async def test_files_that_are_no_bundles_are_refused(account: Account) -> None:
    async with visit(account) as site:
        for content, text in (
            (b"", "Choose a file first."),
            (b"\xff\xfe", "isn’t a form bundle, or is damaged"),
            (b"{", "isn’t a form bundle, or is damaged"),
            (b"[]", "This isn&#39;t a form bundle."),
            (_json(version=9), "A newer version of Formwright"),
            (_json(pages=[]), "<strong>pages:</strong>"),
            (_json(fields=[{"type": "magic"}]), "<strong>fields › 0"),
        ):
            page = await upload(site, content)
            assert page.status_code == 422
            assert text in page.text, page.text
        assert (await upload(site, b"\xef\xbb\xbf" + _json())).status_code == 303


def _json(**members: Any) -> bytes:
    return httpx.Request("POST", "http://x", json=bundle(**members)).content
