"""Options that depend on another question, made in the designer without code: in lists beside them, and as text."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fixtures import axe
from fixtures.browser import WatchedPage
from fixtures.node import NodeScript, run_script
from openpyxl import load_workbook
from playwright.async_api import Page, expect
from web.designer.pages import Designer, row, rows, wait_until_saved

Json = dict[str, Any]


@pytest.fixture(scope="module")
def script() -> Iterator[NodeScript]:
    with run_script(Path(__file__).with_name("cascades.mjs")) as script:
        yield script


def option(value: str, label: str = "") -> Json:
    return {"value": value, "label": label or value.capitalize()}


COUNTRIES = [option("de", "Germany"), option("fr", "France"), option("kr", "Korea, Republic of")]
PARENT = {"name": "country", "label": "Country", "options": COUNTRIES}


def city(*options: Json, **more: Any) -> Json:
    return {"type": "choice", "name": "city", "label": "City", "options": list(options)} | more


@pytest.mark.parametrize(
    ("is_list", "shown_for", "rule"),
    [
        (False, [["de"], ["fr"]], "option.country == country"),
        (False, [["de"], None], 'option.country == "" || option.country == country'),
        (False, [["de", "fr"], ["kr"]], "option.country == country || option.country_2 == country"),
        (True, [["de", "fr"], None],
         'option.country == "" || option.country in country || option.country_2 in country'),
        (False, [["de"], []], "option.country == country"),
    ],
)  # fmt: skip
def test_what_is_written_is_read_back(
    script: NodeScript, is_list: bool, shown_for: list[list[str] | None], rule: str
) -> None:
    written = script.ask(["write", city(option("a"), option("b")), {"name": "country", "isList": is_list}, shown_for])
    assert written["optionFilter"] == rule
    assert script.ask(["read", written]) == {"parent": "country", "shownFor": shown_for}
    again = script.ask(["write", written, {"name": "country", "isList": is_list}, [["fr"], ["fr"]]])
    assert {column for one in again["options"] for column in one["columns"]} == {"country"}
    assert script.ask(["remove", again]) == city(option("a"), option("b"))


@pytest.mark.parametrize(
    "rule",
    [
        "option.value == country",
        "option.a == country && option.b == area",
        "option.a == country || option.b == area",
        "country in option.a.words()",
        'option.a == "" || option.b == country',
    ],
)
def test_other_filters_stay_rules(script: NodeScript, rule: str) -> None:
    assert script.ask(["read", city(option("a"), optionFilter=rule)]) is None


def test_the_columns_of_other_filters_and_tables_are_kept(script: NodeScript) -> None:
    other = option("a") | {"columns": {"country": "x", "size": "L"}}
    written = script.ask(["write", city(other), {"name": "country", "isList": False}, [["de"]]])
    assert written["options"][0]["columns"] == {"country": "x", "size": "L", "country_2": "de"}
    assert script.ask(["remove", written])["options"] == [other]


def test_dependent_questions_follow_a_changed_one(script: NodeScript) -> None:
    plain = city(option("a"), option("b"))
    field = script.ask(["write", plain, {"name": "country", "isList": False}, [["de", "fr"], None]])
    [renamed] = script.ask(["rename", [field], "country", "de", "deu"])
    assert script.ask(["read", renamed])["shownFor"] == [["deu", "fr"], None]
    [adapted] = script.ask(["adapt", [field], {"name": "country", "isList": True}])
    assert " in country" in adapted["optionFilter"]
    # In a repeat, names after a dot are renamed: those of columns are not.
    assert script.ask(["renameField", field, "country", "land"])["optionFilter"] == (
        'option.country == "" || option.country == land || option.country_2 == land'
    )


@pytest.mark.parametrize(
    ("content", "heading", "labels", "values", "shown_for"),
    [
        ("Red\nGreen", False, ["Red", "Green"], ["red", "green"], [None, None]),
        ("Yes, always\nNo, never", False, ["Yes, always", "No, never"], ["yes_always", "no_never"], [None, None]),
        ("b\tBlue\nr\tRed", False, ["Blue", "Red"], ["b", "r"], [None, None]),
        ("Berlin;Germany\nLyon;France", False, ["Berlin", "Lyon"], ["berlin", "lyon"], [["de"], ["fr"]]),
        ("germany,Berlin\nFRANCE,Lyon", False, ["Berlin", "Lyon"], ["berlin", "lyon"], [["de"], ["fr"]]),
        ('Seoul,"Korea, Republic of"\n"Bonn, am Rhein",Germany', False, ["Seoul", "Bonn, am Rhein"],
         ["seoul", "bonn_am_rhein"], [["kr"], ["de"]]),
        ('Ville\tPays\n"Metz\nSud"\t"Germany, France"', True, ["Metz\nSud"], ["metz_sud"], [["de", "fr"]]),
        ("Berlin\tGermany\nOther", False, ["Berlin", "Other"], ["berlin", "other"], [["de"], None]),
        ("Town\tGermany\nTown\tFrance", False, ["Town", "Town"], ["town", "town_2"], [["de"], ["fr"]]),
        ("😀 “x”\tGermany\nبرلين\tde", False, ["😀 “x”", "برلين"], ["x", "option"], [["de"], ["de"]]),
        ('"Berlin\n5" screw', False, ['"Berlin', '5" screw'], ["berlin", "screw"], [None, None]),
    ],
)  # fmt: skip
def test_tables_are_read(
    script: NodeScript, content: str, heading: bool, labels: list[str], values: list[str], shown_for: list[Any]
) -> None:
    parent = PARENT if not heading else PARENT | {"label": "Pays"}
    found = script.ask(["parse", content if not heading else content.replace("Ville", "label"), heading,
                        {"parents": [parent]}])  # fmt: skip
    assert found["problems"] == []
    assert [one["label"] for one in found["options"]] == labels
    assert [one["value"] for one in found["options"]] == values
    assert found["shownFor"] == shown_for


@pytest.mark.parametrize(
    ("content", "heading", "problems"),
    [
        ("a\tA\nb\tB\tx\nc\tC", False, ["Line 2 has 3 columns instead of 2."]),
        ("a\tA\tGermany\n\nb\tB\nc\tC\tFrance", False, ["Line 3 has 2 columns instead of 3."]),
        ("Red\nBlue\n\nred", False, ["Line 4: “red” is also in line 1."]),
        ("a\tA\na\tB", False, ["Line 2: “a” is also in line 1."]),
        ("Town\tGermany\nTown\tGermany", False, ["Line 2: “Town” is also in line 1."]),
        ("label\tCountry\nBerlin\tGermany\nRome\tItaly", True, ["Line 3: “Italy” is not an option of “Country”."]),
        ("Berlin;Germany\nLyon;France\nRome;Itly", False, ["Line 3: “Itly” is not an option of “Country”."]),
        ("value\tlabel\na\tA\n\t\n\tx\n \t \nb\t", True, []),
        ("country\tcountry\nGermany\tFrance", True,
         ["Say which column has the labels.", "Options can depend on one other question only.",
          "Line 2 has no label."]),
    ],
)  # fmt: skip
def test_what_is_wrong_names_its_line(script: NodeScript, content: str, heading: bool, problems: list[str]) -> None:
    assert script.ask(["parse", content, heading, {"parents": [PARENT]}])["problems"] == problems


def test_a_heading_is_one_only_if_somebody_says_so(script: NodeScript) -> None:
    content = "value\tlabel\nb\tBlue"
    as_heading, as_option = (script.ask(["parse", content, heading, {}]) for heading in (True, False))
    assert [one["value"] for one in as_heading["options"]] == ["b"]
    assert [one["value"] for one in as_option["options"]] == ["value", "b"]


def test_options_written_as_text_are_read_back(script: NodeScript) -> None:
    options = [option("a", 'A "b"\tc') | {"points": 2, "exclusive": True}, option("b", "Second\nline"), option("c")]
    context = {"parents": [PARENT]}
    field = script.ask(["write", city(*options), {"name": "country", "isList": False}, [["kr", "de"], None, ["kr"]]])
    context["options"] = field["options"]
    context["cascade"] = {"parent": "country", "columns": ["country", "country_2"], "hasAlways": True}
    content = script.ask(["format", context])
    found = script.ask(["parse", content, True, context])
    assert found["problems"] == []
    assert found["options"] == field["options"]
    assert (found["parent"], found["shownFor"]) == ("country", [["kr", "de"], None, ["kr"]])


class Counter:
    """Counts the clicks and keys of a journey: a text that is typed counts as its field, not its letters."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.keys = page, 0, 0

    async def click(self, role: Any, name: str, **more: Any) -> None:
        self.clicks += 1
        await self.page.get_by_role(role, name=name, **more).first.click()

    async def press(self, key: str) -> None:
        self.keys += 1
        await self.page.keyboard.press(key)

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)


