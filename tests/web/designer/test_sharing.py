"""Sharing a form: from nothing to a link in the clipboard, and what the page offers besides."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
import segno
from fixtures import axe
from fixtures.browser import WatchedPage
from playwright.async_api import Locator, expect
from web.designer.pages import Designer, row

FIELDS = [{"type": "text", "name": "site", "label": "Site"}]
MAX_CLICKS = 7


class Clicks:
    """Clicks with the mouse, counted."""

    count = 0

    async def click(self, target: Locator) -> None:
        self.count += 1
        await target.click()


async def test_a_form_of_three_questions_is_shared_with_seven_clicks(desktop: WatchedPage, designer: Designer) -> None:
    page, mouse = desktop.page, Clicks()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto(f"{designer.url}/forms")
    await mouse.click(page.get_by_role("link", name="New form"))
    await page.get_by_label("Name").fill("Three questions")
    await mouse.click(page.get_by_role("button", name="Create blank form"))
    question = page.get_by_label("Question", exact=True)
    await expect(question).to_be_focused()
    await page.keyboard.type("Where?")
    await mouse.click(page.get_by_role("group", name="Add").get_by_role("button", name="Short text"))
    await expect(question).to_be_focused()
    await page.keyboard.type("What?")
    await mouse.click(page.get_by_role("group", name="Add").get_by_role("button", name="Rating"))
    await page.keyboard.type("How bad?")
    await expect(row(page, "How bad?")).to_be_visible()
    await mouse.click(page.get_by_role("button", name="Publish"))
    await mouse.click(page.get_by_role("dialog").get_by_role("button", name="Publish"))
    await expect(page.get_by_text("Published. Anyone with the link can respond.")).to_be_visible()
    await mouse.click(page.get_by_role("button", name="Copy link"))
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert mouse.count <= MAX_CLICKS

    link = await page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{designer.url}/fill/f")
    await page.goto(link)
    for name in ("Where?", "What?"):
        await expect(page.get_by_role("textbox", name=name)).to_be_visible()
    await expect(page.get_by_text("How bad?")).to_be_visible()
    assert desktop.errors == []


@pytest.mark.slow
async def test_the_link_as_a_code_a_poster_an_email_and_a_preview(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await axe.bring(page)
    form = designer.create_form(FIELDS, "Round & round", description="Each week")
    link = f"{designer.url}{form['fillPath']}"
    await page.goto(f"{designer.url}/forms/{form['id']}/share")
    preview = page.frame_locator("iframe[title='The form on a phone']")
    await preview.get_by_role("textbox", name="Site").fill("Pier")
    await preview.get_by_role("button", name="Submit").click()
    assert await axe.faults(page) == []

    address = await page.get_by_role("link", name="Email link").get_attribute("href")
    assert address
    email = parse_qs(urlsplit(address).query)
    assert email["subject"] == ["Round & round"]
    assert link in email["body"][0].splitlines()
    for kind in ("PNG", "SVG"):
        async with page.expect_download() as download:
            await page.get_by_role("link", name=f"Download {kind}").click()
        content = (await (await download.value).path()).read_bytes()
        assert content.startswith({"PNG": b"\x89PNG\r\n", "SVG": b"<svg"}[kind])
    svg = await (await page.request.get(f"{designer.url}/forms/{form['id']}/share/qr.svg")).text()
    assert _dark_modules(svg) == _dark_modules(segno.make_qr(link, error="m").svg_inline(border=4))

    await page.get_by_role("link", name="Poster").click()
    await expect(page.get_by_text(link)).to_be_visible()
    await expect(page.get_by_role("heading", name="Round & round")).to_be_visible()
    width = await page.get_by_role("img", name="QR code of the link").evaluate("image => image.naturalWidth")
    assert width > 300
    await page.evaluate("window.print = () => (document.title = 'Printed')")
    await page.get_by_role("button", name="Print").click()
    await expect(page).to_have_title("Printed")
    assert await axe.faults(page) == []
    assert designer.call_api("GET", f"/submissions?formId={form['id']}")["items"] == [], "the preview submits nothing"
    assert desktop.errors == []


def _dark_modules(svg: str) -> str:
    """Return the path that draws the dark modules of a QR code; that of the background is a rectangle."""
    return max(re.findall(r' d="([^"]+)"', svg), key=len)


async def test_a_draft_is_published_with_one_click(desktop: WatchedPage, designer: Designer) -> None:
    page, form = desktop.page, designer.create_form(FIELDS, publish=False)
    await page.goto(f"{designer.url}/forms/{form['id']}/share")
    await page.get_by_role("button", name="Publish and create link").click()
    await expect(page.get_by_label("Link to the form")).to_have_value(f"{designer.url}{form['fillPath']}")
    assert designer.newest_version(form["id"])["status"] == "FINAL"
    assert desktop.errors == []
