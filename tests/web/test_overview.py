"""The overview: its figures, what each person sees of them, and its states in a browser."""

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, timedelta

import pytest
from actors import Account
from factories.forms import form
from factories.invites import invite
from factories.requests import post
from factories.submissions import started, submission
from factories.subscribers import fail
from factories.tasks import let_pass, task, work
from factories.users import built_in, member
from factories.web_client import Visit, visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.clock import rfc3339
from formwright.domain.customers import service as customers
from formwright.domain.invites.models import InviteStatus
from formwright.domain.overview import rhythm, service
from formwright.domain.overview.models import Overview
from formwright.domain.users import roles
from formwright.domain.users import service as people
from formwright.domain.users.models import Grant

DAY = 86_400_000
TODAY = date(2026, 11, 24)


def ago(*days: int) -> list[date]:
    return [TODAY - timedelta(days=day) for day in sorted(days, reverse=True)]


@pytest.mark.parametrize(
    ("days", "silence"),
    [
        (ago(*range(3, 11)), (1, 3)),
        (ago(*range(2, 11)), None),
        (ago(9, 10, 11, 12, 13, 16, 17, 18), (3, 9)),
        (ago(8, 9, 10, 11, 12, 15, 16, 17), None),
        (ago(10, 11, 12, 13, 14, 15, 16), None),
        (ago(*range(91, 110)), None),
        ([], None),
    ],
    ids=["daily", "daily, only two days", "working days", "working days, not yet", "too few days", "long ago", "none"],
)
def test_a_form_is_silent_after_three_times_its_longest_gap(days: list[date], silence: tuple[int, int] | None) -> None:
    assert rhythm.find_silence(days, TODAY) == silence


async def load(account: Account, actor: Actor | None = None) -> Overview:
    async with account.ctx.db.reading() as tx:
        now = account.ctx.clock.now()
        return await service.load(tx, actor or account.actor, time_zone=account.customer.time_zone, now=now)


async def received(account: Account, form: dict[str, str], *days: int) -> list[dict[str, str]]:
    """Create a submission that was submitted this many days ago, for each of `days`."""
    now = account.ctx.clock.now()
    return [await submission(account, form, submittedAt=rfc3339(now - day * DAY)) for day in days]


async def test_figures_count_what_their_lists_show(account: Account) -> None:
    new_form = await form(account, name="Visit")
    ids = [one["id"] for one in await received(account, new_form, 0, 0, 29, 31)]
    await started(account, new_form, "draft")
    path = f"/api/v1.0/customers/{account.id}/submissions/{ids[0]}"
    assert (await account.api.put(path, json={"status": "APPROVED"})).status_code == 200
    late = await task(account, new_form, dueAt=rfc3339(account.ctx.clock.now() + DAY))
    await let_pass(account, late, "due_at")
    await work(account, late)
    await invite(account, new_form)

    found = await load(account)
    assert found.per_day
    assert (len(found.days), len(found.per_day)) == (30, 30)
    assert (found.per_day[0], found.per_day[-1], sum(found.per_day)) == (1, 2, 3), "without the draft and day 31"
    assert found.waiting == 3
    assert found.overdue == 1
    assert sum((found.invites or {}).values()) == 1
    assert set(found.invites or {}) <= set(InviteStatus)
    assert found.failing == []
    async with visit(account) as site:
        page = (await site.http.get("/overview")).text
        for number, url in (
            ("3", "/submissions?days=30"),
            ("3", "/submissions?status=SUBMITTED"),
            ("1", "/tasks?overdue=1"),
        ):
            assert f'<a href="{url}"><strong' in page
            assert f">{number}</strong>" in page.partition(url)[2][:60]


async def test_forms_that_stopped_receiving(account: Account) -> None:
    stopped, steady, rare = [await form(account, name=name) for name in ("Stopped", "Steady", "Rare")]
    await received(account, stopped, *range(5, 15))
    await received(account, steady, *range(10))
    await received(account, rare, 20, 60)
    found = await load(account)
    assert [(one.form.name, one.usual_gap, one.silent_days) for one in found.dormant or ()] == [("Stopped", 1, 5)]
    async with visit(account) as site:
        page = (await site.http.get("/overview")).text
    assert "Nothing for 5 days" in page
    assert f'href="/submissions?form={stopped["id"]}"' in page


