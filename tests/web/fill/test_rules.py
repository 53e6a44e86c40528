"""Visibility, calculations and checks while filling in a form work on the page as on the server."""

from uuid import UUID

import pytest
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import expect
from rules.test_complexity import LONGEST, QUESTIONS

from formwright.web.templating import asset


async def test_a_field_is_hidden_and_shown_without_losing_its_answer(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "safe", "type": "boolean"},
        {"name": "why", "type": "text", "visibleIf": "answered.safe && !safe", "required": True},
        {"name": "note", "type": "text", "visibleIf": "why == 'ice'"},
    )
    page = await phone.open(form.url)
    why = page.get_by_role("textbox", name="Why")
    assert await why.count() == 0
    await page.get_by_text("No", exact=True).click()
    await why.fill("ice")
    await page.get_by_role("textbox", name="Note").fill("kept")
    await page.get_by_text("Yes", exact=True).click()
    # Rules do not see the answers of hidden fields.
    await expect(page.get_by_role("textbox")).to_have_count(0)
    await page.get_by_text("No", exact=True).click()
    assert await page.get_by_role("textbox", name="Note").input_value() == "kept"
    await page.get_by_text("Yes", exact=True).click()
    await send(page)
    assert await form.data() == {"safe": True}


async def test_visible_required_fields_must_be_answered(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "count", "type": "integer"},
        {"name": "why", "type": "text", "visibleIf": "count > 10", "required": True},
    )
    page = await phone.open(form.url)
    await page.get_by_label("Count").fill("11")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="1 answer needs attention").wait_for()
    await page.get_by_role("textbox", name="Why").fill("many")
    await send(page)
    assert await form.data() == {"count": 11, "why": "many"}


async def test_rules_require_answers_and_lock_fields(api: AccountApi, phone: Phone) -> None:
    message = {"en": "Say why so many", "de": "Warum so viele?"}
    form = await api.create_form(
        {"name": "count", "type": "integer"},
        {"name": "why", "type": "text", "requiredIf": "count > 10", "requiredMessage": message},
        {"name": "site", "type": "text", "readOnlyIf": "count > 20"},
        {"name": "must", "type": "text", "required": True, "requiredMessage": "We need this"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [
            {"name": "part", "label": "Part", "type": "text", "requiredIf": "count > 10", "readOnlyIf": "count > 20"},
        ]},
    )  # fmt: skip
    page = await phone.open(form.url)
    count, why, site = (page.get_by_label(name) for name in ("Count", "Why", "Site"))
    await site.fill("Quay")
    await count.fill("11")
    await expect(why).to_have_attribute("aria-required", "true")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="3 answers need attention").wait_for()
    await expect(page.get_by_role("link", name="Why: Say why so many")).to_be_visible()
    await expect(page.get_by_role("link", name="Must: We need this")).to_be_visible()
    await expect(why).to_be_focused()
    await page.get_by_label("Must").fill("x")
    await page.get_by_label("Part").fill("y")
    await count.fill("21")
    await expect(site).not_to_be_editable()
    await expect(page.get_by_label("Part")).not_to_be_editable()
    await count.fill("9")
    await expect(site).to_be_editable()
    await expect(why).not_to_have_attribute("aria-required", "true")
    await send(page)
    assert await form.data() == {"count": 9, "site": "Quay", "must": "x", "rows": [{"part": "y"}]}


