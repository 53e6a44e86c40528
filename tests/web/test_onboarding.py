"""An invited user: the first sign-in by email, a second factor, sign-out, sign-in, and a recovery code."""

from fixtures import axe
from fixtures.accounts import PASSWORD, Person
from fixtures.browser import WatchedPage
from playwright.async_api import expect

from formwright.core import crypto
from formwright.core.clock import SystemClock

_USED: set[int] = set()


def _code(secret: str) -> str:
    """Return the next unused code. The clock of the phone may be half a minute ahead."""
    now = SystemClock().now() // 1000 // crypto.STEP_S
    step = next(step for step in (now - 1, now, now + 1) if step not in _USED)
    _USED.add(step)
    return crypto.totp_code(secret, step)


async def test_from_the_invitation_to_the_recovery_code(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await axe.bring(page)
    async with person.client() as api:
        body = {"email": f"new.{person.email}", "name": "Ann"}
        assert (await api.post(f"/api/v1.0/customers/{person.customer_id}/users", json=body)).status_code == 201
    await person.sign_in_browser(page)
    await page.goto(person.path("/settings/mail"))
    await page.get_by_role("link", name="You are invited").click()
    link = await page.get_by_role("link", name="/set-password/").get_attribute("href")
    assert link
    await page.context.clear_cookies()

    await page.goto(link)
    await page.get_by_label("Your name").fill("Ann Berg")
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_label("Repeat password").fill(PASSWORD)
    await page.get_by_role("button", name="Set password and continue").click()
    await expect(page.get_by_role("heading", name="No forms yet")).to_be_visible()

    await page.get_by_role("link", name="Ann Berg").click()
    await page.get_by_role("link", name="Set up").click()
    await page.get_by_role("button", name="Set up").click()
    await expect(page.get_by_role("img", name="QR code")).to_be_visible()
    await page.wait_for_load_state()
    assert await page.get_by_role("img", name="QR code").evaluate("image => image.naturalWidth") > 100
    secret = (await page.get_by_label("Setup key").input_value()).replace(" ", "")
    assert await axe.faults(page) == []
    await page.get_by_label("Code").fill(_code(secret))
    await page.get_by_role("button", name="Turn on").click()
    [recovery, *_] = (await page.locator("#codes").inner_text()).split()
    assert await axe.faults(page) == []
    await page.reload()
    await expect(page.locator("#codes")).to_have_count(0)

    for code in (_code(secret), recovery):
        await page.get_by_role("button", name="Sign out", exact=True).click()
        await page.get_by_label("Email").fill(body["email"])
        await page.get_by_label("Password", exact=True).fill(PASSWORD)
        await page.get_by_role("button", name="Sign in").click()
        assert await axe.faults(page) == []
        await page.get_by_label("Code").fill(code)
        await page.get_by_role("button", name="Continue").click()
        await expect(page.get_by_role("heading", name="No forms yet")).to_be_visible()
    await page.get_by_role("link", name="Ann Berg").click()
    await expect(page.get_by_text("9 of 10 recovery codes left.")).to_be_visible()
    assert desktop_page.errors == []
