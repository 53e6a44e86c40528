"""The whole path of an invite: the API call, the email, the recipient's phone, and `invite.completed`."""

import re
from typing import Any

import pytest
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, new_context
from fixtures.fill_pages import AccountApi, Phone, send
from fixtures.server_process import eventually
from playwright.async_api import Browser, expect

from formwright.core.auth.permissions import Permission

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _link(account: Person, invite_id: str) -> str:
    """Return the link in the email. Without a mail server, emails are written to a folder."""
    ctx = account.factory.ctx

    async def read_email() -> bytes | None:
        async with ctx.db.reading() as tx:
            row = await tx.fetch_one("SELECT id FROM mails WHERE subject_id = $1", invite_id)
        return ctx.mail_transport.read_sent(row[0]) if row else None

    content: bytes = await eventually(read_email)
    [link] = set(re.findall(r"/fill/\w+", content.replace(b"=\r\n", b"").decode()))
    return account.path(link)


async def test_an_invite_leads_from_the_email_to_a_submission(account: Person, api: AccountApi, phone: Phone) -> None:
    kinds = ("userName", "email", "deviceId", "simSerial")
    hidden = [{"type": "text", "name": kind, "metadata": kind, "hidden": True} for kind in kinds]
    form = await api.create_form({"type": "text", "name": "site"}, {"type": "integer", "name": "people"}, *hidden)
    invites = f"/api/v1.0/customers/{account.customer_id}/invites"
    body = {
        "formId": form.id,
        "email": "ann@example.com",
        "name": "Ann",
        "message": "Dear <b>Ann</b>",
        "data": {"site": "Pier 2"},
    }
    created: dict[str, Any] = (await api.http.post(invites, json=body)).json()

    async def wait_for_status(status: str) -> dict[str, Any]:
        async def look() -> dict[str, Any] | None:
            found: dict[str, Any] = (await api.http.get(f"{invites}/{created['id']}")).json()
            return found if found["status"] == status else None

        found: dict[str, Any] = await eventually(look)
        return found

    link = await _link(account, created["id"])
    page = await phone.open(link)
    assert (await page.locator("blockquote").inner_text()) == "Dear <b>Ann</b>"
    assert await page.get_by_label("Site").input_value() == "Pier 2"
    # Loading the page and its scripts does not count as opening the invite; showing it does.
    await wait_for_status("PENDING")
    await page.get_by_label("People").tap()
    await wait_for_status("OPENED")
    await page.get_by_label("People").fill("3")
    await wait_for_status("STARTED")
    await phone.wait_until_cached(page)
    await send(page)
    assert not await page.locator("#again").is_visible()
    # A cached page could be filled in again offline, although the invite accepts no second submission.
    await eventually(lambda: page.evaluate("caches.match(location.pathname).then((kept) => !kept)"))
    done = await wait_for_status("COMPLETED")
    [arrived] = await form.submissions()
    assert (arrived["id"], arrived["inviteId"]) == (done["submissionId"], created["id"])
    device = arrived["data"].pop("deviceId")
    assert device == await page.evaluate("localStorage.getItem('formwright:device:')")
    assert arrived["data"].pop("userName") == "Ann"
    assert arrived["data"].pop("email") == "ann@example.com"
    assert arrived["data"] == {"site": "Pier 2", "people": 3}
    await page.goto(link)
    await page.get_by_role("heading", name="You’ve completed this form").wait_for()
    await eventually(lambda: page.evaluate("caches.match(location.pathname).then((kept) => !kept)"))
    events = f"/api/v1.0/webhooks/customer/{account.customer_id}/events?formId={form.id}"
    types = [event["type"] for event in (await api.http.get(events)).json()["items"]]
    assert types[-1] == "invite.completed"
    phone.ignore_errors("410")


