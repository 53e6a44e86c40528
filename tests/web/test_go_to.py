"""*Go to*: people find what they may open by its name or id, and nothing else."""

import re
from html import unescape
from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.invites import VISITOR, invite
from factories.requests import PREFIX
from factories.submissions import submission
from factories.tasks import task
from factories.users import grants, group, role, user
from factories.web_client import Visit, visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, PHONE, open_page
from playwright.async_api import Browser, expect

_RESULT = re.compile(r'<h2 id="go-to-\d+">(?P<title>[^<]*)</h2>|<a href="(?P<url>[^"]*)"><span dir="auto">')


async def search(site: Visit, text: str) -> dict[str, list[str]]:
    """Return the URLs of the results by the title of their group."""
    response = await site.http.get("/go-to/results", params={"q": text})
    assert response.status_code == 200, response.text
    groups: dict[str, list[str]] = {}
    title = ""
    for found in _RESULT.finditer(response.text):
        title = found["title"] or title
        groups.setdefault(title, [])
        if found["url"]:
            groups[title].append(unescape(found["url"]))
    return groups


async def test_submissions_are_searched_by_their_answers(account: Account) -> None:
    ours = await form(account, name="Visit")
    received = await submission(account, ours, data={"site": "Crane <b> at the quay"})
    async with visit(account) as site:
        assert await search(site, "crane QUAY") == {"In submissions": [f"/submissions/{received['id']}"]}
        text = (await site.http.get("/go-to/results?q=crane+quay")).text
        assert "<mark>Crane</mark> &lt;b&gt; at the <mark>quay</mark>" in text
        assert re.search(r'href="/submissions\?q=crane\+quay">Search submissions for “crane quay”', text)
        async with account.ctx.db.writing() as tx:
            await tx.execute("UPDATE submissions SET search_text_as = NULL WHERE customer_id = $1", account.id)
        text = (await site.http.get("/go-to/results?q=crane+quay")).text
        assert ("<mark>" in text, "Search submissions for" in text) == (False, True)


async def test_records_are_found_by_name_id_and_external_id(account: Account, stranger: Account) -> None:
    ours = await form(account, name="Quay round É <b>")
    for other in (account, stranger):
        await form(other, name="Quay of others" if other is stranger else "Boat")
    received = await submission(account, ours, externalId="crm-17")
    ann = await user(account, "Annquay")
    team = await group(account, ann.id, name="Quay team")
    source = await datasource(account, name="Quays")
    asked = await task(account, ours, externalId="task-17")
    sent = await invite(account, ours, externalId="invite-17")
    urls = {
        "Forms": f"/forms/{ours['id']}",
        "Submissions": f"/submissions/{received['id']}",
        "People": f"/people/{ann.id}",
        "Groups": f"/people/groups/{team['id']}",
        "Data sources": f"/datasources/{source['id']}",
        "Tasks": f"/tasks/{asked['id']}",
        "Invites": f"/invites/{sent['id']}",
    }
    async with visit(account) as site:
        assert await search(site, " qUAY ") == {k: [urls[k]] for k in ("Forms", "People", "Groups", "Data sources")}
        assert await search(site, "é <B>") == {"Forms": [urls["Forms"]]}
        assert await search(site, VISITOR.upper()) == {"Invites": [urls["Invites"]]}
        assert await search(site, ann.email) == {"People": [urls["People"]]}
        for kind, external_id in (("Submissions", "crm-17"), ("Tasks", "task-17"), ("Invites", "invite-17")):
            assert await search(site, external_id) == {kind: [urls[kind]]}
        for kind, url in urls.items():
            assert await search(site, url.rpartition("/")[2]) == {kind: [url]}
            assert (await site.http.get(url)).status_code in (200, 303), url
        assert await search(site, "%") == await search(site, "' OR 1=1 --") == {}
        assert await search(site, "a" * 10_000) == {}
        assert "Nothing found for “<bdi>&lt;i&gt;</bdi>”" in (await site.http.get("/go-to/results?q=<i>")).text
        assert f'href="{urls["Forms"]}"' in (await site.http.get("/go-to?q=quay")).text
    async with visit(stranger) as site:
        for text in ("crm-17", "Quay round", *(url.rpartition("/")[2] for url in urls.values())):
            assert await search(site, text) == {}