@pytest.mark.slow
async def test_rules_read_the_clock_of_the_device_also_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "birth", "type": "date", "validIf": "birth <= today()", "message": "Not born yet"},
        {"name": "age", "type": "integer", "calculate": "yearsBetween(birth, today())"},
        {"name": "begun", "type": "datetime", "calculate": "now()"},
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    # Eight years behind, and already tomorrow in UTC.
    await page.clock.set_system_time("2018-03-01T00:30:00+01:00")
    await set_offline(phone.context)
    birth, age = page.get_by_label("Birth"), page.get_by_label("Age")
    await birth.fill("2018-03-02")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("link", name="Birth: Not born yet").wait_for()
    await birth.fill("2000-03-02")
    await expect(age).to_have_value("17")
    await birth.fill("2000-03-01")
    await expect(age).to_have_value("18")
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved", exact=True).wait_for()
    await page.clock.set_system_time("2018-03-01T09:00:00+01:00")
    await set_offline(phone.context, off=False)
    [only] = await form.wait_for_submissions(1)
    assert only["deviceTime"][:15] + only["deviceTime"][19:] == "2018-03-01T00:3+01:00"
    assert only["data"] == {"birth": "2000-03-01", "age": 18, "begun": only["deviceTime"]}
    phone.ignore_errors()


@pytest.mark.slow
async def test_initial_answers_are_computed_once(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "when", "type": "datetime", "default": "2026-03-29T14:30:00+02:00"},
        {"name": "day", "type": "date", "defaultRule": "today()"},
        {"name": "count", "type": "integer"},
        {"name": "spare", "type": "integer", "visibleIf": "count > 5", "defaultRule": "count * 2"},
        {"name": "price", "type": "integer", "defaultRule": "count * 10", "recalculateOn": ["count"]},
        {"name": "ref", "type": "text", "hidden": True, "defaultRule": "'n-' + string(count)"},
        {"name": "fixed", "type": "text", "hidden": True, "default": "x"},
        {"name": "why", "type": "text", "recalculateOn": ["count"]},
        {"name": "before", "type": "integer", "defaultRule": "has(lastSaved.count) ? lastSaved.count * 100 : -1"},
        {"name": "liked", "type": "choices", "defaultRule": "lastSaved.colours", "options": [
            {"value": "b", "label": "Sky"}]},
        {"name": "colours", "type": "choices", "default": ["b"], "options": [
            {"value": "a", "label": "Red"}, {"value": "b", "label": "Blue"}]},
        {"name": "rows", "type": "repeat", "fields": [
            {"name": "part", "type": "integer", "defaultRule": "count + 1"},
            {"name": "inner", "type": "integer", "hidden": True, "defaultRule": "part", "recalculateOn": ["part"]}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    count, day, price = (page.get_by_label(name, exact=True) for name in ("Count", "Day", "Price"))
    await expect(day).not_to_have_value("")
    await expect(page.get_by_label("When")).not_to_have_value("")
    await expect(page.get_by_role("checkbox", name="Blue")).to_be_checked()
    await day.fill("")
    await count.fill("7")
    spare = page.get_by_label("Spare")
    await expect(spare).to_have_value("14")
    await spare.fill("3")
    await expect(price).to_have_value("70")
    await price.fill("1")
    await page.get_by_label("Why").fill("Because")
    await page.get_by_role("button", name="Add").click()
    part = page.get_by_label("Part")
    await expect(part).to_have_value("8")
    await part.fill("9")
    # What somebody emptied or changed stays, also after a reload.
    await page.reload()
    await expect(count).to_have_value("7")
    await expect(day).to_have_value("")
    await expect(spare).to_have_value("3")
    await expect(price).to_have_value("1")
    await expect(page.get_by_label("Why")).to_have_value("Because")
    await count.fill("8")
    await expect(price).to_have_value("80")
    await expect(page.get_by_label("Why")).to_have_value("")
    await expect(spare).to_have_value("3")
    await set_offline(phone.context, off=False)
    await send(page)
    data = await form.data()
    assert data.pop("when").startswith("2026-03-29T")
    assert data == {
        "count": 8, "spare": 3, "price": 80, "ref": "n-7", "fixed": "x", "colours": ["b"], "before": -1,
        "rows": [{"part": 9, "inner": 9}],
    }  # fmt: skip
    await page.get_by_role("button", name="Submit another response").click()
    await expect(page.get_by_label("Before")).to_have_value("800")
    await expect(page.get_by_role("checkbox", name="Sky")).to_be_checked()
    kept = (
        "Object.entries(localStorage).filter(([key]) => key.startsWith('formwright:last:')).map(([, value]) => value)"
    )
    assert await page.evaluate(kept) == ['{"colours":["b"],"count":8}']
    phone.ignore_errors()


@pytest.mark.slow
async def test_hidden_fields_are_computed_but_not_shown(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "count", "type": "integer"},
        {"name": "twice", "type": "integer", "hidden": True, "calculate": "count * 2"},
        {"name": "told", "type": "note", "label": "That is {{twice}}", "visibleIf": "twice > 3"},
        {"name": "rows", "type": "repeat", "min": 1, "fields": [
            {"name": "n", "type": "integer"},
            {"name": "sum", "type": "integer", "hidden": True, "calculate": "n + twice"}]},
    )  # fmt: skip
    page = await phone.open(form.url)
    await page.get_by_label("Count").fill("4")
    await page.get_by_label("N", exact=True).fill("1")
    await expect(page.get_by_text("That is 8")).to_be_visible()
    await expect(page.locator("#form input:visible")).to_have_count(2)
    await send(page)
    assert await form.data() == {"count": 4, "twice": 8, "rows": [{"n": 1, "sum": 9}]}


async def test_a_calculated_field_is_read_only(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "length", "type": "decimal"},
        {"name": "count", "type": "integer"},
        {"name": "total", "type": "decimal", "calculate": "length * double(count)"},
        {"name": "half", "type": "decimal", "calculate": "total / 2.0"},
    )
    page = await phone.open(form.url)
    await page.get_by_label("Length").fill("2.5")
    await page.get_by_label("Count").fill("4")
    assert await page.get_by_label("Half").input_value() == "5"
    assert not await page.get_by_label("Half").is_editable()
    await page.get_by_label("Count").fill("")
    assert await page.get_by_label("Half").input_value() == ""
    await page.get_by_label("Count").fill("2")
    await send(page)
    assert await form.data() == {"length": 2.5, "count": 2, "total": 5.0, "half": 2.5}


