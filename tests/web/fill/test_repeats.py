"""Repeats while a form is filled in."""

from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect


async def test_the_number_of_entries_follows_an_answer(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "children", "type": "integer"},
        {"name": "child", "type": "repeat", "countRule": "children", "max": 12, "fields": [
            {"name": "name", "label": "Name", "type": "text", "required": True},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    children, names = page.get_by_label("Children"), page.get_by_role("textbox", name="Name")
    await expect(page.get_by_role("button", name="Add")).to_have_count(0)
    await children.fill("3")
    await expect(names).to_have_count(3)
    for place, name in enumerate(["Ada", "Ben", "Cleo"]):
        await names.nth(place).fill(name)
    await children.fill("1")
    await expect(names).to_have_count(1)
    await expect(page.get_by_text("Entries removed to match your other answers: 2")).to_be_visible()
    # The person was still typing: nothing is lost.
    await children.fill("12")
    await expect(names).to_have_count(12)
    await expect(names.nth(2)).to_have_value("Cleo")
    await children.fill("1000000000")
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems")).to_contain_text("at most 12")
    await expect(names).to_have_count(12)
    await children.fill("2")
    await expect(names).to_have_count(2)
    await page.reload()
    await expect(names.nth(1)).to_have_value("Ben")
    await send(page)
    assert await form.data() == {"children": 2, "child": [{"name": "Ada"}, {"name": "Ben"}]}


async def test_entries_have_titles_with_their_answers(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "team", "type": "text"},
        {"name": "member", "type": "repeat", "min": 2, "rowLabel": "{{number}}. {{who}} ({{team}})", "fields": [
            {"name": "number", "label": "N", "type": "integer", "hidden": True, "calculate": "position(member)"},
            {"name": "who", "label": "Who", "type": "text"},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await page.get_by_label("Team").fill("<b>Red</b>")
    await page.get_by_role("textbox", name="Who").nth(1).fill("Ada")
    await expect(page.get_by_text("1. … (<b>Red</b>)")).to_be_visible()
    await expect(page.get_by_text("2. Ada (<b>Red</b>)")).to_be_visible()
    await page.get_by_role("textbox", name="Who").nth(0).fill("Ben")
    await send(page)
    assert (await form.data())["member"] == [{"who": "Ben", "number": 1}, {"who": "Ada", "number": 2}]
