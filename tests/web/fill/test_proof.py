"""A phone solves the challenge of a protected link, also for answers that waited without a network."""

import pytest
from fixtures.fill_pages import SITE, AccountApi, Phone, send, set_offline


@pytest.mark.slow
async def test_protected_links_are_filled_in_as_others(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    path = f"/api/v1.0/forms/customer/{api.customer_id}/forms/{form.id}"
    assert (await api.http.put(path, json={"publicLink": {"proofOfWork": "ALWAYS"}})).is_success
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    await page.get_by_role("button", name="Submit another response").click()
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_label("Site").fill("Quay")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_text("It will be submitted when you’re back online.").wait_for()
    await set_offline(phone.context, off=False)
    await page.get_by_role("heading", name="Thank you").wait_for()
    assert sorted(one["data"]["site"] for one in await form.wait_for_submissions(2)) == ["Pier", "Quay"]
    phone.ignore_errors("409")
