"""Rules as sentences: built, reopened, changed and removed without code, with the keyboard, and what can go wrong."""

from typing import Any

import pytest
from fixtures import axe
from fixtures.browser import WatchedPage
from playwright.async_api import Locator, Page, expect
from web.designer.pages import Designer, add_rule, open_rule_code, row, rule_card, wait_until_saved

FIELDS: list[dict[str, Any]] = [
    {"type": "rating", "name": "stars", "label": "Stars"},
    {"type": "boolean", "name": "anonymous", "label": "Anonymous"},
    {"type": "text", "name": "reason", "label": "Reason"},
]
BUILT = "stars in [4, 5] && !(answered.anonymous && anonymous)"


def condition(card: Locator, number: int) -> Locator:
    return card.get_by_role("group", name=f"Condition {number}", exact=True)


async def saved(page: Page, designer: Designer, form: Any, index: int) -> dict[str, Any]:
    await wait_until_saved(page)
    field: dict[str, Any] = designer.newest_version(form["id"])["fields"][index]
    return field


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_a_rule_is_built_changed_and_removed_with_the_keyboard(desktop: WatchedPage, designer: Designer) -> None:
    """With four or five stars that are not anonymous, a reason is required."""
    page = desktop.page
    await axe.bring(page)
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Reason").click()

    await page.get_by_text("Add a rule…").focus()
    await press(page, "Enter", "Tab")
    assert await axe.faults(page) == []
    await press(page, "Tab", "Enter")
    card = rule_card(page, "Require if")
    await expect(card.get_by_label("Answer to")).to_be_focused()
    await page.keyboard.type("Stars")
    await press(page, "Tab", "Tab")
    await expect(card.get_by_label("Comparison")).to_be_focused()
    await page.keyboard.type("is one")
    await press(page, "Tab")
    for star in "45":
        await page.keyboard.type(star)
        await press(page, "Enter")
    await expect(card.get_by_role("button", name="Remove 5")).to_be_visible()
    await press(page, "Tab", "Enter")
    await page.keyboard.type("Anon")
    await press(page, "Tab", "Tab")
    await page.keyboard.type("is not")
    await expect(condition(card, 2).get_by_label("Value")).to_have_value("true")
    assert (await saved(page, designer, form, 2))["requiredIf"] == BUILT

    await page.reload()
    await row(page, "Reason").click()
    await expect(condition(card, 1).get_by_label("Comparison").locator("option:checked")).to_have_text("is one of")
    await expect(page.frame_locator("#preview").get_by_label("Reason")).to_be_visible()
    assert await axe.faults(page) == []
    await condition(card, 1).get_by_role("button", name="Remove 4").press("Enter")
    await expect(condition(card, 1).get_by_role("button", name="Remove 5")).to_be_focused()
    await card.get_by_label("How many").select_option("any")
    await condition(card, 2).get_by_role("button", name="Remove condition 2").press("Enter")
    assert (await saved(page, designer, form, 2))["requiredIf"] == "stars in [5]"
    await page.get_by_role("button", name="Undo", exact=True).click()
    await expect(condition(card, 2)).to_be_visible()
    assert (await saved(page, designer, form, 2))["requiredIf"] == "stars in [5] || !(answered.anonymous && anonymous)"
    await card.get_by_role("button", name="Remove rule “Require if”").press("Enter")
    await expect(page.get_by_text("Add a rule…")).to_be_focused()
    assert "requiredIf" not in await saved(page, designer, form, 2)
    assert desktop.errors == []


