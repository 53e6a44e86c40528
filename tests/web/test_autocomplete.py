"""Pickers search long lists while typing, with keyboard and screen reader. Short lists stay plain lists."""

from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.tasks import task
from factories.users import grants, group, role, user
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import PHONE, open_page
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.domain.users import management
from formwright.domain.users.models import NewUser


async def list_options(site: Any, page: str, kind: str, q: str = "") -> list[str]:
    response = await site.http.get(f"/{page}/new/choices", params={"kind": kind, "q": q})
    assert response.status_code == 200, response.text
    return [one["name"] for one in response.json()["items"]]


async def test_pickers_offer_what_the_user_may_choose(account: Account, stranger: Account) -> None:
    mine = await form(account, name="Round É <b>")
    await form(account, name="Draft round", publish=False)
    await form(account, name="Other round")
    await form(stranger, name="Round of others")
    ann, off = await user(account, "Ann"), await user(account, "Annabel")
    await user(stranger, "Anne")
    await group(account, ann.id, name="Anchors")
    assert (
        await account.api.put(f"{PREFIX}/customers/{account.id}/users/{off.id}", json={"status": "DISABLED"})
    ).is_success
    part = await role(account, "tasks:manage", "tasks:read", "forms:read")
    path = f"{PREFIX}/customers/{account.id}/users/{ann.id}"
    assert (await account.api.put(path, json={"grants": grants(part["id"], form=mine["id"])})).is_success
    async with visit(account) as site:
        assert await list_options(site, "tasks", "forms", "rOUND") == ["Other round", "Round É <b>"]
        assert await list_options(site, "invites", "forms", "é <") == ["Round É <b>"]
        assert await list_options(site, "tasks", "people", "ann") == ["Ann"]
        assert await list_options(site, "tasks", "groups", "anch") == ["Anchors"]
        assert await list_options(site, "tasks", "nothing") == []
        assert await list_options(site, "tasks", "people", "%") == []
    async with visit(account, ann.id) as site:
        assert await list_options(site, "tasks", "forms") == ["Round É <b>"]
        assert (await site.http.get("/invites/new/choices?kind=forms")).status_code == 403


async def test_search_ignores_case_in_every_script(account: Account) -> None:
    for number, name in enumerate(("Иван Öz", "ΣΊΣΥΦΟΣ", "İzmir", "100%_a")):
        async with account.ctx.db.writing() as tx:
            await management.create(tx, account.actor, NewUser(f"p{number}@example.org", name), password_hash="-")
        await group(account, name=name)
        await form(account, name=name)
    async with visit(account) as site:
        for typed, name in [
            ("Иван", "Иван Öz"),
            ("ИВАН ö", "Иван Öz"),
            ("σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("izmir", "İzmir"),
            ("%_A", "100%_a"),
        ]:
            for kind in ("people", "groups", "forms"):
                assert await list_options(site, "tasks", kind, typed) == [name], (kind, typed)
        assert "Иван Öz" in (await site.http.get("/people?q=иван")).text
        assert "Иван Öz" in (await site.http.get("/forms?q=иван")).text


async def test_disabled_users_are_not_offered_but_shown_if_chosen(account: Account) -> None:
    off, asked = await user(account, "Annabel"), await form(account)
    given = await task(account, asked, recipients={"users": [account.owner.id, off.id]})
    path = f"{PREFIX}/customers/{account.id}/users/{off.id}"
    assert (await account.api.put(path, json={"status": "DISABLED"})).is_success
    async with visit(account) as site:
        for page in ("/tasks/new", "/invites/new"):
            assert "Annabel" not in (await site.http.get(page)).text, page
            refused = await site.post(page, {"form": asked["id"], "users": off.id, "until": "2130-01-01"})
            assert refused.status_code == 422, page
            assert "Annabel (disabled)" in refused.text, page
        assert "Annabel (disabled)" in (await site.http.get(f"/tasks/{given['id']}")).text


async def test_users_of_the_account_can_be_invited_next_to_addresses(account: Account, stranger: Account) -> None:
    asked, ann, theirs = await form(account), await user(account, "Ann"), await user(stranger, "Eve")
    typed = {"form": asked["id"], "people": "bob@example.org", "message": "", "until": "2130-01-01"}
    async with visit(account) as site:
        assert "People in this account" in (await site.http.get("/invites/new")).text
        refused = await site.post("/invites/new", typed | {"people": ""})
        assert "Enter at least one person." in refused.text
        refused = await site.post("/invites/new", typed | {"users": [ann.id, theirs.id]})
        assert refused.status_code == 422
        assert "There is no such user" in refused.text
        assert f'value="{ann.id}" checked' in refused.text
        assert (await site.post("/invites/new", typed | {"users": [ann.id, ann.id]})).status_code == 200
    created = (await get(account, f"/customers/{account.id}/invites"))["items"]
    assert [(one["email"], one["userId"]) for one in created] == [("bob@example.org", None), (ann.email, ann.id)]


async def create_forms_and_users(person: Person) -> None:
    """Create a dozen forms and a dozen users."""
    async with person.client() as api:
        for number in range(12):
            body = {"name": f"Round {number}", "fields": [{"type": "text", "name": "a", "label": "A"}], "publish": True}
            assert (await api.post("/api/v1.0/forms", json=body)).status_code == 201
    async with person.factory.ctx.db.writing() as tx:
        for number in range(12):
            new = NewUser(f"p{number}.{person.email}", f"Mia {number}")
            await management.create(tx, actors.system(person.customer_id), new, password_hash="-")


async def create_group(person: Person) -> str:
    """Create a group without members."""
    async with person.client() as api:
        response = await api.post(f"/api/v1.0/customers/{person.customer_id}/groups", json={"name": "Team"})
        return str(response.json()["id"])


async def choose_by_keyboard(page: Page) -> None:
    people = page.get_by_role("combobox", name="Search: People")
    await people.focus()
    await page.keyboard.type("mia 7")
    options = page.get_by_role("option")
    await expect(options).to_have_count(1)
    await expect(people).to_have_attribute("aria-expanded", "true")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("checkbox", name="Mia 7")).to_be_checked()
    await expect(people).to_have_attribute("aria-expanded", "false")
    await page.keyboard.type("mia 1")
    await expect(options).to_have_count(3)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    await expect(people).to_have_attribute("aria-activedescendant", str(await options.nth(1).get_attribute("id")))
    await page.keyboard.press("Escape")
    await expect(options).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(people).to_have_value("")


@pytest.mark.slow
async def test_search_works_by_touch_and_keyboard(browser: Browser, person: Person) -> None:
    await create_forms_and_users(person)
    async with open_page(browser, **PHONE) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path("/tasks/new"))
        await choose_by_keyboard(page)
        box = page.get_by_role("combobox", name="Form", exact=True)
        await box.fill("round 1")
        await page.get_by_role("option", name="Round 11").wait_for()
        assert not await axe.faults(page)
        await page.get_by_role("button", name="Assign").click()
        await expect(box).to_be_focused()
        await box.click()
        await page.get_by_role("option", name="Round 11").click()
        await page.get_by_role("button", name="Assign").click()
        await expect(page.get_by_role("heading", name="Round 11")).to_be_visible()
        await expect(page.get_by_role("rowheader", name="Mia 7")).to_be_visible()
        await page.goto(person.path(f"/people/groups/{await create_group(person)}"))
        await page.get_by_role("combobox", name="Person").fill("mia 3")
        await page.get_by_role("option", name="Mia 3").click()
        await page.get_by_role("button", name="Add", exact=True).click()
        await expect(page.get_by_role("link", name="Mia 3")).to_be_visible()