@pytest.mark.slow
async def test_a_submission_from_a_second_tab_is_rejected_and_kept(
    account: Person, api: AccountApi, phone: Phone
) -> None:
    form = await api.create_form({"type": "text", "name": "site"})
    invites = f"/api/v1.0/customers/{account.customer_id}/invites"
    created = (await api.http.post(invites, json={"formId": form.id, "email": "ann@example.com"})).json()
    link = await _link(account, created["id"])
    first, second = await phone.open(link), await phone.open(link)
    for page, site in ((first, "Pier"), (second, "Pier 2")):
        await page.get_by_label("Site").fill(site)
    await send(first)
    await second.get_by_role("button", name="Submit").click()
    await second.get_by_text(
        "This form has already been submitted. Your answers are saved on this device.", exact=True
    ).wait_for()
    assert "Pier 2" in await second.evaluate("JSON.stringify(localStorage)")
    assert await form.data() == {"site": "Pier"}
    phone.ignore_errors("409", "410")


@pytest.mark.slow
async def test_a_completed_task_is_not_offered_again_offline(account: Person, api: AccountApi, phone: Phone) -> None:
    filler = await account.factory.add_user(account, "Runner", Permission.SUBMISSIONS_CREATE)
    form = await api.create_form({"type": "text", "name": "site"})
    path = f"/api/v1.0/customers/{account.customer_id}/{form.id}/tasks"
    task = (await api.http.post(path, json={"recipients": {"users": [filler.id]}})).json()
    page = await phone.context.new_page()
    await filler.sign_in_browser(page)
    await page.goto(account.path(f"/my/tasks/{task['id']}"))
    await page.get_by_role("link", name="Fill in").click()
    await page.get_by_label("Site").fill("Pier")
    await phone.wait_until_cached(page)
    link = page.url
    await send(page)
    await page.goto(link)
    await page.get_by_text("You completed this task").wait_for()
    await eventually(lambda: page.evaluate("url => caches.match(url).then((kept) => !kept)", link))


@pytest.mark.slow
async def test_answers_saved_by_another_device_are_not_overwritten(
    account: Person, api: AccountApi, phone: Phone, browser: Browser
) -> None:
    form = await api.create_form({"type": "text", "name": "site"}, {"type": "text", "name": "more"})
    invites = f"/api/v1.0/customers/{account.customer_id}/invites"
    created = (await api.http.post(invites, json={"formId": form.id, "email": "ann@example.com"})).json()
    link = await _link(account, created["id"])
    other = Phone(await new_context(browser, **DESKTOP, locale="en-GB"))

    async def write(on: Phone, **answers: str) -> None:
        page = await on.open(link)
        for name, text in answers.items():
            await page.get_by_label(name.capitalize()).fill(text)
        await page.get_by_role("status").get_by_text("Saved").wait_for()
        await page.close()

    await write(phone, site="Pier", more="no")
    await write(other, site="Quay", more="Much")
    # Everything typed here was saved, so the later answers of the other device win.
    page = await phone.open(link)
    await expect(page.get_by_label("Site")).to_have_value("Quay")
    await phone.wait_until_cached(page)
    await phone.context.set_offline(True)
    await page.get_by_label("Site").fill("Quay 2")
    await page.wait_for_function("JSON.stringify(localStorage).includes('Quay 2')")
    await page.close()
    await write(other, more="Very much")
    await phone.context.set_offline(False)
    # Answers typed offline on this device are kept as well.
    page = await phone.open(link)
    await expect(page.get_by_label("Site")).to_have_value("Quay 2")
    await expect(page.get_by_label("More")).to_have_value("Very much")
    await send(page)
    assert await form.data() == {"site": "Quay 2", "more": "Very much"}
    await other.context.close()
    phone.ignore_errors()


async def test_an_invite_can_be_declined_on_the_page(account: Person, api: AccountApi, phone: Phone) -> None:
    form = await api.create_form({"type": "text", "name": "site"}, language="de")
    invites = f"/api/v1.0/customers/{account.customer_id}/invites"
    created = (await api.http.post(invites, json={"formId": form.id, "email": "ann@example.com"})).json()
    page = await phone.context.new_page()
    await page.goto(await _link(account, created["id"]))
    await page.get_by_text("Ich möchte nicht teilnehmen").click()
    await page.get_by_label("Grund (optional)").fill("Keine Zeit")
    await page.get_by_role("button", name="Ablehnen").click()
    await page.get_by_role("heading", name="Sie haben abgelehnt").wait_for()
    found = (await api.http.get(f"{invites}/{created['id']}")).json()
    assert (found["status"], found["reason"]) == ("DECLINED", "Keine Zeit")
