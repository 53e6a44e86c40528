"""If a link temporarily accepts no submissions, the page says so, keeps the answers and sends them after the wait."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fixtures.fill_pages import PICTURE, SITE, AccountApi, Phone, PlainServer
from fixtures.server_process import eventually
from playwright.async_api import Page, Route, expect

BUSY = "This form can’t accept more responses right now."
PHOTO = {"name": "photos", "type": "photo"}


@pytest_asyncio.fixture(loop_scope="session")
async def limited_api(tmp_path: Path) -> AsyncIterator[AccountApi]:
    """An account on a server that accepts one submission per link and day."""
    server = PlainServer(tmp_path, INSECURE_HTTP="1", LINK_DAILY_SUBMISSIONS="1", LOG_LEVEL="error")
    try:
        demo = server.demo()
        await server.start()
        async with server.client(**{"x-api-key": demo["apiKey"]}) as http:
            yield AccountApi(server, demo["customerId"], http)
    finally:
        server.close()


async def _fill(page: Page, text: str) -> None:
    await page.get_by_label("Site").fill(text)
    await page.get_by_role("button", name="Submit").click()


@pytest.mark.slow
async def test_the_page_reports_an_exhausted_link_and_keeps_the_answers(limited_api: AccountApi, phone: Phone) -> None:
    form = await limited_api.create_form(SITE)
    page = await phone.open(form.url)
    await _fill(page, "Pier")
    await page.get_by_role("heading", name="Thank you").wait_for()
    await page.get_by_role("button", name="Submit another response").click()
    await _fill(page, "Quay")
    await page.get_by_role("heading", name="Saved").wait_for()
    await page.get_by_text(BUSY).wait_for()
    await page.get_by_text("1 response waiting to be submitted").wait_for()
    await page.close()
    page = await phone.open(form.url)
    await page.get_by_text("1 response waiting to be submitted").click()
    await expect(page.locator("#waiting")).to_contain_text("Waiting to be submitted")
    assert [one["data"]["site"] for one in await form.submissions()] == ["Pier"]
    phone.ignore_errors("429", "503")


@pytest.mark.slow
@pytest.mark.parametrize(("status", "code"), [(429, "fill.quota_exceeded"), (503, "storage.full")])
async def test_answers_are_kept_and_sent_again_after_retry_after_only(
    api: AccountApi, phone: Phone, status: int, code: str
) -> None:
    form = await api.create_form(SITE, PHOTO)
    page = await phone.open(form.url)
    asked: list[str] = []

    async def refuse(route: Route) -> None:
        asked.append(route.request.url)
        headers = {"retry-after": "40", "content-type": "application/problem+json"}
        await route.fulfill(status=status, headers=headers, json={"code": code})

    await page.clock.install()
    await page.context.route("**/files?*", refuse)
    await page.context.route("**/submissions/*", refuse)
    await page.get_by_label("Site").fill("Pier")
    await page.locator("input[type=file]").first.set_input_files(PICTURE)
    await page.get_by_text("Saved on this device; uploads when you submit").wait_for()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text(BUSY).wait_for()
    await page.context.unroute("**/files?*")
    await page.context.unroute("**/submissions/*")
    await page.clock.run_for(39_000)
    assert await form.submissions() == []
    await page.clock.run_for(3000)
    [one] = await form.wait_for_submissions(1)
    assert (one["data"]["site"], len(one["data"]["photos"])) == ("Pier", 1)
    await page.get_by_role("heading", name="Thank you").wait_for()
    assert asked
    phone.ignore_errors("429", "503")


@pytest.mark.slow
async def test_pending_submissions_do_not_hammer_a_busy_link(api: AccountApi, phone: Phone) -> None:
    form, other = await api.create_form(SITE), await api.create_form(SITE)
    page = await phone.open(form.url)
    sent: list[str] = []

    async def refuse(route: Route) -> None:
        request = route.request
        if request.method == "POST":
            sent.append(request.url)
        await route.fulfill(status=429, headers={"retry-after": "60"}, json={"code": "fill.rate_exceeded"})

    await page.context.route("**/submissions/*", refuse)
    for text in ("One", "Two", "Three"):
        await _fill(page, text)
        await page.get_by_text(BUSY).wait_for()
        await page.get_by_role("button", name="Submit another response").click()
    await page.get_by_text("3 responses waiting to be submitted").wait_for()
    sent.clear()
    beside = await phone.open(other.url)
    await eventually(lambda: _true(len(sent) >= 1), 20)
    assert len(sent) == 1, "only one request per link is sent"
    await page.context.unroute("**/submissions/*")
    await _fill(beside, "Else")
    await other.wait_for_submissions(1)
    await page.reload()
    found = await form.wait_for_submissions(3)
    assert {one["data"]["site"] for one in found} == {"One", "Two", "Three"}
    phone.ignore_errors("429", "503")


async def _true(value: bool) -> bool:
    return value


@pytest.mark.slow
async def test_a_cached_page_opens_while_the_link_is_busy(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await page.context.route(form.url, lambda route: route.fulfill(status=429, body="busy"))
    await page.reload()
    await page.get_by_label("Site").wait_for()
    phone.ignore_errors("429", "503")