async def test_a_violated_rule_shows_the_message_of_the_form(api: AccountApi, phone: Phone) -> None:
    words = {"en": "Not wider than long", "de": "Nicht breiter als lang"}
    form = await api.create_form(
        {"name": "length", "type": "integer"},
        {"name": "width", "type": "integer", "validIf": "width <= length", "message": words},
    )
    page = await phone.open(f"{form.url}?lang=de")
    await page.get_by_label("Length").fill("2")
    await page.get_by_label("Width").fill("3")
    await page.get_by_role("button", name="Absenden").click()
    await page.get_by_role("link", name="Width: Nicht breiter als lang").wait_for()
    await page.get_by_label("Width").fill("1")
    await page.get_by_role("button", name="Absenden").click()
    await page.get_by_role("heading", name="Vielen Dank").wait_for()
    assert await form.data() == {"length": 2, "width": 1}


async def test_limits_are_checked_before_submitting(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "code", "type": "text", "pattern": "^[A-Z]-\\d+$"},
        {"name": "pair", "type": "text", "minLength": 2},
        {"name": "some", "type": "integer", "max": 9},
        {"name": "mail", "type": "email"},
    )
    page = await phone.open(form.url)
    for name, text in {"Code": "x", "Pair": "🙂", "Some": "10", "Mail": "nobody"}.items():
        await page.get_by_label(name).fill(text)
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="4 answers need attention").wait_for()
    for name, text in {"Code": "A-1", "Pair": "🙂🙂", "Some": "9", "Mail": "a@example.org"}.items():
        await page.get_by_label(name).fill(text)
    await send(page)
    assert await form.data() == {"code": "A-1", "pair": "🙂🙂", "some": 9, "mail": "a@example.org"}


