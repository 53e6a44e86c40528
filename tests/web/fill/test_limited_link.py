"""A phone meets the limits of a link: one response per device, and a form that closes while the phone is offline."""

from typing import Any

import pytest
from fixtures.fill_pages import SITE, AccountApi, Form, Phone, send, set_offline
from playwright.async_api import expect


async def _limit(form: Form, **link: Any) -> None:
    path = f"/api/v1.0/forms/customer/{form.api.customer_id}/forms/{form.id}"
    response = await form.api.http.put(path, json={"publicLink": link})
    assert response.is_success, response.text


async def test_a_device_responds_once(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    await _limit(form, onePer="DEVICE")
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    await expect(page.get_by_role("button", name="Submit another response")).to_be_hidden()
    await page.reload()
    await page.get_by_role("heading", name="You’ve already responded").wait_for()
    await expect(page.get_by_label("Site")).to_be_hidden()
    # The office deletes the response, so the person can respond again.
    [stored] = await form.submissions()
    await api.http.delete(f"/api/v1.0/customers/{api.customer_id}/submissions/{stored['id']}")
    await page.reload()
    await page.get_by_label("Site").fill("Quay")
    await send(page)
    assert await form.data() == {"site": "Quay"}


@pytest.mark.slow
async def test_a_form_that_closes_while_the_phone_is_offline_loses_no_answers(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("It will be submitted when you’re back online.").wait_for()
    await _limit(form, closesAt="2020-01-01T00:00:00Z")
    await set_offline(phone.context, off=False)
    await page.get_by_text("Not accepted: This form is closed.").wait_for()
    await page.reload()
    await page.get_by_role("heading", name="This form is closed").wait_for()
    await page.get_by_text("Not accepted: This form is closed.").wait_for()
    assert await form.submissions() == []
    # The office extends the time, and the person sends the same answers again.
    await _limit(form)
    await page.reload()
    await page.get_by_role("button", name="Open").click()
    await expect(page.get_by_label("Site")).to_have_value("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
    phone.ignore_errors("409", "ERR_INTERNET_DISCONNECTED")


async def test_answers_wait_until_the_form_opens(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    page = await phone.open(form.url)
    await _limit(form, opensAt="2999-01-01T00:00:00Z")
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("1 response waiting to be submitted").wait_for()
    await _limit(form)
    await page.reload()
    assert [one["data"] for one in await form.wait_for_submissions(1)] == [{"site": "Pier"}]
    phone.ignore_errors("409")
