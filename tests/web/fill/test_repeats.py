"""Repeats while a form is filled in."""

import pytest
from fixtures.fill_pages import AccountApi, Phone, send
from playwright.async_api import expect


@pytest.mark.slow
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
    await expect(page.get_by_text("No entries")).to_be_visible()
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
    # The page focuses the first field with an error. What is typed before that ends up there.
    await expect(names.nth(3)).to_be_focused()
    await children.fill("2")
    await expect(names).to_have_count(2)
    await page.reload()
    await expect(names.nth(1)).to_have_value("Ben")
    await send(page)
    assert await form.data() == {"children": 2, "child": [{"name": "Ada"}, {"name": "Ben"}]}


async def test_entries_have_titles_with_their_answers(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "team", "type": "text"},
        {"name": "member", "type": "repeat", "min": 2, "rowLabel": "{{number}}. **{{who}}** ({{team}})", "fields": [
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


@pytest.mark.slow
async def test_entries_contain_entries(api: AccountApi, phone: Phone) -> None:
    rows = [{"number": "7", "name": "Nut", "land": "fr"}, {"number": "8", "name": "Nail", "land": "de"}]
    source = {"datasourceId": await api.create_datasource(rows), "display": ["name"]}
    options = [{"value": one, "label": one.upper()} for one in ("fr", "de")]
    total = "sum(item.filter(i, has(i.price)).map(i, i.price))"
    number = "position(order) * 10 + position(item)"
    item = [
        {"name": "goods", "type": "lookup", "filter": {"land": "land"}, "mapping": {"name": "label"}, **source},
        {"name": "label", "type": "text"},
        {"name": "price", "type": "integer", "validIf": "price <= most", "message": "Most: {{most}} in {{land}}"},
        {"name": "mark", "type": "integer", "hidden": True, "calculate": number},
        {"name": "note", "type": "repeat", "fields": [{"name": "text", "type": "text", "required": True}]},
    ]
    form = await api.create_form(
        {"name": "most", "type": "integer"},
        {"name": "order", "type": "repeat", "min": 1, "fields": [
            {"name": "land", "type": "choice", "options": options},
            {"name": "count", "type": "integer"},
            {"name": "item", "type": "repeat", "countRule": "count", "rowLabel": "{{land}} {{price}}", "fields": item},
            {"name": "total", "type": "decimal", "calculate": total},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await page.get_by_label("Most").fill("5")
    await page.get_by_text("DE", exact=True).click()
    await page.get_by_label("Count").fill("2")
    price = page.get_by_label("Price")
    await expect(price).to_have_count(2)
    await price.nth(0).fill("3")
    await price.nth(1).fill("9")
    await expect(page.get_by_text("DE 9")).to_be_visible()
    await expect(page.get_by_label("Total")).to_have_value("12")
    await page.locator(".sd-dropdown").first.click()
    await expect(page.get_by_role("option", name="Nut")).to_have_count(0)
    await page.get_by_role("option", name="Nail").click()
    await expect(page.get_by_role("textbox", name="Label").first).to_have_value("Nail")
    await expect(page.get_by_role("button", name="Add new: Order", exact=True)).to_have_count(1)
    await page.get_by_role("button", name="Add new: Note", exact=True).first.click()
    await page.get_by_role("button", name="Submit").click()
    await expect(page.locator("#problems li")).to_have_count(2)
    await expect(page.locator("#problems")).to_contain_text("Most: 5 in DE")
    await page.get_by_role("textbox", name="Text").fill("here")
    await page.reload()
    await price.nth(1).fill("4")
    await page.get_by_role("textbox", name="Text").fill("there")
    await send(page)
    [order] = (await form.data())["order"]
    assert order == {
        "land": "de",
        "count": 2,
        "item": [
            {"goods": "8", "label": "Nail", "price": 3, "mark": 11, "note": [{"text": "there"}]},
            {"price": 4, "mark": 12},
        ],
        "total": 7,
    }


@pytest.mark.slow
async def test_entries_begin_with_the_rows_of_a_data_source(api: AccountApi, phone: Phone) -> None:
    rows = [
        {"number": f"{team}{n:03}", "name": f"{team} {n}", "team": team, "age": n}
        for team, count in (("red", 60), ("blue", 2))
        for n in range(count)
    ]
    source = {"datasourceId": await api.create_datasource(rows), "display": ["name"]}
    who = {"name": "who", "type": "lookup", "filter": {"team": "team"}, "mapping": {"age": "age"}, **source}
    options = [{"value": one, "label": one} for one in ("red", "blue", "green")]
    form = await api.create_form(
        {"name": "team", "type": "choice", "options": options},
        {"name": "crew", "type": "repeat", "rowsFrom": "who", "rowLabel": "{{who}}", "fields": [
            who,
            {"name": "age", "type": "integer"},
            {"name": "here", "type": "boolean"},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    ages = page.get_by_label("Age")
    await page.get_by_text("red", exact=True).click()
    # Two pages of rows.
    await expect(ages).to_have_count(60)
    await expect(ages.nth(59)).to_have_value("59")
    await page.get_by_text("green", exact=True).click()
    await expect(ages).to_have_count(0)
    await expect(page.get_by_text("Entries removed to match your other answers: 60")).to_be_visible()
    await page.get_by_text("blue", exact=True).click()
    await expect(ages).to_have_count(2)
    await expect(page.locator(".sd-dropdown").first).to_contain_text("blue 0")
    await page.get_by_text("Yes", exact=True).first.click()
    # What somebody has removed does not come back.
    page.once("dialog", lambda dialog: dialog.accept())
    await page.get_by_role("button", name="Remove").last.click()
    await expect(ages).to_have_count(1)
    await page.reload()
    await page.get_by_text("No", exact=True).first.click()
    await expect(ages).to_have_count(1)
    await page.get_by_role("button", name="Add").click()
    await expect(ages).to_have_count(2)
    await ages.nth(1).fill("9")
    await send(page)
    data = await form.data()
    assert data == {"team": "blue", "crew": [{"who": "blue000", "age": 0, "here": False}, {"age": 9}]}