@pytest.mark.parametrize(
    ("field", "loaded"),
    [
        ({"type": "text", "validIf": "site != 'x'"}, False),
        ({"type": "text", "pattern": "^[a-z]+$"}, True),
        ({"type": "text", "validIf": "site.matches('^[a-z]+$')"}, True),
    ],
)
async def test_only_forms_with_patterns_load_the_regex_engine(
    api: AccountApi, phone: Phone, field: dict[str, str], loaded: bool
) -> None:
    form = await api.create_form({"name": "site", **field})
    page = await phone.open(form.url)
    await page.get_by_label("Site").fill("pier")
    await send(page)
    names = await page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert any(name.endswith(asset("re2js/build/index.js")) for name in names) is loaded


async def test_forms_with_digests_load_their_library_also_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "word", "type": "text"},
        {"name": "note", "type": "note", "visibleIf": "digest(word, 'SHA-256', 'hex').startsWith('ba7816bf')"},
    )
    page = await phone.open(form.url)
    await phone.wait_until_cached(page)
    await page.close()
    await set_offline(phone.context)
    page = await phone.open(form.url)
    await page.get_by_label("Word").fill("abd")
    await expect(page.get_by_text("Note", exact=True)).to_have_count(0)
    await page.get_by_label("Word").fill("abc")
    await expect(page.get_by_text("Note", exact=True)).to_be_visible()


@pytest.mark.slow
async def test_a_rule_that_is_too_costly_is_reported_before_submitting(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "story", "type": "text"},
        {"name": "again", "type": "boolean", "calculate": "story.contains(story)"},
        {"name": "hidden", "type": "text", "visibleIf": "false"},
        {"name": "twice", "type": "text", "calculate": "story + story", "maxLength": 20},
    )
    page = await phone.open(form.url)
    for typed, named in (
        ("x" * 10_000, "Again: The rule for this field is too complex"),
        ("x" * 11, "Twice: Enter at most"),
    ):
        await page.get_by_label("Story").fill(typed)
        await page.get_by_role("button", name="Submit").click()
        await page.get_by_role("heading", name="1 answer needs attention").wait_for()
        await expect(page.get_by_role("link", name=named)).to_be_visible()
    await page.get_by_label("Story").fill("x" * 10)
    await send(page)
    assert await form.data() == {"story": "x" * 10, "again": True, "twice": "x" * 20}


async def test_random_initial_answers_are_drawn_once(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(
        {"name": "draw", "type": "decimal", "defaultRule": "random()"},
        {"name": "key", "type": "text", "defaultRule": "uuid()"},
        {"name": "same", "type": "text", "calculate": "key"},
        {"name": "why", "type": "text"},
    )
    page = await phone.open(form.url)
    drawn = await page.get_by_label("Draw").input_value()
    await page.get_by_label("Why").fill("x")
    await expect(page.get_by_label("Draw")).to_have_value(drawn)
    await send(page)
    data = await form.data()
    assert (str(data["draw"]), data["key"]) == (drawn, data["same"])
    assert UUID(data["key"]).version == 4


async def test_the_longest_rules_are_evaluated_in_the_browser(api: AccountApi, phone: Phone) -> None:
    """The page alone decides which fields are visible."""
    notes = [
        {"name": f"note{place}", "type": "note", "label": f"True: {place}.", "visibleIf": rule}
        for place, rule in enumerate(LONGEST.values())
    ]
    form = await api.create_form(*QUESTIONS, *notes)
    page = await phone.open(form.url)
    await page.get_by_label("N", exact=True).fill("1")
    await page.get_by_label("T", exact=True).fill("7")
    await page.get_by_label("X", exact=True).fill("1")
    assert await page.get_by_text("True: ").count() < len(notes)
    await page.get_by_text("No", exact=True).last.click()
    await expect(page.get_by_text("True: ")).to_have_text([f"True: {place}." for place in range(len(notes))])
    assert phone.errors == []
