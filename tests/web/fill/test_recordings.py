"""Sound and videos: recorded on the page, or chosen as files."""

import pytest
from fixtures.accounts import Person
from fixtures.fill_pages import AccountApi, Phone, choose, send, set_offline
from playwright.async_api import FilePayload, expect

# The machine has neither a microphone nor a camera.
DEVICES = """
navigator.mediaDevices.getUserMedia = async ({ video }) => {
  if (globalThis.refused) throw new DOMException("", "NotAllowedError");
  const context = new AudioContext();
  const tone = context.createOscillator();
  const stream = context.createMediaStreamDestination();
  tone.connect(stream);
  tone.start();
  if (!video) return stream.stream;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, Math.random() * 300, 100), 50);
  return new MediaStream([...canvas.captureStream(20).getTracks(), ...stream.stream.getTracks()]);
};"""
WAVE: FilePayload = {"name": "bell.wav", "mimeType": "audio/wav", "buffer": b"RIFF\x24\0\0\0WAVEfmt " + bytes(24)}


@pytest.mark.slow
async def test_recordings_made_offline_are_submitted_and_played(
    api: AccountApi, desktop: Phone, account: Person
) -> None:
    form = await api.create_form({"name": "sound", "type": "audio", "maxFiles": 2}, {"name": "clip", "type": "video"})
    await desktop.context.add_init_script(DEVICES)
    page = await desktop.open(form.url)
    await desktop.wait_until_cached(page)
    await set_offline(desktop.context)
    sound, clip = page.locator('[data-name="sound"]'), page.locator('[data-name="clip"]')
    await page.evaluate("globalThis.refused = true")
    await sound.get_by_role("button", name="Record audio").click()
    await expect(sound.get_by_text("Couldn’t record.")).to_be_visible()
    await page.evaluate("globalThis.refused = false")

    await sound.get_by_role("button", name="Record audio").click()
    await expect(sound.get_by_text("Recording: 0:0")).to_be_visible()
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("Stop the recording first.")
    await sound.get_by_role("button", name="Stop recording").click()
    await expect(sound.locator("audio")).to_have_count(1)
    await choose(page, WAVE, button="Choose audio file")
    await expect(sound.get_by_role("button", name="Record audio")).to_be_hidden()
    await clip.get_by_role("button", name="Record video").click()
    # A recording that is stopped before its first part arrives can be empty.
    await expect(clip.get_by_text("Recording: 0:0")).to_be_visible()
    await page.get_by_role("dialog").get_by_role("button", name="Stop recording").click()
    await expect(clip.locator("video")).to_have_count(1)
    await page.reload()
    await expect(sound.locator("audio")).to_have_count(2)
    await set_offline(desktop.context, off=False)
    await send(page)

    [one] = await form.submissions()
    path = f"/api/v1.0/customers/{api.customer_id}/submissions/{one['id']}/files"
    files = (await api.http.get(path)).json()["items"]
    types = {file["id"]: file["type"] for file in files}
    named = [types[file] for file in [*one["data"]["sound"], *one["data"]["clip"]]]
    assert named == ["audio/webm", "audio/wav", "video/webm"]
    await account.sign_in_browser(page)
    await page.goto(account.path(f"/submissions/{one['id']}"))
    load = "(one) => new Promise((done) => ((one.onloadedmetadata = () => done(one.readyState)), one.load()))"
    for player in (page.locator("audio").first, page.locator("video")):
        await player.evaluate("(one) => (one.preload = 'metadata')")
        assert await player.evaluate(load) >= 1
    desktop.ignore_errors()


async def test_other_files_are_refused(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"name": "sound", "type": "audio"})
    page = await phone.open(form.url)
    await choose(page, {**WAVE, "name": "bell.pdf", "mimeType": "application/pdf"}, button="Choose audio file")
    await expect(page.get_by_text("This field doesn’t accept this file type.")).to_be_visible()
    phone.ignore_errors("422")


async def test_empty_recordings_and_files_are_not_added(api: AccountApi, desktop: Phone) -> None:
    form = await api.create_form({"name": "sound", "type": "audio"}, {"name": "site", "type": "text"})
    await desktop.context.add_init_script(DEVICES)
    # Nothing arrives from a microphone that is suspended.
    await desktop.context.add_init_script(
        "AudioContext.prototype.createOscillator = () => ({ connect() {}, start() {} })"
    )
    page = await desktop.open(form.url)
    await page.get_by_role("button", name="Record audio").click()
    await page.get_by_role("button", name="Stop recording").click()
    await expect(page.get_by_text("Nothing was recorded.")).to_be_visible()
    await choose(page, {**WAVE, "buffer": b""}, button="Choose audio file")
    await expect(page.get_by_text("The file is empty.")).to_be_visible()
    await expect(page.locator("audio")).to_have_count(0)
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