async def test_people_see_figures_of_what_they_may_read_only(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    inside, outside = await form(account, name="Inside", folderId=folder["id"]), await form(account, name="Outside")
    for new_form, days in ((inside, range(5, 15)), (outside, range(20))):
        await received(account, new_form, *days)
        await invite(account, new_form)
        one = await task(account, new_form, dueAt=rfc3339(account.ctx.clock.now() + DAY))
        await let_pass(account, one, "due_at")
        await work(account, one)
    manager = await built_in(account, "Form manager")
    ann = await member(account, Grant(manager, ResourceType.FOLDER, folder["id"]))
    found = await load(account, ann)
    assert (sum(found.per_day or ()), found.waiting, found.overdue) == (10, 10, 1)
    assert sum((found.invites or {}).values()) == 1
    assert [one.form.name for one in found.dormant or ()] == ["Inside"]
    assert found.failing is None, "webhooks belong to the whole account"
    bo = await member(account, Grant(manager, ResourceType.FORM, outside["id"]))
    assert (await load(account, bo)).waiting == 20

    async with account.ctx.db.writing() as tx:
        reader = await roles.create(tx, account.actor, name="Tasks", permissions=[Permission.TASKS_READ])
    cy = await member(account, Grant(reader.id, ResourceType.ACCOUNT, account.id))
    found = await load(account, cy)
    assert (found.per_day, found.waiting, found.invites, found.dormant) == (None, None, None, None)
    async with visit(account, cy.user_id or "") as site:
        page = (await site.http.get("/overview")).text
        assert "Overdue tasks" in page
        assert "Waiting for review" not in page
        assert "Submissions" not in page


async def test_people_who_only_fill_in_forms_start_with_these(account: Account) -> None:
    filler = await member(account, Grant(await built_in(account, "Filler"), ResourceType.ACCOUNT, account.id))
    async with visit(account, filler.user_id or "") as site:
        response = await site.http.get("/overview")
        assert (response.status_code, response.headers["location"]) == (303, "/forms")
        assert 'href="/overview"' not in (await site.http.get("/forms")).text


async def steps_on_page(site: Visit) -> list[tuple[str, bool]]:
    """Return the steps of the checklist on the overview, and whether each is done."""
    page = (await site.http.get("/overview")).text
    part = page.partition('aria-labelledby="checklist"')[2].partition("</section>")[0]
    return [(label, "Done" in rest) for label, rest in re.findall(r'<a href="[^"]*">([^<]*)</a>(.*?)</p>', part)]


async def test_the_checklist_ticks_itself_until_it_is_done_or_dismissed(account: Account) -> None:
    ann = await member(account, Grant(await built_in(account), ResourceType.ACCOUNT, account.id))
    labels = ["Create a form", "Publish and share it", "Get the first response", "Connect a system"]
    async with visit(account) as site, visit(account, ann.user_id or "") as other:
        assert await steps_on_page(site) == list(zip(labels, [False, False, False, True], strict=True))
        await form(account, publish=False)
        assert [done for _, done in await steps_on_page(site)] == [True, False, False, True]
        new_form = await form(account)
        await started(account, new_form, "draft")
        assert [done for _, done in await steps_on_page(site)] == [True, True, False, True]
        assert (await site.post("/overview/checklist/dismiss")).status_code == 303
        assert (await site.post("/overview/checklist/dismiss")).status_code == 303, "twice"
        assert await steps_on_page(site) == []
        assert (await site.post("/overview/checklist/restore")).status_code == 303
        assert [done for _, done in await steps_on_page(site)] == [True, True, False, True]
        assert len(await steps_on_page(other)) == 4, "everyone dismisses it for themselves"
        await submission(account, new_form)
        assert await steps_on_page(other) == []

    viewer = await member(account, Grant(await built_in(account, "Data viewer"), ResourceType.ACCOUNT, account.id))
    async with visit(account, viewer.user_id or "") as site:
        assert await steps_on_page(site) == [], "for people who set up the account"


@asynccontextmanager
async def account_of(person: Person) -> AsyncIterator[Account]:
    """The account of a person on the server that the browser uses."""
    ctx, actor = person.factory.ctx, actors.system(person.customer_id)
    async with ctx.db.reading() as tx:
        customer, user = await customers.get(tx, actor), await people.get(tx, actor, user_id=person.id)
    async with person.client() as api:
        yield Account(person.factory, customer, user, actor, person.key, api)


async def take_pictures(page: Page, name: str) -> None:
    """Save pictures at four widths in both color schemes, if `PICTURES` names a folder."""
    if folder := os.environ.get("PICTURES"):
        for width in (390, 768, 1024, 1440):
            for scheme in ("light", "dark"):
                await page.set_viewport_size({"width": width, "height": 900})
                await page.emulate_media(color_scheme=scheme)
                await page.wait_for_timeout(300)
                await page.screenshot(path=f"{folder}/{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.slow
async def test_the_overview_in_a_browser(browser: Browser, person: Person) -> None:
    async with open_page(browser, viewport={"width": 1280, "height": 900}) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path("/"))
        await expect(page.get_by_role("navigation", name="Main").get_by_role("link").first).to_have_text("Overview")
        await expect(page.get_by_role("region", name="Get started").get_by_role("listitem")).to_have_count(4)
        assert await axe.faults(page) == []
        await take_pictures(page, "overview-new")

        async with account_of(person) as account:
            new_form = await form(account, name="<b>Visit</b> " + "of a place with a long name " * 4)
            await received(account, new_form, *range(4, 20), 7, 7, 9, 11, 11)
            await invite(account, new_form)
            await fail(account)
        await page.reload()
        await expect(page.locator("#submissions-per-day[data-ready]")).to_be_visible()
        failing = page.get_by_role("region", name="Webhooks that fail").get_by_role("listitem")
        await expect(failing).to_have_text([re.compile("Failing since"), re.compile("Disabled.*410 Gone", re.DOTALL)])
        await expect(page.get_by_text("Nothing for 4 days")).to_be_visible()
        assert await axe.faults(page) == []
        await take_pictures(page, "overview")
        await page.get_by_role("link", name="Waiting for review").click()
        await expect(page).to_have_url(person.path("/submissions?status=SUBMITTED"))
        await expect(page.get_by_text("21 submissions")).to_be_visible()
        assert watched.errors == []
