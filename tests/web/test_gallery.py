"""The gallery of a form: which photos it shows, and how people use it in a browser."""

import io

import pytest
from actors import Account
from factories.files import FIELDS, PDF, png, post, uploaded
from factories.forms import form
from factories.submissions import submission
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import Person
from fixtures.browser import open_page
from PIL import Image
from playwright.async_api import Browser, expect


def _photo(color: str) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (900, 600), color).save(written, "JPEG")
    return written.getvalue()


async def test_photos_are_shown_newest_first_without_signatures_and_other_files(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    for number in range(3):
        photos = [await uploaded(account, new_form, content=png(10 * number + one)) for one in range(2)]
        await submission(account, new_form, data={"site": f"Site {number}", "photos": photos})
    paper = (await post(account, new_form, "papers", PDF, "application/pdf", "a.pdf")).json()["id"]
    signed = await uploaded(account, new_form, "signed", png(99))
    await submission(account, new_form, data={"papers": [paper], "signed": signed})
    async with visit(account) as site:
        page = (await site.http.get(f"/forms/{new_form['id']}/gallery")).text
        assert page.count("data-photo ") == 6
        assert "No photos yet" not in page
        other = (await site.http.get(f"/forms/{new_form['id']}/gallery?status=APPROVED")).text
        assert "No matching photos" in other


async def test_an_empty_gallery_says_what_to_do(account: Account) -> None:
    without = await form(account, fields=FIELDS[:1])
    empty = await form(account, fields=FIELDS)
    async with visit(account) as site:
        assert "This form has no photo fields" in (await site.http.get(f"/forms/{without['id']}/gallery")).text
        assert "No photos yet" in (await site.http.get(f"/forms/{empty['id']}/gallery")).text


async def test_many_submissions_are_divided_into_pages(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    for number in range(31):
        await submission(account, new_form, data={"photos": [await uploaded(account, new_form, content=png(number))]})
    async with visit(account) as site:
        page = (await site.http.get(f"/forms/{new_form['id']}/gallery")).text
        assert page.count("data-photo ") == 30
        address = page.split('rel="next"')[0].rpartition('href="')[2].split('"')[0].replace("&amp;", "&")
        assert (await site.http.get(address)).text.count("data-photo ") == 1


@pytest.mark.slow
async def test_people_look_at_photos_with_the_keyboard(browser: Browser, person: Person) -> None:
    async with person.client() as http:
        form = (await http.post("/api/v1.0/forms", json={"name": "Harbour", "fields": FIELDS, "publish": True})).json()
        base = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}"
        for color in ("red", "green"):
            headers = {"content-type": "image/jpeg"}
            query = {"field": "photos", "name": f"{color}.jpg"}
            file = (await http.post(f"{base}/files", params=query, content=_photo(color), headers=headers)).json()
            response = await http.post(f"{base}/submissions", json={"data": {"photos": [file["id"]]}})
            assert response.status_code == 201, response.text
    async with open_page(browser, viewport={"width": 1100, "height": 800}) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions?form={form['id']}"))
        await page.locator("summary", has_text="View").click()
        await page.get_by_role("link", name="Gallery of photos").click()
        first = page.get_by_role("link", name="Photos: green.jpg")
        await expect(first).to_be_visible()
        assert await first.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 320
        assert await axe.faults(page) == []
        await first.press("Enter")
        viewer = page.get_by_role("dialog")
        large = viewer.locator("img")
        await expect(large).to_have_attribute("alt", "Photos: green.jpg")
        assert await large.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 900
        assert await axe.faults(page) == []
        await page.keyboard.press("ArrowRight")
        await expect(large).to_have_attribute("alt", "Photos: red.jpg")
        await page.keyboard.press("ArrowRight")
        await expect(viewer).to_contain_text("2 of 2")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("link", name="Photos: red.jpg")).to_be_focused()
        await page.get_by_role("link", name="Photos: red.jpg").press("Enter")
        await viewer.get_by_role("link", name="Open submission").click()
        await page.wait_for_url("**/submissions/sub_*")
        assert watched.errors == []
