"""Photos taken offline are stored on the device, uploaded once, and submitted with their form."""

import asyncio
from typing import Any

import pytest
from fixtures.device_storage import change_oldest_record, read_records
from fixtures.fill_pages import PICTURE, SITE, AccountApi, Form, Phone, choose, draw, send, set_offline
from fixtures.server_process import eventually
from playwright.async_api import FilePayload, Page, Route, expect


async def test_photos_taken_offline_are_submitted(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "photos", "type": "photo", "required": True}, {"name": "sign", "type": "signature", "required": True}
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await choose(page)
    await draw(page)
    await page.reload()
    await page.get_by_role("img", name="Photo 1").wait_for()
    one = await _submit_offline(page, phone, form)
    assert [*one["data"]["photos"], one["data"]["sign"]] == [
        file["id"] for file in sorted(await _files(api, one), key=lambda file: str(file["name"]) != "a.png")
    ]
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_photo_that_the_device_cannot_store_is_not_reported_as_saved(api: AccountApi, phone: Phone) -> None:
    """It exists only while the page is open. In the outbox, it would be a name without a file once the page closes."""
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await page.evaluate(
        """() => {
          const { put } = IDBObjectStore.prototype;
          IDBObjectStore.prototype.put = function (record) {
            if (self.full !== false && this.name === "files") throw new DOMException("", "QuotaExceededError");
            return put.call(this, record);
          };
        }"""
    )
    await set_offline(phone.context)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Not saved on this device").wait_for()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("this device can’t save your answers. Keep this page open").wait_for()
    assert await read_records(page, "submissions") == []
    # There is space again, so this submission is stored in the outbox like all others.
    await page.evaluate("self.full = false")
    one = await _submit_offline(page, phone, form)
    assert one["data"]["photos"] == [file["id"] for file in await _files(api, one)]
    phone.ignore_errors()


@pytest.mark.slow
async def test_a_photo_that_the_server_has_deleted_is_uploaded_again(api: AccountApi, phone: Phone) -> None:
    """The network failed after the upload, and the server deletes unused files after a day. The device still has it."""
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Uploaded").wait_for()
    await change_oldest_record(page, "files", {"fileId": "fil_01m7z1fcbwef0vwstq00gm76p5"})
    await send(page)
    [one] = await form.wait_for_submissions(1)
    assert one["data"]["photos"] == [file["id"] for file in await _files(api, one)]
    phone.ignore_errors("422")


@pytest.mark.slow
async def test_photos_of_hidden_fields_are_removed_from_the_device(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, {"name": "photos", "type": "photo", "visibleIf": "site == 'Pier'"})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Uploaded").wait_for()
    await page.get_by_label("Site").fill("Quay")
    await send(page)
    assert await form.data() == {"site": "Quay"}
    assert await read_records(page, "files") == []


@pytest.mark.slow
async def test_photos_of_a_removed_row_are_removed_from_the_device(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "rows", "type": "repeat", "fields": [SITE, {"name": "photos", "type": "photo"}]}
    )
    page = await phone.open(form.url)
    for number, site in enumerate(("Pier", "Quay")):
        await page.get_by_role("button", name="Add new").click()
        await page.get_by_label("Site").nth(number).fill(site)
        await choose(page)
        await page.get_by_text("Uploaded").nth(number).wait_for()
    page.once("dialog", lambda asked: asked.accept())
    await page.get_by_role("button", name="Remove", exact=True).first.click()
    await expect(page.get_by_label("Site")).to_have_count(1)

    async def has_one_file() -> bool:
        return len(await read_records(page, "files")) == 1

    await eventually(has_one_file)
    await page.reload()
    await page.get_by_role("img", name="Photo 1").wait_for()
    await send(page)
    [row] = (await form.data())["rows"]
    assert (row["site"], len(row["photos"])) == ("Quay", 1)


async def start_hanging_upload(page: Page) -> None:
    """Choose a photo, whose upload the server never answers."""
    under_way = asyncio.Event()

    async def hang(_: Route) -> None:
        under_way.set()

    await page.context.route("**/files?*", hang, times=1)
    await choose(page)
    await under_way.wait()


@pytest.mark.slow
async def test_a_photo_that_is_still_being_resized_is_submitted(api: AccountApi, phone: Phone) -> None:
    """The same goes for a location that is still being measured. Both used to end up in the next form."""
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"}, {"name": "place", "type": "location"})
    await phone.context.add_init_script(
        """
        const later = (act) => (...all) => setTimeout(() => act(...all), 1000);
        const make = self.createImageBitmap;
        self.createImageBitmap = (file) => new Promise((resolve) => setTimeout(resolve, 1000)).then(() => make(file));
        const { geolocation } = navigator;
        const ask = geolocation.getCurrentPosition.bind(geolocation);
        geolocation.getCurrentPosition = (found, ...more) => ask(later(found), ...more);
        """
    )
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    heavy: FilePayload = {**PICTURE, "buffer": PICTURE["buffer"] + bytes(4 * 2**20)}
    await page.get_by_role("button", name="Use my location").click()
    await choose(page, heavy)
    await send(page)
    data = await form.data()
    assert (len(data["photos"]), data["place"]["accuracy"]) == (1, 12)
    assert "photos" not in await page.evaluate("JSON.stringify(localStorage)")


@pytest.mark.slow
async def test_a_photo_removed_during_its_upload_does_not_delay_the_submission(api: AccountApi, phone: Phone) -> None:
    """There is one upload at a time, with a timeout of minutes. Submitting must not wait for an unused photo."""
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await start_hanging_upload(page)
    await page.get_by_role("button", name="Remove Photo 1").click()
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
    assert await read_records(page, "files") == []
    phone.ignore_errors()


@pytest.mark.slow
async def test_an_upload_interrupted_by_losing_the_network_is_stored_at_once(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await start_hanging_upload(page)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Submit").click()
    await set_offline(phone.context)
    await page.get_by_role("heading", name="Saved").wait_for()
    await set_offline(phone.context, off=False)
    [one] = await form.wait_for_submissions(1)
    assert one["data"]["photos"] == [file["id"] for file in await _files(api, one)]
    phone.ignore_errors()


async def _submit_offline(page: Page, phone: Phone, form: Form) -> dict[str, Any]:
    """Submit the form offline, open it online, and return the submission that arrives."""
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await page.close()
    await set_offline(phone.context, off=False)
    await phone.open(form.url)
    [one] = await form.wait_for_submissions(1)
    return one


async def _files(api: AccountApi, submission: dict[str, Any]) -> list[dict[str, Any]]:
    path = f"/api/v1.0/customers/{submission['customerId']}/submissions/{submission['id']}/files"
    found: list[dict[str, Any]] = (await api.http.get(path)).json()["items"]
    return found
