"""Multiple choices with limits, options that exclude others, and a random order."""

from typing import Any

import pytest
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import Page, expect

OPTIONS: list[dict[str, Any]] = [{"value": f"o{n}", "label": f"Option {n}"} for n in range(1, 8)]
NONE = {"value": "none", "label": "Nothing", "exclusive": True}


async def order(page: Page, name: str) -> list[str]:
    return (
        await page.get_by_role("group", name=name)
        .get_by_role("checkbox")
        .evaluate_all("boxes => boxes.map(box => box.value)")
    )


@pytest.mark.slow
async def test_limits_exclusive_options_and_random_order(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "reasons", "type": "choices", "options": [*OPTIONS, NONE], "minChoices": 2, "maxChoices": 3,
         "randomize": True},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [
            {"name": "each", "type": "choices", "options": [*OPTIONS, NONE], "randomize": True}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    reasons, each = (page.get_by_role("group", name=name) for name in ("Reasons", "Each"))
    await expect(reasons.get_by_role("checkbox")).to_have_count(8)
    await expect(each.get_by_role("checkbox")).to_have_count(8)
    before = [await order(page, name) for name in ("Reasons", "Each")]
    for values in before:
        assert sorted(values) == ["none", *(f"o{n}" for n in range(1, 8))]
        assert values[-1] == "none"

    await reasons.get_by_text("Nothing").click()
    await each.get_by_text("Option 4").click()
    await each.get_by_text("Option 5").click()
    await each.get_by_text("Nothing").click()
    await expect(each.get_by_role("checkbox", checked=True)).to_have_count(1)
    await reasons.get_by_text("Option 3").click()
    await expect(reasons.get_by_role("checkbox", name="Nothing")).not_to_be_checked()
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_text("Choose at least 2 options.").first).to_be_visible()
    await reasons.get_by_text("Option 6").click()
    await reasons.get_by_text("Option 1").click()
    await expect(reasons.get_by_role("checkbox", name="Option 2")).to_be_disabled()

    await page.reload()
    await expect(reasons.get_by_role("checkbox", checked=True)).to_have_count(3)
    assert [await order(page, name) for name in ("Reasons", "Each")] == before
    await set_offline(phone.context, off=False)
    await send(page)
    data = await form.data()
    assert (sorted(data["reasons"]), data["rows"]) == (["o1", "o3", "o6"], [{"each": ["none"]}])
    phone.ignore_errors()
