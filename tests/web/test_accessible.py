"""Every page, found by its links as a person finds it, in the light on a desk and in the dark on a phone: nothing that
keeps somebody out."""

import json
import re
from collections import deque
from typing import Any
from urllib.parse import urlsplit

import pytest
from cast import Account
from make.tables import xlsx_file
from make.world import world
from playwright.async_api import Browser, Page
from rig import axe
from rig.browser import DESKTOP, PHONE, opened
from rig.office import Person, csrf

from formwright.core.access import actor as actors
from formwright.domain.customers import service as customers
from formwright.domain.mail import service as mail
from formwright.domain.mail.letter import Letter
from formwright.domain.mail.model import NewMail
from formwright.domain.mail.service import Post
from formwright.domain.people import persons
from formwright.domain.people import service as people
from formwright.domain.people.rights import NewPerson
from formwright.domain.people.signin import links
from formwright.domain.people.signin.model import LinkKind
from formwright.web.exports import ZIP, Exports
from formwright.web.router import web_routes

NO_PAGE = {
    "/": "leads to the forms",
    "/forms/{form_id:str}/versions/{version_id:str}/excel": "a file",
    "/settings/mail/{mail_id:str}/file": "a file",
    "/submissions/download.csv": "a file",
    "/submissions/download.ndjson": "a file",
    "/submissions/download.parquet": "a file",
    "/submissions/download.xlsx": "a file",
    "/settings/personal-data/jobs/{export_id:str}/file": "a file",
    "/submissions/exports/{export_id:str}/file": "a file",
    "/settings/account/second-factor/qr.svg": "a picture",
    "/sign-in/second": "only for who is on the way in: tests/web/test_first_hour.py looks at it",
    "/first-owner/{token:str}": "only in an empty installation: tests/web/test_first_owner.py looks at it",
    "/forms/{form_id:str}/design/changes": "a part of the designer that its module asks for",
    "/datasources/uploads/{upload_id:str}/state": "JSON",
    "/fill/sw.js": "a script",
    "/invites/new/choices": "JSON",
    "/people/groups/choices": "JSON",
    "/tasks/new/choices": "JSON",
    "/fill/{token:str}/lookup/{name:str}": "JSON",
    "/fill/{token:str}/lookup/{name:str}/rows": "JSON",
}
"""What answers a GET with something else than a page of its own."""


def _patterns() -> dict[str, re.Pattern[str]]:
    """The path of each page, and how an address of it looks."""
    paths = {
        path
        for handler in web_routes()
        for path in handler.paths
        if "GET" in handler.http_methods and not path.startswith("/static/")
    }
    as_pattern = {path: re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path)) for path in paths}
    return {path: re.compile(pattern) for path, pattern in as_pattern.items()}


def _known(address: str, patterns: dict[str, re.Pattern[str]]) -> str | None:
    """The page that this address is of; the one with the fewest open places, as the router takes it."""
    path = urlsplit(address).path
    fitting = [known for known, pattern in patterns.items() if pattern.fullmatch(path)]
    return min(fitting, key=lambda known: known.count("{"), default=None)


async def _links(page: Page) -> list[str]:
    found: list[str] = await page.eval_on_selector_all("a[href]:not([download])", "all => all.map((one) => one.href)")
    return found


async def _furnish(person: Person) -> list[str]:
    """One of everything in her account; answers the addresses that only the one who made a thing is led to."""
    house, actor = person.office.house, actors.system(person.customer_id)
    async with house.db.reading() as tx:
        customer, user = await customers.get(tx, actor), await people.get(tx, actor, user_id=person.id)
    async with house.db.writing() as tx:
        letter = Letter("Come in", ["Please."], ("Come in", "https://forms.test/"))
        new = NewMail("test", "usr_1", person.email, "Owner", "en", letter)
        await mail.enqueue(tx, Post(person.customer_id, customer.name, house.seal), new)
        invited = await persons.invite(tx, actor, NewPerson(f"new.{person.email}", "New"))
        link, _ = await links.make(tx, invited.user, LinkKind.INVITATION)
    async with person.client() as api:
        made_world = await world(Account(person.office, customer, user, actor, person.key, api))
    async with person.server.client() as http:
        await person.sign_in(http)
        token = {"_csrf_token": csrf(await http.get("/forms"))}
        lines = [("type", "name", "label"), ("text", "a", "A"), ("audio", "b", "B")]
        sheet = xlsx_file([], survey=lines, settings=[("form_title",), ("Visit",)])
        rows = {"file": ("a.csv", b"number,name\n1,Harbour\n")}
        upload = await http.post("/datasources/uploads", data=token, files=rows)
        made = await http.post("/forms/import", data=token, files={"file": ("visit.xlsx", sheet)})
    # Lists lead to them. They stay under way, as nobody makes them.
    kept = Exports(house.settings.exports_folder, house.clock)
    kept.begin(person.id, made_world.ids["formId"], "xlsx", "Visit", "")
    kept.begin(person.id, "", ZIP, "Personal data", "")
    return [
        person.path(path) for path in (upload.headers["location"], made.headers["location"], f"/set-password/{link}")
    ]


@pytest.mark.parametrize(("manner", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desk", "phone"])
async def test_every_page_lets_everybody_in(
    browser: Browser, person: Person, manner: dict[str, Any], scheme: str
) -> None:
    made = await _furnish(person)
    patterns, seen, faults = _patterns(), set[str](), dict[str, Any]()
    async with opened(browser, color_scheme=scheme, **manner) as sight:
        page = sight.page
        await axe.bring(page)
        await page.goto(person.path("/sign-in"))
        waiting = deque([person.path("/sign-in"), person.path("/forms"), *made])
        while waiting:
            address = waiting.popleft()
            known = _known(address, patterns)
            if not address.startswith(person.server.base_url) or known is None or known in {*seen, *NO_PAGE}:
                continue
            seen.add(known)
            answer = await page.goto(address)
            assert answer is not None
            assert answer.ok, (address, answer.status)
            if found := await axe.faults(page):
                faults[known] = found
            waiting.extend(await _links(page))
            if known == "/sign-in":
                await person.enter(page)
    assert not faults, json.dumps(faults, indent=1, ensure_ascii=False)
    assert set(patterns) - seen == set(NO_PAGE)