async def test_results_and_pages_are_those_that_the_visitor_may_open(account: Account) -> None:
    mine, other = await form(account, name="Quay 1"), await form(account, name="Quay 2")
    kept, hidden = [await submission(account, one, externalId="both") for one in (mine, other)]
    ann = await user(account, "Annquay")
    reader = await role(account, "forms:read", "submissions:read")
    path = f"{PREFIX}/customers/{account.id}/users/{ann.id}"
    assert (await account.api.put(path, json={"grants": grants(reader["id"], form=mine["id"])})).is_success
    async with visit(account, ann.id) as site:
        assert await search(site, "quay") == {"Forms": [f"/forms/{mine['id']}"]}
        assert await search(site, "both") == {"Submissions": [f"/submissions/{kept['id']}"]}
        assert await search(site, hidden["id"]) == await search(site, other["id"]) == {}
        [pages] = (await search(site, "")).values()
        assert "/submissions" in pages
        assert not {"/people", "/tasks", "/settings/audit"} & set(pages)
        for url in pages:
            assert (await site.http.get(url)).status_code in (200, 303), url
    filler = await role(account, "submissions:create")
    assert (await account.api.put(path, json={"grants": grants(filler["id"], form=mine["id"])})).is_success
    async with visit(account, ann.id) as site:
        assert await search(site, "quay") == {"Fill in": [await fill_url(account, mine)]}
        assert await search(site, "both") == {}
    async with visit(account) as site:
        pages = (await search(site, ""))["Pages"]
        assert {"/people", "/settings/audit", "/forms/new"} <= set(pages)
        assert await search(site, "audit") == {"Pages": ["/settings/audit"]}


async def fill_url(account: Account, asked: dict[str, Any]) -> str:
    """Return the path of a form's fill link."""
    async with account.ctx.db.reading() as tx:
        [[link]] = await tx.fetch("SELECT link FROM forms WHERE customer_id = $1 AND id = $2", account.id, asked["id"])
    return f"/fill/{link}"


async def test_more_than_five_results_lead_to_the_list(account: Account) -> None:
    for number in range(6):
        await form(account, name=f"Quay {number} & more")
    async with visit(account) as site:
        assert len((await search(site, "quay"))["Forms"]) == 5
        text = (await site.http.get("/go-to/results", params={"q": "& MORE"})).text
        assert '<a class="more" href="/forms?q=%26+MORE">' in text


async def create_forms(person: Person, count: int) -> None:
    async with person.client() as api:
        for number in range(count):
            body = {"name": f"Harbour round {number}", "fields": [{"type": "text", "name": "a", "label": "A"}]}
            assert (await api.post("/api/v1.0/forms", json=body)).status_code == 201


@pytest.mark.slow
async def test_the_keyboard_alone_opens_a_result(browser: Browser, person: Person) -> None:
    await create_forms(person, 3)
    async with open_page(browser, **DESKTOP) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path("/settings"))
        await page.locator("html[data-ready]").wait_for()
        await page.keyboard.press("Control+k")
        dialog = page.get_by_role("dialog", name="Go to")
        await expect(dialog.get_by_role("textbox")).to_be_focused()
        await expect(dialog.get_by_role("link", name="Audit log")).to_be_visible()
        await page.keyboard.type("harbour")
        await expect(dialog.get_by_role("link")).to_have_count(3)
        await expect(dialog.get_by_role("status")).to_have_text("3 results")
        assert not await axe.faults(page)
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowDown")
        await expect(dialog.get_by_role("link", name="Harbour round 1")).to_be_focused()
        await page.keyboard.type(" round 0")
        await expect(dialog.get_by_role("textbox")).to_have_value("harbour round 0")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="Harbour round 0")).to_be_visible()
        await page.locator("html[data-ready]").wait_for()
        await page.keyboard.press("Control+k")
        await expect(dialog).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        assert not watched.errors


@pytest.mark.slow
async def test_the_dialog_works_on_a_phone(browser: Browser, person: Person) -> None:
    await create_forms(person, 8)
    async with open_page(browser, **PHONE) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path("/forms"))
        await page.locator("html[data-ready]").wait_for()
        await page.get_by_role("link", name="Go to…").tap()
        dialog = page.get_by_role("dialog", name="Go to")
        await dialog.get_by_role("textbox").fill("nothing of that name")
        await expect(dialog.get_by_role("status")).to_contain_text("Nothing found")
        await dialog.get_by_role("textbox").fill("harbour")
        await expect(dialog.get_by_role("link", name="Show all matching forms")).to_be_visible()
        await page.emulate_media(color_scheme="dark")
        assert not await axe.faults(page)
        await dialog.get_by_role("link", name="Harbour round 7").tap()
        await expect(page.get_by_role("heading", name="Harbour round 7")).to_be_visible()
        await page.get_by_role("link", name="Go to…").tap()
        await dialog.get_by_role("button", name="Close").tap()
        await expect(dialog).to_be_hidden()
        assert not watched.errors
