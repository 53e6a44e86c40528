"""Translating a form on its page and in Excel."""

import io

import pytest
from actors import Account
from factories.forms import form
from factories.web_client import visit
from fixtures.browser import WatchedPage
from openpyxl import load_workbook
from playwright.async_api import expect
from web.designer.pages import Designer

FIELDS = [
    {"type": "text", "name": "site", "label": "Site", "hint": "Where?", "indexed": True},
    {"type": "boolean", "name": "safe", "label": "Safe?"},
]


@pytest.mark.slow
async def test_a_form_is_translated_on_the_page_and_in_excel(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    async with designer.person.client() as api:
        body = {"name": "Visit", "fields": FIELDS, "publish": True}
        form = (await api.post("/api/v1.0/forms", json=body)).json()
    await page.goto(f"{designer.url}/forms/{form['id']}/design")
    await page.get_by_role("link", name="Translations").click()
    await expect(page.get_by_role("heading", name="No translations yet")).to_be_visible()
    await page.get_by_label("Language", exact=True).fill("Klingon")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("“Klingon” is not a known language")
    await page.get_by_label("Language", exact=True).fill("german")
    await page.keyboard.press("Enter")
    await page.get_by_label("site › Label in German (de)").fill("Ort")
    await page.get_by_label("safe › Label in German (de)").fill("Sicher?")
    await page.get_by_role("button", name="Save as draft").click()
    await expect(page.locator(".notice[role=status]")).to_contain_text("2 texts saved as draft.")
    await page.get_by_label("Only missing texts").check()
    await expect(page.get_by_label("site › Hint in German (de)")).to_be_visible()
    await expect(page.get_by_label("site › Label in German (de)")).to_have_count(0)
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download as Excel").click()
    path = await (await download.value).path()
    book = load_workbook(io.BytesIO(path.read_bytes()))
    sheet = book.active
    assert [cell.value for cell in sheet[1]] == ["key", "English (en)", "German (de)"]
    for row in sheet.iter_rows(min_row=2):
        assert (row[2].value is None) == (row[0].value == "site/hint")
        row[2].value = {"site/hint": "Wo?", "safe/label": "Gesichert?"}.get(row[0].value)
    sheet.append(["gone/label", "Gone", "Weg"])
    content = io.BytesIO()
    book.save(content)
    await page.goto(f"{designer.url}/forms/{form['id']}/translations")
    await expect(page.get_by_role("row", name="German")).to_contain_text("2 of 3")
    file = {"name": "texts.xlsx", "mimeType": "application/octet-stream", "buffer": content.getvalue()}
    await page.get_by_label("Excel file").set_input_files(files=[file])
    await page.get_by_role("button", name="Upload").click()
    await expect(page.locator(".notice[role=status]")).to_contain_text("2 texts saved as draft. 1 row was left out")
    await expect(page.get_by_role("row", name="German")).to_contain_text("3 of 3")
    async with designer.person.client() as api:
        found = await api.get(f"/api/v1.0/forms/customer/{designer.person.customer_id}/forms/{form['id']}/versions")
    newest = found.json()["items"][-1]
    assert [one["label"]["de"] for one in newest["fields"]] == ["Ort", "Gesichert?"]
    assert newest["fields"][0]["indexed"], "everything else stays"
    assert all("422" in error for error in desktop.errors), desktop.errors


async def test_texts_of_other_accounts_and_invalid_ones_are_refused(account: Account, stranger: Account) -> None:
    new_form, foreign = await form(account, fields=FIELDS), await form(stranger, fields=FIELDS)
    path = f"/forms/{new_form['id']}/translations"
    async with visit(account) as site:
        assert (await site.http.get(f"/forms/{foreign['id']}/translations")).status_code == 404
        long = {"language": "de", "text.site/label": "x" * 2001, "text.site/hint": "Wo?"}
        response = await site.post(path, long)
        assert (response.status_code, "A text has at most 2000 characters." in response.text) == (422, True)
        assert "Wo?" in response.text, "what was typed stays"
        assert (await site.post(path, {"language": "??", "text.site/label": "x"})).status_code == 422
        response = await site.post(path, {"language": "de", "text.site/label": "<b>Ort"})
        assert response.headers["location"] == f"{path}?language=de&changed=1"
        assert "<b>Ort" not in (await site.http.get(f"{path}?language=de")).text
        assert (
            (await site.post(path, {"language": "de", "text.gone/label": "x"}))
            .headers["location"]
            .endswith("changed=0&unknown=1")
        )
        for query in ("start=9999", "start=x", "missing=1&language=de&start=999999999999"):
            assert (await site.http.get(f"{path}?{query}")).status_code == 200
