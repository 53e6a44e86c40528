"""No answer is lost or submitted twice: without a network, after closing the page, after killing the server."""

import asyncio
import uuid
from typing import Any

import pytest
from fixtures.device_storage import add_record, change_oldest_record
from fixtures.fill_pages import SITE, AccountApi, Phone, send, set_offline
from fixtures.server_process import eventually
from playwright.async_api import Page, Route, expect


def rejected_entry(base: str, version_id: str, site: str, *, data: dict[str, str]) -> dict[str, Any]:
    """A submission in the outbox that the server has rejected."""
    answers = {"data": data, "draft": {"site": site}, "rows": {}}
    problem = {"kind": "closed"}
    return {"id": str(uuid.uuid4()), "base": base, "versionId": version_id, **answers, "at": 1, "problem": problem}


async def fill_and_send(page: Page, text: str) -> None:
    await page.get_by_label("Site").fill(text)
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await page.get_by_text("It will be submitted when you’re back online.").wait_for()


async def test_typed_answers_are_restored_after_a_reload(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, {"name": "safe", "type": "boolean"})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_text("No", exact=True).click()
    await page.close()
    page = await phone.open(form.url)
    assert await page.get_by_label("Site").input_value() == "Pier"
    assert await page.get_by_role("radio", name="No").is_checked()


