"""The search box of the list of submissions."""

import re

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, open_page
from playwright.async_api import Browser, expect
from web.submissions.conftest import SubmissionPages, cells, row_links, words

from formwright.domain.submissions.text_search import search

MARKUP = "<b onclick=alert(1)>"


async def _create(account: Account) -> tuple[dict[str, str], list[str]]:
    new_form = await form(account)
    sites = [f"Ålesund {MARKUP} quay", "Oslo quay", "Bergen"]
    return new_form, [f"/submissions/{(await submission(account, new_form, data={'site': s}))['id']}" for s in sites]


async def test_matching_parts_are_marked_as_text(pages: SubmissionPages) -> None:
    form, known = await _create(pages.account)
    for path in (f"/submissions?form={form['id']}&q=", "/submissions?q="):
        text = await pages.page(f"{path}QUAY alesund")
        assert row_links(text) == known[:1]
        assert "<mark>Ålesund</mark> &lt;b onclick=alert(1)&gt; <mark>quay</mark>" in text
        text = await pages.page(f"{path}onclick=")
        assert "&lt;b <mark>onclick=</mark>alert(1)&gt;" in text
        assert 'value="onclick="' in text
    assert "three letters" in words(await pages.page("/submissions?q=q", status=400))
    assert "No matching submissions" in words(await pages.page("/submissions?q=nowhere"))


async def test_an_excerpt_shows_words_that_no_column_shows_and_the_number_is_given(pages: SubmissionPages) -> None:
    options = [{"value": "q", "label": {"en": "Quay wall", "de": "Kaimauer"}}]
    row = {
        "name": "items",
        "label": "Items",
        "type": "repeat",
        "fields": [{"name": "item", "label": "Item", "type": "text"}],
    }
    new_form = await form(
        pages.account,
        fields=[
            {"name": "site", "label": "Site", "type": "text"},
            {"name": "part", "label": "Part", "type": "choice", "options": options},
            row,
        ],
    )
    long = f"{'before ' * 20}<i>crane</i>{' after' * 40}"
    data = {"site": "Oslo", "part": "q", "items": [{"item": "rope"}, {"item": long}]}
    await submission(pages.account, new_form, data=data, externalId="crm-17")
    for number in range(50):
        await submission(pages.account, new_form, data={"site": f"Bergen {number}"})
    here = f"/submissions?form={new_form['id']}&q="
    text = await pages.page(f"{here}CRANE+oslo")
    assert re.search(r"…[^<]*before &lt;i&gt;<mark>crane</mark>&lt;/i&gt; after[^<]*…</span>", text)
    assert "<mark>Kaimauer</mark>" in await pages.page(f"{here}kaimauer")
    assert "<mark>crm-17</mark>" in await pages.page(f"{here}crm-17")
    assert "excerpt" not in await pages.page(f"{here}oslo")
    assert "1 submission" in words(await pages.page(f"{here}oslo"))
    assert "50 submissions" in words(await pages.page(f"{here}bergen"))
    await submission(pages.account, new_form, data={"site": "Bergen"})
    assert "51 submissions" in words(await pages.page(f"{here}bergen"))


async def test_a_search_that_takes_too_long_says_how_to_narrow_it(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, _ = await _create(pages.account)
    here = f"/forms/{form['id']}"
    assert (await pages.http.get(f"{here}/map/points?q=quay")).json()["complete"] is True
    await submission(pages.account, form)  # The positions of the search before are cached until something changes.
    monkeypatch.setattr(search, "_MAX_SECONDS", -1.0)
    text = words(await pages.page("/submissions?q=quay", status=400))
    assert "This search takes too long. Add a longer word" in text
    assert "Submissions" in text
    for tab in ("gallery", "summary"):
        text = words(await pages.page(f"{here}/{tab}?q=quay"))
        assert "This search takes too long. Add a longer word" in text
        assert ("No matching" in text, "No photos" in text, "try again" in text) == (False, False, False)
    for _ in range(2):
        points = (await pages.http.get(f"{here}/map/points?q=quay")).json()
        assert points["fault"].startswith("This search takes too long")
    monkeypatch.undo()
    assert "fault" not in (await pages.http.get(f"{here}/map/points?q=quay")).json()


async def test_a_search_is_kept(pages: SubmissionPages) -> None:
    form, known = await _create(pages.account)
    list_url = f"/submissions?form={form['id']}&q=quay"
    for tab in ("map", "gallery", "summary"):
        assert 'value="quay"' in await pages.page(f"/forms/{form['id']}/{tab}?q=quay")
    assert "q=quay" in await pages.page(f"{known[0]}?form={form['id']}&q=quay")
    download = await pages.http.get(f"/submissions/download.csv?form={form['id']}&q=quay")
    assert ("Oslo" in download.text, "Bergen" in download.text) == (True, False)
    assert any("Oslo" in cell for cell in cells(await pages.page(list_url))[0])


async def test_a_saved_view_searches(pages: SubmissionPages) -> None:
    account = pages.account
    form, known = await _create(account)
    body = {"name": "Quays", "formId": form["id"], "filter": {"q": "quay"}}
    view = await post(account, f"/customers/{account.id}/views", body)
    assert view["filter"]["q"] == "quay"
    found = await get(account, f"/submissions?view={view['id']}")
    assert [f"/submissions/{one['id']}" for one in found["items"]] == known[1::-1]
    found = await get(account, f"/submissions?view={view['id']}&q=bergen")
    assert [f"/submissions/{one['id']}" for one in found["items"]] == known[2:]
    assert sorted(row_links(await pages.page(f"/submissions?view={view['id']}"))) == sorted(known[:2])
    refused = await account.api.post(f"{PREFIX}/customers/{account.id}/views", json=body | {"filter": {"q": "qu"}})
    assert refused.json()["errors"][0]["pointer"] == "/filter/q"


@pytest.mark.slow
async def test_search_and_open_a_match_in_a_browser(browser: Browser, person: Person) -> None:
    async with open_page(browser, **DESKTOP) as watched, person.client() as http:
        page = watched.page
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        form = (await http.post("/api/v1.0/forms", json={"name": "Visit", "fields": fields, "publish": True})).json()
        for site in ("Ålesund harbour", "Oslo", "Bergen harbour"):
            path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
            assert (await http.post(path, json={"data": {"site": site}})).status_code == 201
        await person.sign_in_browser(page)
        await page.goto(person.path("/submissions"))
        await page.get_by_role("searchbox", name="Search submissions").fill("HARBOUR ales")
        await page.keyboard.press("Enter")
        await expect(page.locator("tr.row-link")).to_have_count(1)
        assert await page.locator("tr.row-link mark").all_text_contents() == ["Åles", "harbour"]
        await page.locator("tr.row-link a.open").click()
        await expect(page.locator("dd").first).to_have_text("Ålesund harbour")
        await page.go_back()
        await expect(page).to_have_url(re.compile("q=HARBOUR"))
        await page.get_by_role("link", name="Clear filters").click()
        await expect(page.locator("tr.row-link")).to_have_count(3)