@pytest.mark.slow
async def test_groups_and_values_that_fit_the_field(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    towns = [{"value": f"t{number}", "label": f"Town {number}"} for number in range(500)]
    kinds = [{"value": "b", "label": "شكوى"}, {"value": 'say "no" \\ 👍🏽', "label": "Other"}]
    fields = [
        {"type": "choice", "name": "town", "label": "Town", "options": towns},
        {"type": "choices", "name": "kinds", "label": "الأنواع", "options": kinds},
        {"type": "date", "name": "day", "label": "Day"},
        {"type": "decimal", "name": "size", "label": "Size"},
        FIELDS[2],
    ]
    form = designer.create_form(fields, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Reason").click()
    card = await add_rule(page, "Show if")
    await condition(card, 1).get_by_label("Answer to").select_option("Town")
    await condition(card, 1).get_by_label("Value").fill("town 377")
    await press(page, "Enter")
    await expect(condition(card, 1).get_by_label("Value")).to_have_value("Town 377")
    await card.get_by_role("button", name="Add group").click()
    group = card.get_by_role("group", name="Condition 2: At least one of these is true")
    await condition(group, "2.1").get_by_label("Answer to").select_option("الأنواع")
    await condition(group, "2.1").get_by_label("Value").select_option("Other")
    await group.get_by_role("button", name="Add to group").click()
    second = group.get_by_role("group", name="Condition 2.2", exact=True)
    await second.get_by_label("Answer to").select_option("Day")
    await second.get_by_label("Comparison").select_option("is on or after")
    await second.get_by_label("Kind of date").select_option("days ago:")
    await second.get_by_label("Value").fill("7")
    await card.get_by_role("button", name="Add condition").click()
    third = condition(card, 3)
    await third.get_by_label("Answer to").select_option("Size")
    await third.get_by_label("Value").fill("1,234")
    await expect(third.get_by_text("could mean 1234 or 1.234")).to_be_visible()
    rule = 'town == "t377" && ("say \\"no\\" \\\\ 👍🏽" in kinds || day >= addDays(today(), -7))'
    assert (await saved(page, designer, form, 4))["visibleIf"] == rule
    await third.get_by_label("Value").fill("1,5")
    assert (await saved(page, designer, form, 4))["visibleIf"] == f"{rule} && size == 1.5"
    await card.get_by_label("How many").select_option("any")
    changed = rule.replace(" && ", " ? ").replace(" || ", " && ").replace(" ? ", " || ")
    assert (await saved(page, designer, form, 4))["visibleIf"] == f"{changed} || size == 1.5"
    code = await open_rule_code(page, "Show if")
    await code.fill("size * 2.0 > 3.0")
    await expect(card.get_by_text("Conditions can’t show this rule")).to_be_visible()
    await expect(card.get_by_role("button", name="Edit as conditions")).to_be_hidden()
    await code.fill("size > 3.0")
    await card.get_by_role("button", name="Edit as conditions").click()
    await expect(condition(card, 1).get_by_label("Comparison").locator("option:checked")).to_have_text("is more than")
    assert desktop.errors == []


REPEAT = {"type": "repeat", "name": "visits", "label": "Visits", "fields": [FIELDS[1] | {"name": "again"}]}


@pytest.mark.slow
async def test_a_condition_says_what_is_wrong_with_its_field(desktop: WatchedPage, designer: Designer) -> None:
    """The rule stays as it is while a field is removed, changes its type, moves into a repeat or loses an option."""
    page = desktop.page
    options = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
    fields = [
        {"type": "choice", "name": "kind", "label": "Kind", "options": options},
        {"type": "integer", "name": "age", "label": "Age"},
        REPEAT,
        FIELDS[2] | {"visibleIf": 'age >= 18 && kind == "a"'},
    ]
    form = designer.create_form(fields, publish=False)
    await designer.open(page, form["id"])
    card, first = rule_card(page, "Show if"), condition(rule_card(page, "Show if"), 1)

    async def explain(change: Any, number: int = 1) -> str | None:
        await change()
        await row(page, "Reason").click()
        fault = condition(card, number).locator(".field-error")
        await expect(fault).to_be_visible()
        text = await fault.text_content()
        await page.get_by_role("button", name="Undo", exact=True).first.click()
        await row(page, "Reason").click()
        await expect(fault).to_be_hidden()
        return text

    async def remove() -> None:
        await row(page, "Age").click()
        await page.get_by_role("button", name="Delete", exact=True).click()

    async def retype() -> None:
        await row(page, "Age").click()
        await page.get_by_label("Type", exact=True).select_option("Short text")

    async def move() -> None:
        await row(page, "Age").click()
        await page.get_by_role("button", name="Move into group").click()

    async def remove_option() -> None:
        await row(page, "Kind").click()
        await page.get_by_role("button", name="Edit as text").click()
        await page.get_by_label("One option per line").fill("b\tB")
        await page.get_by_role("button", name="Apply").click()

    assert await explain(remove) == "There is no field named age. Choose another question, or remove this condition."
    text = "The answer to “Age” can’t be compared like this. Choose another comparison."
    assert await explain(retype) == text
    assert "“Age” is in a repeated group and has an answer for each entry" in str(await explain(move))
    assert await explain(remove_option, 2) == "“a” is not an option of “Kind”. Choose another one."

    await retype()
    await row(page, "Reason").click()
    await first.get_by_label("Comparison").select_option("is answered")
    assert (await saved(page, designer, form, 3))["visibleIf"] == 'answered.age && kind == "a"'


@pytest.mark.slow
async def test_a_condition_that_is_not_complete_is_left_out(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form([*FIELDS, FIELDS[2] | {"name": "more", "label": "More"}], publish=False)
    await designer.open(page, form["id"])
    await row(page, "Reason").click()
    card = await add_rule(page, "Valid if")
    first = condition(card, 1)
    await expect(first.get_by_label("Answer to").locator("option:checked")).to_have_text("Reason")
    await expect(first.locator(".field-error")).to_be_hidden()
    await first.get_by_label("Comparison").select_option("has at least")
    await card.get_by_label("Error message").fill("Write more")
    await expect(first.locator(".field-error")).to_have_text("Enter a value. Until then, this condition is left out.")
    assert "validIf" not in await saved(page, designer, form, 2)
    await first.get_by_label("Value (characters)").fill("x")
    await expect(first.locator(".field-error")).to_have_text("Enter a whole number from 1.")
    await first.get_by_label("Value (characters)").fill("3")
    await card.get_by_role("button", name="Add condition").click()
    await expect(condition(card, 2).get_by_label("Answer to")).to_be_focused()
    # The button is where it was, although the message about the second condition appears above it.
    await card.get_by_role("button", name="Add condition").click()
    await expect(condition(card, 3).get_by_label("Answer to")).to_be_focused()
    field = await saved(page, designer, form, 2)
    assert (field["validIf"], field["message"]) == ("size(reason) >= 3", "Write more")
    assert desktop.errors == []