async def test_a_cascade_is_made_without_code(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await axe.bring(page)
    form = designer.create_form([{"type": "text", "name": "who", "label": "Who"}], publish=False)
    await designer.open(page, form["id"])
    hand = Counter(page)
    await row(page, "Who").click()
    await _add_choice(hand, "Country", ["Germany", "France", "Italy"])
    await _add_choice(hand, "City", ["Berlin", "Paris", "Rome"])
    await page.get_by_label("Options depend on").select_option("Country")
    hand.clicks += 2
    for country in ("Germany", "France", "Italy"):
        await hand.click("button", "Shown for: all")
        await hand.click("checkbox", country)
    # The designer needs 10 clicks for the cascade, after two questions with three options each.
    assert (hand.clicks, hand.keys) == (10, 8)
    await wait_until_saved(page)
    preview = page.frame_locator("#preview")
    await expect(preview.get_by_text("Answer “Country” first.")).to_be_visible()
    assert await axe.faults(page) == []
    cities = designer.newest_version(form["id"])["fields"][2]
    assert cities["optionFilter"] == "option.country == country"
    assert [one["columns"]["country"] for one in cities["options"]] == ["germany", "france", "italy"]

    await preview.get_by_text("France", exact=True).click()
    await expect(preview.get_by_role("radiogroup", name="City").get_by_role("radio")).to_have_count(1)

    # A new option is shown for the same answers as the one before it, and “Other” always.
    await page.get_by_label("Option 3", exact=True).press("Enter")
    await expect(page.get_by_role("button", name="Shown for: Italy")).to_have_count(2)
    await page.get_by_role("button", name="Add “Other”").click()
    await expect(page.get_by_role("button", name="Shown for: all (option 5)")).to_be_visible()
    # The cascade follows the label, the name and the type of the other question.
    await row(page, "Country").click()
    await page.get_by_label("Option 1", exact=True).fill("Deutschland")
    await page.get_by_label("Field name").fill("land")
    await page.get_by_label("Type", exact=True).select_option("Multiple choice")
    await wait_until_saved(page)
    cities = designer.newest_version(form["id"])["fields"][2]
    assert cities["optionFilter"] == 'option.country == "" || option.country in land'
    assert cities["options"][0]["columns"]["country"] == "deutschland"
    sheet = load_workbook(io.BytesIO(_download_xlsx(designer, form["id"])))["survey"]
    assert "country = '' or selected(${land}, country)" in [cell.value for line in sheet.rows for cell in line]
    await page.get_by_role("button", name="Delete", exact=True).click()
    await row(page, "City").click()
    await expect(page.get_by_text("The question “land” is not in this form.")).to_be_visible()
    await page.get_by_label("Options depend on").select_option("No other question")
    await wait_until_saved(page)
    assert "columns" not in str(designer.newest_version(form["id"])["fields"][1])
    assert desktop.errors == []


async def _add_choice(hand: Counter, label: str, options: list[str]) -> None:
    page = hand.page
    await hand.click("button", "+ Single choice")
    await hand.type(label)
    await page.get_by_label("Option 1", exact=True).fill(options[0])
    await page.get_by_label("Option 2", exact=True).fill(options[1])
    await page.get_by_label("Option 2", exact=True).focus()
    await hand.press("Enter")
    await hand.type(options[2])
    hand.keys += 3  # Tab into the options.


def _download_xlsx(designer: Designer, form_id: str) -> bytes:
    version = designer.newest_version(form_id)["id"]
    url = f"{designer.url}/api/v1.0{designer.forms_path}/{form_id}/versions/{version}/xlsform"
    response = httpx.get(url, headers={"x-api-key": designer.person.key}, verify=False)
    response.raise_for_status()
    return response.content


@pytest.mark.slow
async def test_five_hundred_options_are_searched(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await axe.bring(page)
    towns = [option(f"t{n}", f"Town {n}") for n in range(498)] + [option("q", '"Quote" <b>'), option("rtl", "برلين")]
    parent = {"type": "choice", "name": "town", "label": "Town", "options": towns}
    form = designer.create_form([parent, city(option("a"), option("b"))], publish=False)
    await designer.open(page, form["id"])
    await row(page, "City").click()
    await page.get_by_label("Options depend on").select_option("Town")
    took = await page.evaluate(
        """async () => { const begun = performance.now(); document.querySelector(".shown-for-button").click();
             const search = document.querySelector(".shown-for input"); search.value = "497";
             search.dispatchEvent(new Event("input")); await new Promise(requestAnimationFrame);
             return performance.now() - begun; }"""
    )
    assert took < 1000
    await expect(page.get_by_text("1 found")).to_be_visible()
    search = page.get_by_label("Search the options of Town")
    await search.press("Enter")
    for text in ("برلين", '"quote'):
        await search.fill(text)
        await search.press("Enter")
    await expect(page.get_by_role("button", name='Shown for: Town 497, "Quote" <b>, برلين')).to_be_visible()
    await search.fill("Town 4")
    for _ in range(25):
        await page.locator(".shown-for .check:not([hidden]) input:not(:checked)").first.click()
    await expect(page.get_by_text("At most 20 can be ticked.")).to_be_visible()
    await wait_until_saved(page)
    assert await axe.faults(page, frames=False) == []
    await search.press("Escape")
    await expect(page.get_by_role("button", name="Shown for: 20 of 500")).to_be_focused()
    assert len(designer.newest_version(form["id"])["fields"][1]["options"][0]["columns"]) == 20
    assert desktop.errors == []


@pytest.mark.slow
async def test_a_table_pasted_into_an_option_is_shown_first(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    await axe.bring(page)
    parent = {"type": "choice", "name": "country", "label": "Country", "options": COUNTRIES}
    form = designer.create_form([parent, city(option("a"), option("z"))], publish=False)
    await designer.open(page, form["id"])
    await row(page, "City").click()
    await page.get_by_label("Option 1", exact=True).evaluate(
        """(input, text) => { const clipboardData = new DataTransfer(); clipboardData.setData("text/plain", text);
             input.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true})) }""",
        "Berlin\tGermany\nLyon\tFrance\nLyon\tFrance",
    )
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("Line 3: “Lyon” is also in line 2.")).to_be_visible()
    assert await axe.faults(page) == []
    await dialog.get_by_role("button", name="Apply").click()
    await dialog.get_by_label("One option per line").fill("Berlin;Germany\nLyon;France")
    await expect(dialog.get_by_label("Column 2 has").locator("option:checked")).to_have_text("Shown for: Country")
    await dialog.get_by_role("button", name="Apply").click()
    await wait_until_saved(page)
    saved = designer.newest_version(form["id"])["fields"][1]
    assert [one["value"] for one in saved["options"]] == ["berlin", "lyon", "z"]
    assert [one["columns"]["country"] for one in saved["options"]] == ["de", "fr", ""]
    # What the dialog has written has a heading, and what replaces it has none.
    await page.get_by_role("button", name="Edit as text").click()
    await expect(dialog.get_by_label("The first line is a heading")).to_be_checked()
    await expect(dialog.get_by_text("3 options.")).to_be_visible()
    await dialog.get_by_label("One option per line").fill("label;Germany\nMetz;France")
    await expect(dialog.get_by_label("The first line is a heading")).not_to_be_checked()
    await expect(dialog.get_by_text("2 options.")).to_be_visible()
    await dialog.get_by_label("The first line is a heading").check()
    await expect(dialog.get_by_text("1 option.")).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(rows(page)).to_have_count(2)
    assert desktop.errors == []
