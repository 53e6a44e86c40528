"""Permissions on data sources, and uploaded files that only their user can see."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest_asyncio
from factories.row_files import csv_file
from fixtures.accounts import Person, csrf
from web.datasources.pages import create_datasource

from formwright.core.auth.permissions import Permission

SIGNS_IN = (Permission.CUSTOMER_READ, Permission.FORMS_READ, Permission.SUBMISSIONS_READ)
FILE = csv_file([["number"], ["1"]])


async def add_colleague(person: Person, name: str, *permissions: Permission) -> Person:
    return await person.factory.add_user(person, name, *SIGNS_IN, *permissions)


@pytest_asyncio.fixture(loop_scope="session")
async def other_browser(person: Person) -> AsyncIterator[httpx.AsyncClient]:
    """A second browser."""
    async with person.server.client() as http:
        yield http


async def upload_file(http: httpx.AsyncClient, **form: str) -> httpx.Response:
    token = csrf(await http.get("/forms"))
    return await http.post("/datasources/uploads", data={"_csrf_token": token} | form, files={"file": ("a.csv", FILE)})


async def request_statuses(http: httpx.AsyncClient, paths: list[tuple[str, str]]) -> set[int]:
    token = csrf(await http.get("/forms"))
    answers = [await http.request(method, path, data={"_csrf_token": token}) for method, path in paths]
    return {response.status_code for response in answers}


def addresses(one: Any, upload: str) -> list[tuple[str, str]]:
    here = f"/datasources/{one['id']}"
    reads = [("GET", here + part) for part in ("", "/row?key=1", "/columns", "/imports", "/import", "/schedule")]
    writes = [("POST", here + part) for part in ("/name", "/types", "/schedule", "/schedule/refresh")]
    return [*reads, *writes, *upload_addresses(upload)]


def upload_addresses(upload: str) -> list[tuple[str, str]]:
    return [("GET", upload), ("GET", upload + "/state")] + [
        ("POST", upload + f"/{w}") for w in ("look", "import", "discard")
    ]


async def test_nothing_of_another_account_is_found(
    person: Person, http: httpx.AsyncClient, other_browser: httpx.AsyncClient, neighbour: Person
) -> None:
    one = await create_datasource(person, [{"number": "1"}])
    await person.sign_in(http)
    upload = (await upload_file(http)).headers["location"]
    await neighbour.sign_in(other_browser)
    assert await request_statuses(other_browser, addresses(one, upload)) == {404}
    assert (await upload_file(other_browser, into=one["id"])).status_code == 404
    assert "Customers" not in (await other_browser.get("/datasources")).text
    assert (await http.get(upload)).status_code == 200


async def test_an_uploaded_file_is_only_available_to_its_user(
    person: Person, http: httpx.AsyncClient, other_browser: httpx.AsyncClient
) -> None:
    await person.sign_in(http)
    upload = (await upload_file(http)).headers["location"]
    also = await add_colleague(person, "also", Permission.DATASOURCES_READ, Permission.DATASOURCES_EDIT)
    await also.sign_in(other_browser)
    assert await request_statuses(other_browser, upload_addresses(upload)) == {404}


async def test_users_without_the_read_permission_find_no_datasources(person: Person, http: httpx.AsyncClient) -> None:
    one = await create_datasource(person, [{"number": "1"}])
    blind = await add_colleague(person, "blind")
    await blind.sign_in(http)
    forms = await http.get("/forms")
    assert forms.status_code == 200
    assert "Data sources" not in forms.text
    paths = [("GET", "/datasources"), ("GET", "/datasources/new"), *addresses(one, "/datasources/uploads/upl_1")]
    assert await request_statuses(http, paths) == {404}
    assert (await upload_file(http)).status_code == 404


async def test_users_with_the_read_permission_only_can_change_nothing(person: Person, http: httpx.AsyncClient) -> None:
    one = await create_datasource(person, [{"number": "1"}])
    reader = await add_colleague(person, "reader", Permission.DATASOURCES_READ)
    await reader.sign_in(http)
    here = f"/datasources/{one['id']}"
    for path in ("/datasources", here, here + "/row?key=1", here + "/columns", here + "/imports"):
        page = await http.get(path)
        assert page.status_code == 200
        assert not re.search(r"<select|Import a file|Add data source|Save types|Rename", page.text), path
    assert "Data sources" in page.text
    paths = [
        ("GET", "/datasources/new"),
        ("GET", here + "/import"),
        ("POST", here + "/name"),
        ("POST", here + "/types"),
        ("POST", here + "/schedule"),
        ("POST", here + "/schedule/refresh"),
        ("POST", "/datasources/pulled"),
    ]
    assert await request_statuses(http, paths) == {403}
    assert (await upload_file(http)).status_code == 403
    assert (await create_datasource(person, [{"number": "1"}], "Another"))["name"] == "Another"


async def test_a_post_without_a_csrf_token_is_rejected(person: Person, http: httpx.AsyncClient) -> None:
    await person.sign_in(http)
    assert (await http.post("/datasources/uploads", files={"file": ("a.csv", FILE)})).status_code == 403


async def test_confirming_an_import_twice_imports_once(person: Person, http: httpx.AsyncClient) -> None:
    await person.sign_in(http)
    upload = (await upload_file(http)).headers["location"]
    form = {"_csrf_token": csrf(await http.get(upload)), "name": "Once", "key": "number"}
    answers = await asyncio.gather(*(http.post(upload + "/import", data=form) for _ in range(5)))
    assert {response.status_code for response in answers} == {303}
    text = (await http.get("/datasources")).text
    assert text.count(">Once</a>") == 1
