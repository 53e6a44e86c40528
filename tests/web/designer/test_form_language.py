"""Rules, options and texts that depend on other answers, built in the designer and seen in the preview."""

from typing import Any

import pytest
from fixtures.browser import WatchedPage
from fixtures.server_process import eventually
from playwright.async_api import expect
from web.designer.pages import Designer, open_rule_code, row, rule_card, wait_until_saved

TOWNS = "value\tlabel\tland\nkiel\tKiel\tde\nnice\tNice\tfr"
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "land", "label": "Land"},
    {"type": "choice", "name": "town", "label": "Town", "options": [{"value": "a", "label": "A"}]},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "date", "name": "day", "label": "Day"},
]


@pytest.mark.slow
async def test_rules_options_and_texts_depend_on_other_answers(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    form = designer.create_form(FIELDS, publish=False)
    await designer.open(page, form["id"])
    await row(page, "Town").click()
    await page.get_by_role("button", name="Edit as text").click()
    await page.get_by_label("One option per line").fill(TOWNS)
    await page.get_by_label("The first line is a heading").check()
    await page.get_by_role("button", name="Apply").click()
    await (await open_rule_code(page, "Offer an option if")).fill("option.land == land")
    await (await open_rule_code(page, "Require if")).fill("people > 10")
    await page.get_by_label("Message if the answer is missing").fill("Say where, please")
    question = page.get_by_label("Question", exact=True)
    await question.fill("Town in ")
    await question.press("End")
    await page.get_by_label("Insert an answer").first.select_option("land")
    await expect(question).to_have_value("Town in {{land}}")
    await row(page, "People").click()
    await (await open_rule_code(page, "Lock if")).fill("answered.day")
    await (await open_rule_code(page, "Initial answer")).fill("size(land)")
    again = page.locator(".field", has=page.get_by_label("Set it again when these change"))
    await again.get_by_label("Insert a field").select_option("land")
    await row(page, "Day").click()
    await page.get_by_label("Default").fill("2026-03-29")
    await open_rule_code(page, "Valid if")
    await rule_card(page, "Valid if").get_by_label("Insert a function").select_option("daysBetween(, today())")
    await page.keyboard.type("day")
    await page.keyboard.press("End")
    await page.keyboard.type(" > 7")
    await page.locator("summary", has_text="More").click()
    await page.get_by_label("Hidden").check()
    # A new name is replaced in the texts, too.
    await row(page, "Land").click()
    await page.get_by_label("Field name").fill("country")

    await wait_until_saved(page)

    town, people, day = designer.newest_version(form["id"])["fields"][1:]
    assert town["label"] == "Town in {{country}}"
    assert (town["optionFilter"], town["requiredIf"]) == ("option.land == country", "people > 10")
    assert town["requiredMessage"] == "Say where, please"
    assert town["options"][1] == {"value": "nice", "label": "Nice", "columns": {"land": "fr"}}
    assert people["readOnlyIf"] == "answered.day"
    assert (people["defaultRule"], people["recalculateOn"]) == ("size(country)", ["country"])
    assert day["default"] == "2026-03-29"
    assert (day["validIf"], day["hidden"]) == ("daysBetween(day, today()) > 7", True)

    preview = page.frame_locator("#preview")
    offered = preview.get_by_role("radiogroup", name="Town in fr").get_by_role("radio")

    async def is_filtered() -> bool:
        # The preview is loaded again when the draft has been saved.
        await preview.get_by_label("Land").fill("fr")
        return await offered.count() == 1

    await eventually(is_filtered)
    await row(page, "Town in {{country}}").click()
    await page.get_by_role("button", name="Edit as text").click()
    await expect(page.get_by_label("One option per line")).to_have_value(TOWNS)
    assert desktop.errors == []


@pytest.mark.slow
async def test_entries_of_a_repeated_group_are_counted_and_titled(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    inner = [{"type": "text", "name": "who", "label": "Who", "visibleIf": "position(people) > 0"}]
    group = {"type": "repeat", "name": "people", "label": "People", "fields": inner}
    form = designer.create_form([FIELDS[2] | {"name": "heads", "label": "Heads"}, group], publish=False)
    await designer.open(page, form["id"])
    await row(page, "People").click()
    title = page.locator(".field", has=page.get_by_label("Title of each entry"))
    await title.get_by_label("Insert an answer").select_option("who")
    await expect(page.get_by_label("Title of each entry")).to_have_value("{{who}}")
    await (await open_rule_code(page, "Number of entries")).fill("heads + 1")
    await page.get_by_label("Field name").fill("crew")
    await row(page, "Heads").click()
    await page.get_by_label("Field name").fill("staff")
    await row(page, "Who").click()
    await page.get_by_label("Field name").fill("name")
    await wait_until_saved(page)
    crew = designer.newest_version(form["id"])["fields"][1]
    assert (crew["name"], crew["rowLabel"], crew["countRule"]) == ("crew", "{{name}}", "staff + 1")
    assert crew["fields"][0]["visibleIf"] == "position(crew) > 0"
    preview = page.frame_locator("#preview")
    await expect(preview.get_by_label("Heads")).to_be_visible()
    assert desktop.errors == []


@pytest.mark.slow
async def test_lookups_begin_entries_and_offer_several_rows(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    table = {"name": "Crew", "keyColumn": "id", "rows": [{"id": "1", "name": "Ada"}]}
    source = designer.call_api("POST", f"/customers/{designer.customer_id}/datasources", table)
    lookup = {"type": "lookup", "name": "who", "label": "Who", "datasourceId": source["id"]}
    part = {"type": "section", "name": "part", "label": "Part", "fields": [lookup]}
    filling = lookup | {"name": "boss", "label": "Boss", "display": ["name"], "mapping": {"name": "remark"}}
    form = designer.create_form(
        [
            {"type": "repeat", "name": "crew", "label": "Crew", "fields": [part]},
            filling,
            {"type": "text", "name": "remark", "label": "Remark"},
        ],
        publish=False,
    )
    await designer.open(page, form["id"])
    await row(page, "Crew").click()
    await page.get_by_label("Begin with the rows of").select_option("who")
    await row(page, "Who").click()
    await page.get_by_label("Field name").fill("person")
    await wait_until_saved(page)
    assert designer.newest_version(form["id"])["fields"][0]["rowsFrom"] == "person"
    await row(page, "Boss").click()
    await expect(page.get_by_role("group", name="Fill other fields")).to_be_visible()
    await page.get_by_label("Several rows can be chosen").check()
    await expect(page.get_by_role("group", name="Fill other fields")).to_be_hidden()
    await page.get_by_label("Maximum rows").fill("3")
    await wait_until_saved(page)
    boss = designer.newest_version(form["id"])["fields"][1]
    assert (boss["type"], boss["display"], boss["maxChoices"], boss.get("mapping")) == ("lookups", ["name"], 3, None)
    await expect(page.get_by_label("Several rows can be chosen")).to_be_checked()
    await expect(page.frame_locator("#preview").get_by_role("combobox", name="Boss")).to_be_visible()
    assert desktop.errors == []


@pytest.mark.slow
async def test_multiple_choices_have_limits_exclusive_options_and_an_other(
    desktop: WatchedPage, designer: Designer
) -> None:
    page = desktop.page
    options = [{"value": value, "label": value.upper()} for value in ("a", "b")]
    form = designer.create_form(
        [{"type": "choices", "name": "some", "label": "Some", "options": options}], publish=False
    )
    await designer.open(page, form["id"])
    await row(page, "Some").click()
    await page.get_by_text("Options that exclude all others").click()
    await page.get_by_role("checkbox", name="B", exact=True).check()
    await page.get_by_role("button", name="Add “Other”").click()
    await expect(page.get_by_label("Option 2", exact=True)).to_be_focused()
    await page.get_by_label("Maximum choices").fill("2")
    await page.get_by_label("Show options in random order").check()
    await page.get_by_label("Field name").fill("all")
    await wait_until_saved(page)
    some, other = designer.newest_version(form["id"])["fields"]
    assert some["options"] == [
        options[0],
        {"value": "other", "label": "Other"},
        {**options[1], "exclusive": True},
    ]
    assert (some["maxChoices"], some["randomize"]) == (2, True)
    assert (other["name"], other["visibleIf"]) == ("some_other", "'other' in all")
    # The preview is loaded again when the draft has been saved. The new name was the last change.
    await expect(page.frame_locator("#preview").locator('[data-name="all"]')).to_be_visible()
    preview = page.frame_locator("#preview").get_by_role("group", name="Some")
    for label in ("A", "B"):
        await preview.get_by_text(label, exact=True).click()
    await expect(preview.get_by_role("checkbox", name="B", exact=True)).to_be_checked()
    await expect(preview.get_by_role("checkbox", checked=True)).to_have_count(1)
    await preview.get_by_text("Other", exact=True).click()
    await expect(page.frame_locator("#preview").get_by_label("Other, please specify")).to_be_visible()

    for name in ("Likert scale", "Consent", "Range of dates"):
        await page.get_by_role("button", name="Add field").click()
        await page.get_by_role("button", name=name, exact=True).click()
    await wait_until_saved(page)
    fields = {one["name"]: one for one in _flatten(designer.newest_version(form["id"])["fields"])}
    assert (fields["likert"]["likert"], len(fields["likert"]["options"])) == (True, 5)
    assert [one["type"] for one in fields["consent"]["fields"][:3]] == ["note", "boolean", "signature"]
    assert (fields["agreed"]["agreement"], fields["agreed"]["required"]) == (True, True)
    assert fields["until_date"]["validIf"] == "!answered.from_date || until_date >= from_date"

    # The rows of a matrix share their options.
    await page.get_by_role("button", name="Add field").click()
    await page.get_by_role("button", name="Matrix", exact=True).click()
    await row(page, "Statement 2").click()
    await page.get_by_label("Option 1", exact=True).fill("Never")
    await wait_until_saved(page)
    fields = _flatten(designer.newest_version(form["id"])["fields"])
    matrix = next(one for one in fields if one.get("table"))
    first, second = matrix["fields"]
    assert first["options"] == second["options"]
    assert first["options"][0] == {"value": "never", "label": "Never"}
    assert desktop.errors == []


def _flatten(fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the fields, each followed by those inside of it."""
    return [inner for one in fields for inner in (one, *_flatten(one.get("fields", [])))]
