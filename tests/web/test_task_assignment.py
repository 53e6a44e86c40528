"""Assigning a form as a task from its page: few clicks, people by search, pre-filled answers; the calendar of tasks."""

import json
import re
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import get
from factories.tasks import task
from factories.users import user
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.domain.users import management
from formwright.domain.users.models import NewUser

FIELDS = [
    {"type": "text", "name": "site", "label": "Site <b>", "required": True},
    {"type": "integer", "name": "doors", "label": "Doors", "required": True, "max": 9},
    {"type": "integer", "name": "twice", "label": "Twice", "calculate": "doors * 2"},
    {"type": "photo", "name": "picture", "label": "Picture"},
]


class Clicks:
    """Counts the clicks of a person who knows the page; typing is no click."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    async def click(self, role: Any, name: str) -> None:
        await self.page.get_by_role(role, name=name, exact=role != "option").click()
        self.count += 1


async def _create_people(person: Person) -> None:
    async with person.factory.ctx.db.writing() as tx:
        for number in range(12):
            new = NewUser(f"p{number}.{person.email}", f"Mia {number}")
            await management.create(tx, actors.system(person.customer_id), new, password_hash="-")


@pytest.mark.slow
async def test_a_form_is_assigned_in_four_clicks_with_answers(browser: Browser, person: Person) -> None:
    await _create_people(person)
    async with person.client() as api:
        form = (await api.post("/api/v1.0/forms", json={"name": "Doors", "fields": FIELDS, "publish": True})).json()
    async with open_page(browser) as watched:
        page, clicks = watched.page, Clicks(watched.page)
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        await clicks.click("link", "Assign")
        await clicks.click("combobox", "Search: People")
        await page.keyboard.type("mia 7")
        await clicks.click("option", "Mia 7")
        await clicks.click("button", "Assign")
        await expect(page.get_by_role("rowheader", name="Mia 7")).to_be_visible()
        assert clicks.count == 4

        await page.goto(person.path(f"/tasks/new?form={form['id']}"))
        await clicks.click("button", "Fill in answers…")
        frame = page.frame_locator("#prefill-frame")
        await frame.get_by_label("Doors").fill("12")
        await expect(frame.get_by_text("Picture")).to_have_count(0)
        await frame.get_by_role("button", name="Use answers").click()
        await expect(frame.locator("#problems li")).to_contain_text("Doors")
        assert not await axe.faults(page)
        await frame.get_by_label("Doors").fill("4")
        await frame.get_by_role("button", name="Use answers").click()
        await expect(page.locator("#prefill-labels")).to_have_text("Doors")
        await clicks.click("button", "Fill in answers…")
        await expect(frame.get_by_label("Doors")).to_have_value("4")
        await frame.get_by_label("Site <b>").fill("Quay 9")
        await frame.get_by_role("button", name="Use answers").click()
        await expect(page.locator("#prefill-labels")).to_have_text("Site <b>, Doors")
        await clicks.click("combobox", "Search: People")
        await page.keyboard.type("mia 3")
        await clicks.click("option", "Mia 3")
        await clicks.click("button", "Assign")
        await expect(page.get_by_role("rowheader", name="Mia 3")).to_be_visible()
        task_id = page.url.rpartition("/")[2]
        assert watched.errors == []
    async with person.client() as api:
        given = (await api.get(f"/api/v1.0/customers/{person.customer_id}/tasks/{task_id}")).json()
    assert given["data"] == {"site": "Quay 9", "doors": 4}


async def test_bad_answers_are_rejected_with_nothing_created(account: Account, stranger: Account) -> None:
    new_form, theirs = await form(account, fields=FIELDS), await form(stranger)
    draft = await form(account, publish=False)
    async with visit(account) as site:
        typed = {"form": new_form["id"], "users": account.owner.id}
        for text in ("[1]", "{", '{"doors": 12}', '{"nothing": 1}', "[" * 100_000, '{"site": "\\u0000"}'):
            refused = await site.post("/tasks/new", typed | {"data": text})
            assert (refused.status_code, 'id="data-fault"' in refused.text) == (422, True), text[:40]
        kept = await site.post("/tasks/new", {"form": new_form["id"], "data": '{"doors": 4}'})
        assert 'value="{&#34;doors&#34;: 4}"' in kept.text
        for id_, status in ((theirs["id"], 404), (draft["id"], 400), ("", 303)):
            assert (await site.http.get(f"/tasks/new/answers?form={id_}")).status_code == status, id_
        page = await site.http.get(f"/tasks/new/answers?form={new_form['id']}")
        assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
        data = json.loads(re.findall(r'id="form-data">(.*?)</script>', page.text)[0])
        assert "picture" not in json.dumps(data["survey"])
        assert not any("required" in step for step in data["steps"])
    assert (await get(account, f"/customers/{account.id}/tasks"))["items"] == []


async def test_the_calendar_has_the_tasks_of_a_month_by_day(account: Account, stranger: Account) -> None:
    new_form, mate = await form(account, name="Round <b>"), await user(account, "Ann")
    for day in range(1, 7):
        given = await task(account, new_form, dueAt=f"2060-02-29T0{day}:00:00Z", recipients={"users": [mate.id]})
    other = await task(account, await form(account, name="Tour"), dueAt="2060-02-01T10:00:00Z")
    await task(stranger, await form(stranger, name="Theirs"), dueAt="2060-02-10T10:00:00Z")
    async with visit(account) as site:
        page = (await site.http.get("/tasks/calendar?month=2060-02")).text
        for words in ("February 2060", "Round &lt;b&gt;", "2 more", "Sunday, 29 February", given["id"], other["id"]):
            assert words in page, words
        assert "Theirs" not in page
        mine = (await site.http.get(f"/tasks/calendar?month=2060-02&person={mate.id}")).text
        assert (given["id"] in mine, other["id"] in mine) == (True, False)
        assert "No tasks are due" in (await site.http.get("/tasks/calendar?month=2060-03")).text
        for month in ("", "x", "2060-13", "0001-01", "9999-12", "2060-1"):
            assert (await site.http.get("/tasks/calendar", params={"month": month})).status_code == 200, month