@pytest.mark.slow
async def test_the_draft_becomes_the_submission(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("status").get_by_text("Saved").wait_for()
    [draft] = await form.submissions("STARTED")
    await send(page)
    [ended] = await form.submissions()
    assert (draft["id"], draft["data"]) == (ended["id"], ended["data"])


async def test_a_form_is_opened_and_filled_in_offline_and_sent_later(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, {"name": "length", "type": "integer", "visibleIf": "site == 'Pier'"})
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await page.close()
    await set_offline(phone.context)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_label("Length").fill("12")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await page.get_by_text("1 response waiting to be submitted").wait_for()
    await set_offline(phone.context, off=False)
    [one] = await form.wait_for_submissions(1)
    assert one["data"] == {"site": "Pier", "length": 12}
    await expect(page.get_by_text("1 response waiting to be submitted")).to_be_hidden()
    await page.get_by_role("heading", name="Thank you").wait_for()
    await page.get_by_text("Your response has been received.").wait_for()
    assert await page.locator("#thanks.is-waiting").count() == 0
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_pattern_is_checked_offline(api: AccountApi, phone: Phone) -> None:
    """The browser's own regular expressions would take exponential time to reject the first text."""
    form = await api.create_form(
        {"name": "site", "type": "text", "pattern": r"^(\p{Lu}+\d?)+$"},
        {"name": "length", "type": "integer", "visibleIf": "site.matches('^P')"},
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await page.close()
    await set_offline(phone.context)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("P" * 60 + "!")
    await page.get_by_label("Length").fill("12")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="1 answer needs attention").wait_for()
    await page.get_by_label("Site").fill("PÉ1")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await set_offline(phone.context, off=False)
    [one] = await form.wait_for_submissions(1)
    assert one["data"] == {"site": "PÉ1", "length": 12}
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_new_version_is_cached_with_its_files_while_the_old_page_is_shown(
    api: AccountApi, phone: Phone
) -> None:
    """On a slow network, the cached page is shown while the new one, which loads other files, is being cached."""
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await api.publish(form, SITE, {"name": "metres", "type": "integer", "visibleIf": "site == 'Pier'"})
    await page.evaluate(
        """async () => {
          const { active } = await navigator.serviceWorker.ready;
          active.postMessage({ keep: { page: location.pathname, files: ["/static/0123456789ab/gone.js"] } });
        }"""
    )
    await eventually(
        lambda: page.evaluate(
            "caches.match(location.pathname).then((kept) => kept.text()).then((text) => text.includes('metres'))"
        )
    )
    await set_offline(phone.context)
    await page.close()
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_label("Metres").wait_for()
    phone.ignore_errors("404")


async def test_pending_submissions_are_sent_once_each_after_the_page_was_closed(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    for number in range(3):
        await fill_and_send(page, f"Pier {number}")
        await page.get_by_role("button", name="Submit another response").click()
        assert await page.get_by_label("Site").input_value() == ""
    await page.get_by_text("3 responses waiting to be submitted").wait_for()
    await page.close()
    await set_offline(phone.context, off=False)
    again, other = await asyncio.gather(phone.open(form.url), phone.open(form.url))
    found = await form.wait_for_submissions(3)
    assert sorted(one["data"]["site"] for one in found) == ["Pier 0", "Pier 1", "Pier 2"]
    for page in (again, other):
        await expect(page.locator("#waiting")).to_be_hidden()
    await expect(again.get_by_text("A saved response was submitted")).to_be_visible()
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_frozen_page_continues_to_work(api: AccountApi, phone: Phone) -> None:
    """Some browsers close the database connections of a frozen page, which is noticed only on the next use."""
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.evaluate(
        """() => {
          const { transaction } = IDBDatabase.prototype;
          let closed = null;
          IDBDatabase.prototype.transaction = function (...all) {
            closed ??= this;
            if (closed === this) throw new DOMException("The database connection is closing.", "InvalidStateError");
            return transaction.apply(this, all);
          };
        }"""
    )
    await set_offline(phone.context)
    await fill_and_send(page, "Pier")
    await set_offline(phone.context, off=False)
    assert [one["data"] for one in await form.wait_for_submissions(1)] == [{"site": "Pier"}]
    phone.ignore_errors()


@pytest.mark.slow
async def test_the_page_says_when_the_device_cannot_store_answers(api: AccountApi, phone: Phone) -> None:
    await phone.context.add_init_script(
        """
        Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError"); };
        IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError"); };
        """
    )
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.context.route("**/submissions/*", lambda route: route.abort())
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("status").get_by_text("Not saved on this device").wait_for()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("this device can’t save your answers. Keep this page open").wait_for()
    assert await page.locator("#state").inner_text() == "Not saved on this device"
    await phone.context.unroute_all()
    await send(page)
    assert await form.data() == {"site": "Pier"}
    phone.ignore_errors()


async def test_a_lost_response_does_not_create_a_second_submission(api: AccountApi, phone: Phone) -> None:
    """The server stored the submission, but the response is lost, so the page sends it again."""
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    lost: list[str] = []

    async def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            await route.continue_()
        else:
            lost.append((await route.fetch()).headers["x-request-id"])
            await route.abort()

    await phone.context.route("**/submissions/*", lose)
    await fill_and_send(page, "Pier")
    assert len(await form.submissions()) == 1
    await page.reload()
    await expect(page.locator("#waiting")).to_be_hidden()
    assert len(lost) == 1
    assert len(await form.submissions()) == 1
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_second_click_that_ends_after_the_submission_does_not_create_another(
    api: AccountApi, phone: Phone
) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    button = page.get_by_role("button", name="Submit")
    await button.hover()
    await page.mouse.down()
    await button.press("Enter")
    await page.get_by_role("heading", name="Thank you").wait_for()
    await page.mouse.up()
    await page.get_by_role("button", name="Submit another response").click()
    await page.get_by_label("Site").fill("Pier 2")
    await send(page)
    assert sorted(one["data"]["site"] for one in await form.wait_for_submissions(2)) == ["Pier", "Pier 2"]


async def test_a_server_killed_during_a_submission_stores_it_once(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)

    async def kill(route: Route) -> None:
        asyncio.get_running_loop().call_later(0.002, api.server.kill)
        await route.continue_()

    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("status").get_by_text("Saved").wait_for()
    await phone.context.route("**/submissions/*", kill, times=1)
    await page.get_by_role("button", name="Submit").click()
    await page.locator("#thanks").wait_for()
    await page.close()
    await api.server.start()
    await phone.open(form.url)
    [one] = await form.wait_for_submissions(1)
    assert one["data"] == {"site": "Pier"}
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_request_rejected_by_a_proxy_as_too_large_is_reported(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.context.route("**/submissions/*", lambda route: route.fulfill(status=413, body="<h1>Too large</h1>"))
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("Couldn’t submit. Your answers are saved on this device.").wait_for()
    phone.ignore_errors("413")


@pytest.mark.slow
async def test_a_404_of_a_proxy_does_not_count_as_the_servers_response(api: AccountApi, phone: Phone) -> None:
    """Some proxies return it while the server restarts. Pending submissions keep waiting, and the page stays cached."""
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await phone.context.route(
        "**/submissions/*",
        lambda route: route.fulfill(status=404, body="404 page not found", content_type="text/plain"),
    )
    await fill_and_send(page, "Pier")
    await page.reload()
    await page.get_by_text("1 response waiting to be submitted").wait_for()
    assert await page.get_by_role("button", name="Open").count() == 0
    await phone.context.unroute_all()
    await page.reload()
    assert [one["data"] for one in await form.wait_for_submissions(1)] == [{"site": "Pier"}]
    phone.ignore_errors("404")


async def test_a_submission_rejected_later_can_be_opened_and_corrected(api: AccountApi, phone: Phone) -> None:
    """A cached page may check less than the server. Here, the check of the page is removed."""
    form = await api.create_form({"name": "site", "type": "text", "pattern": "^[A-Z]$"})
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_label("Site").fill("A")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await change_oldest_record(page, "submissions", {"data": {"site": "a"}, "draft": {"site": "a"}})
    await page.close()
    await set_offline(phone.context, off=False)
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_label("Site")).to_have_value("a")
    await page.get_by_label("Site").fill("B")
    await send(page)
    assert await form.data() == {"site": "B"}
    phone.ignore_errors("422")


@pytest.mark.slow
async def test_a_rejected_submission_opens_after_the_current_answers_are_discarded(
    api: AccountApi, phone: Phone
) -> None:
    """This includes a form with calculated answers, which cannot be cleared."""
    rows = {"name": "rows", "type": "repeat", "min": 1, "fields": [{"name": "what", "type": "text"}]}
    count = {"name": "count", "type": "integer", "calculate": "size(rows)"}
    form = await api.create_form(SITE, {"name": "by", "type": "text", "default": "Ann"}, rows, count)
    page = await phone.open(form.url)
    version_id = await page.evaluate("JSON.parse(document.getElementById('form-data').textContent).versionId")
    base = form.url.removeprefix(api.server.base_url)
    await add_record(page, "submissions", rejected_entry(base, version_id, "Quay", data={}))
    await page.reload()
    await page.get_by_label("Site").fill("x")
    await page.get_by_role("button", name="Open").click()
    await page.get_by_text("Submit the form you’re filling in first.").wait_for()
    await page.get_by_label("Site").fill("")
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_label("Site")).to_have_value("Quay")


@pytest.mark.slow
async def test_a_rejected_submission_does_not_block_others_if_the_device_is_full(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await set_offline(phone.context)
    for site in ("Pier", "Quay"):
        await fill_and_send(page, site)
        await page.get_by_role("button", name="Submit another response").click()
    await change_oldest_record(page, "submissions", {"data": {}})
    await page.evaluate(
        """() => { IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); }; }"""
    )
    await set_offline(phone.context, off=False)
    assert [one["data"] for one in await form.wait_for_submissions(1)] == [{"site": "Quay"}]
    phone.ignore_errors("422")


@pytest.mark.slow
async def test_a_rejected_submission_can_be_opened_during_a_correction(api: AccountApi, phone: Phone) -> None:
    """It does not become part of the correction. If the device cannot store it, it stays in the outbox."""
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    async with page.expect_request(lambda asked: asked.method == "POST") as asking:
        await send(page)
    client_id = (await asking.value).url.rpartition("/")[2]
    [one] = await form.submissions()
    path = f"/api/v1.0/customers/{api.customer_id}/submissions/{one['id']}"
    assert (await api.http.put(path, json={"status": "REJECTED"})).is_success
    base = form.url.removeprefix(api.server.base_url)
    await add_record(page, "submissions", rejected_entry(base, one["versionId"], "Quay", data={"site": "Quay"}))
    page = await phone.open(f"{form.url}?again={client_id}")
    await page.evaluate(
        "() => { self.set = Storage.prototype.setItem; Storage.prototype.setItem = () => { throw 1; }; }"
    )
    await page.get_by_role("button", name="Open").click()
    await page.locator("#banner").get_by_text("Not saved on this device").wait_for()
    await page.evaluate("() => { Storage.prototype.setItem = self.set; }")
    await page.get_by_role("button", name="Open").click()
    await page.wait_for_url(form.url)
    await expect(page.get_by_label("Site")).to_have_value("Quay")
    page = await phone.open(f"{form.url}?again={client_id}")
    await expect(page.get_by_label("Site")).to_have_value("Pier")


@pytest.mark.slow
async def test_a_submission_rejected_later_is_no_longer_shown_as_pending(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await fill_and_send(page, "Pier")
    await form.set_status("ARCHIVED")
    await set_offline(phone.context, off=False)
    await page.get_by_text("This form is closed.").wait_for()
    await page.get_by_role("heading", name="Not accepted").wait_for()
    assert await page.get_by_text("It will be submitted when you’re back online.").count() == 0
    assert await page.locator("#waiting summary").inner_text() == "Not accepted: 1"
    phone.ignore_errors("404", "409")


@pytest.mark.slow
async def test_the_page_of_a_closed_form_shows_its_pending_submissions(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await fill_and_send(page, "Pier")
    await page.close()
    await form.set_status("ARCHIVED")
    await set_offline(phone.context, off=False)
    page = await phone.context.new_page()
    await page.goto(form.url)
    await page.get_by_role("heading", name="This form isn’t available").wait_for()
    await page.get_by_text("Not accepted: This form is closed.").wait_for()
    await page.get_by_text("Your answers are saved on this device.").wait_for()
    assert await page.get_by_role("button", name="Open").count() == 0
    # After the form is opened again, the submission can be sent.
    await form.set_status("ACTIVE")
    await page.goto(form.url)
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_label("Site")).to_have_value("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
    phone.ignore_errors("404", "409")


@pytest.mark.slow
async def test_a_submission_keeps_the_version_it_was_started_with(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("status").get_by_text("Saved").wait_for()
    await api.publish(form, {"name": "other", "type": "text"})
    await page.goto(form.url)
    await expect(page.get_by_label("Site")).to_have_value("Pier")
    await send(page)
    await page.get_by_role("button", name="Submit another response").click()
    await page.get_by_label("Other").wait_for()
    assert await form.data() == {"site": "Pier"}
