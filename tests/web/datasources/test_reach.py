"""Who sees data sources, who changes them, and that a file is its person's alone."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest_asyncio
from factories.row_files import csv_file
from fixtures.accounts import Person, csrf
from web.datasources.office import made

from formwright.core.auth.permissions import Permission

SIGNS_IN = (Permission.CUSTOMER_READ, Permission.FORMS_READ, Permission.SUBMISSIONS_READ)
FILE = csv_file([["number"], ["1"]])


async def colleague(person: Person, name: str, *permissions: Permission) -> Person:
    return await person.office.colleague(person, name, *SIGNS_IN, *permissions)


@pytest_asyncio.fixture(loop_scope="session")
async def other(person: Person) -> AsyncIterator[httpx.AsyncClient]:
    """A second browser."""
    async with person.server.client() as http:
        yield http


async def send(http: httpx.AsyncClient, **form: str) -> httpx.Response:
    token = csrf(await http.get("/forms"))
    return await http.post("/datasources/uploads", data={"_csrf_token": token} | form, files={"file": ("a.csv", FILE)})


async def statuses(http: httpx.AsyncClient, paths: list[tuple[str, str]]) -> set[int]:
    token = csrf(await http.get("/forms"))
    answers = [await http.request(method, path, data={"_csrf_token": token}) for method, path in paths]
    return {answer.status_code for answer in answers}


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
    person: Person, http: httpx.AsyncClient, other: httpx.AsyncClient, neighbour: Person
) -> None:
    one = await made(person, [{"number": "1"}])
    await person.sign_in(http)
    upload = (await send(http)).headers["location"]
    await neighbour.sign_in(other)
    assert await statuses(other, addresses(one, upload)) == {404}
    assert (await send(other, into=one["id"])).status_code == 404
    assert "Customers" not in (await other.get("/datasources")).text
    assert (await http.get(upload)).status_code == 200


async def test_a_file_is_its_persons_alone(person: Person, http: httpx.AsyncClient, other: httpx.AsyncClient) -> None:
    await person.sign_in(http)
    upload = (await send(http)).headers["location"]
    also = await colleague(person, "also", Permission.DATASOURCES_READ, Permission.DATASOURCES_EDIT)
    await also.sign_in(other)
    assert await statuses(other, upload_addresses(upload)) == {404}


async def test_who_may_not_read_data_sources_finds_none(person: Person, http: httpx.AsyncClient) -> None:
    one = await made(person, [{"number": "1"}])
    blind = await colleague(person, "blind")
    await blind.sign_in(http)
    forms = await http.get("/forms")
    assert forms.status_code == 200
    assert "Data sources" not in forms.text
    paths = [("GET", "/datasources"), ("GET", "/datasources/new"), *addresses(one, "/datasources/uploads/upl_1")]
    assert await statuses(http, paths) == {404}
    assert (await send(http)).status_code == 404


async def test_who_may_only_read_sees_all_and_changes_nothing(person: Person, http: httpx.AsyncClient) -> None:
    one = await made(person, [{"number": "1"}])
    reader = await colleague(person, "reader", Permission.DATASOURCES_READ)
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
    assert await statuses(http, paths) == {403}
    assert (await send(http)).status_code == 403
    assert (await made(person, [{"number": "1"}], "Another"))["name"] == "Another"


async def test_a_form_without_its_token_is_refused(person: Person, http: httpx.AsyncClient) -> None:
    await person.sign_in(http)
    assert (await http.post("/datasources/uploads", files={"file": ("a.csv", FILE)})).status_code == 403


async def test_what_is_imported_twice_at_once_is_imported_once(person: Person, http: httpx.AsyncClient) -> None:
    await person.sign_in(http)
    upload = (await send(http)).headers["location"]
    form = {"_csrf_token": csrf(await http.get(upload)), "name": "Once", "key": "number"}
    answers = await asyncio.gather(*(http.post(upload + "/import", data=form) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {303}
    text = (await http.get("/datasources")).text
    assert text.count(">Once</a>") == 1
