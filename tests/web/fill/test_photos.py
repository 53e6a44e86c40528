"""Photos without a network: kept on the device, sent up once, and with the form they belong to."""

import asyncio
from typing import Any

from fixtures.fill_pages import PICTURE, SITE, Desk, Form, Phone, choose, cut, draw, send
from fixtures.server_process import eventually
from playwright.async_api import FilePayload, Page, Route, expect


async def test_pictures_taken_without_a_network_go_along(desk: Desk, phone: Phone) -> None:
    form = await desk.form(
        {"name": "photos", "type": "photo", "required": True}, {"name": "sign", "type": "signature", "required": True}
    )
    page = await phone.open(form.url)
    await phone.kept(page)
    await cut(phone.context)
    await choose(page)
    await draw(page)
    await page.reload()
    await page.get_by_role("img", name="Photo 1").wait_for()
    one = await _sent_later(page, phone, form)
    assert [*one["data"]["photos"], one["data"]["sign"]] == [
        file["id"] for file in sorted(await _files(desk, one), key=lambda file: str(file["name"]) != "a.png")
    ]
    phone.forgive()


async def test_a_photo_for_which_the_device_has_no_room_is_not_said_to_be_saved(desk: Desk, phone: Phone) -> None:
    """It is there as long as the page is; in the outbox it would be a name without a file once the page is closed."""
    form = await desk.form(SITE, {"name": "photos", "type": "photo"})
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
    await cut(phone.context)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Not saved on this device").wait_for()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("this device can’t save your answers. Keep this page open").wait_for()
    assert await page.evaluate("self.formwright.store.all('submissions')") == []
    # There is room again: then it waits like all others.
    await page.evaluate("self.full = false")
    one = await _sent_later(page, phone, form)
    assert one["data"]["photos"] == [file["id"] for file in await _files(desk, one)]
    phone.forgive()


async def test_a_photo_that_the_server_has_cleared_away_goes_up_once_more(desk: Desk, phone: Phone) -> None:
    """It went up and was named by nothing for a day, since the network was gone again: the device has it still."""
    form = await desk.form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Uploaded").wait_for()
    await page.evaluate(
        """async () => {
          const { store } = self.formwright;
          const [file] = await store.all("files");
          await store.put("files", { ...file, fileId: "fil_01m7z1fcbwef0vwstq00gm76p5" });
        }"""
    )
    await send(page)
    [one] = await form.arrived(1)
    assert one["data"]["photos"] == [file["id"] for file in await _files(desk, one)]
    phone.forgive("422")


async def test_no_photo_of_a_hidden_field_stays_on_the_device(desk: Desk, phone: Phone) -> None:
    form = await desk.form(SITE, {"name": "photos", "type": "photo", "visibleIf": "site == 'Pier'"})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await choose(page)
    await page.get_by_text("Uploaded").wait_for()
    await page.get_by_label("Site").fill("Quay")
    await send(page)
    assert await form.data() == {"site": "Quay"}
    assert await page.evaluate("self.formwright.store.all('files')") == []


async def test_the_photos_of_a_row_leave_the_device_with_it(desk: Desk, phone: Phone) -> None:
    form = await desk.form({"name": "rows", "type": "repeat", "fields": [SITE, {"name": "photos", "type": "photo"}]})
    page = await phone.open(form.url)
    for number, site in enumerate(("Pier", "Quay")):
        await page.get_by_role("button", name="Add new").click()
        await page.get_by_label("Site").nth(number).fill(site)
        await choose(page)
        await page.get_by_text("Uploaded").nth(number).wait_for()
    page.once("dialog", lambda asked: asked.accept())
    await page.get_by_role("button", name="Remove", exact=True).first.click()
    await expect(page.get_by_label("Site")).to_have_count(1)
    await eventually(lambda: page.evaluate("self.formwright.store.all('files').then(({ length }) => length === 1)"))
    await page.reload()
    await page.get_by_role("img", name="Photo 1").wait_for()
    await send(page)
    [row] = (await form.data())["rows"]
    assert (row["site"], len(row["photos"])) == ("Quay", 1)


async def hanging_photo(page: Page) -> None:
    """Chosen, and on its way to a server that says nothing."""
    under_way = asyncio.Event()

    async def hang(_: Route) -> None:
        under_way.set()

    await page.context.route("**/files?*", hang, times=1)
    await choose(page)
    await under_way.wait()


async def test_a_photo_that_is_still_being_made_smaller_goes_along(desk: Desk, phone: Phone) -> None:
    """And the place that is being looked for: they had come after the form was sent, and gone into the next one."""
    form = await desk.form(SITE, {"name": "photos", "type": "photo"}, {"name": "place", "type": "location"})
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


async def test_a_photo_that_was_removed_while_it_went_up_makes_way(desk: Desk, phone: Phone) -> None:
    """One thing goes up at a time, and a photo has minutes: what is sent must not wait for one that is not wanted."""
    form = await desk.form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await hanging_photo(page)
    await page.get_by_role("button", name="Remove Photo 1").click()
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
    assert await page.evaluate("self.formwright.store.all('files')") == []
    phone.forgive()


async def test_what_goes_up_as_the_network_goes_away_is_kept_at_once(desk: Desk, phone: Phone) -> None:
    form = await desk.form(SITE, {"name": "photos", "type": "photo"})
    page = await phone.open(form.url)
    await hanging_photo(page)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Submit").click()
    await cut(phone.context)
    await page.get_by_role("heading", name="Saved").wait_for()
    await cut(phone.context, off=False)
    [one] = await form.arrived(1)
    assert one["data"]["photos"] == [file["id"] for file in await _files(desk, one)]
    phone.forgive()


async def _sent_later(page: Page, phone: Phone, form: Form) -> dict[str, Any]:
    """Send the form without a network, and open it when there is one again; what came in."""
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    await page.close()
    await cut(phone.context, off=False)
    await phone.open(form.url)
    [one] = await form.arrived(1)
    return one


async def _files(desk: Desk, submission: dict[str, Any]) -> list[dict[str, Any]]:
    path = f"/api/v1.0/customers/{submission['customerId']}/submissions/{submission['id']}/files"
    found: list[dict[str, Any]] = (await desk.http.get(path)).json()["items"]
    return found
