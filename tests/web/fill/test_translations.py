"""A form uses one language: our messages and those of the form library are translated in every state."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from fixtures import axe
from fixtures.fill_pages import PICTURE, AccountApi, Form, Phone
from fixtures.node import node
from playwright.async_api import Page, expect

from formwright.domain.forms.answers.error_messages import MESSAGES
from formwright.web.bundles import STATIC
from formwright.web.fill.assets import translation_module
from formwright.web.fill.messages import choose_language, parse_accept_language

ROOT = Path(__file__).parents[3]
WORDS = STATIC / "fill" / "texts"
# Biome puts a long text on the line after its name.
LINE = re.compile(r'^  (\w+):\s+"(.*)",$', re.MULTILINE)
OTHERS = sorted(MESSAGES.keys() - {"en"})
OPTIONS = [{"value": value, "label": f"§{value}"} for value in "abcdefghijkl"]
# Texts that are the same in English and the language.
ALIKE = {"Latitude, longitude", "Link", "Minutes", "No", "Offline", "OK", "Photo {0}", "Signature"}

ALL_TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest("script, noscript, #language")) found.push(walk.currentNode.data);
  }
  for (const one of document.querySelectorAll("body *")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(one.getAttribute(name) ?? "");
  }
  return found;
}"""
BASIC = """import { basicTexts } from "./src/formwright/web/static/fill/texts/basic.mjs";
console.log(JSON.stringify(basicTexts));"""


def basic_texts() -> dict[str, dict[str, str]]:
    """Return the texts of buttons in the languages into which the page is not translated."""
    command = [str(node()), "--input-type=module", "-e", BASIC]
    found: dict[str, dict[str, str]] = json.loads(
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    )
    return found


def sentences(tag: str) -> dict[str, str]:
    return dict(LINE.findall((WORDS / f"{tag}.js").read_text(encoding="utf-8")))


@pytest.mark.parametrize("tag", OTHERS)
def test_every_message_is_translated(tag: str) -> None:
    english, own = sentences("en"), sentences(tag)
    assert own.keys() == english.keys()
    assert {name for name in own if placeholders(own[name]) != placeholders(english[name])} == set()
    assert {own[name] for name in own if own[name] == english[name]} <= ALIKE


def placeholders(sentence: str) -> list[str]:
    return sorted(re.findall(r"\{\d\}", sentence))


def test_page_and_server_support_the_same_languages() -> None:
    assert {path.stem for path in WORDS.glob("*.js")} == set(MESSAGES)
    assert {choose_language([tag]) for tag in MESSAGES} == set(MESSAGES)


def test_error_codes_of_the_server_have_messages_on_the_page() -> None:
    reasons = dict(re.findall(r'"([a-z_.]+)": "(\w+)"', (STATIC / "fill" / "texts.js").read_text(encoding="utf-8")))
    assert len(reasons) > 5
    assert set(reasons.values()) <= sentences("en").keys()
    known = Path("docs/reference/errors.md").read_text(encoding="utf-8")
    assert [code for code in reasons if f"`{code}`" not in known] == []


def test_the_preferred_language_of_the_browser_is_used() -> None:
    assert parse_accept_language("da, en-GB;q=0.8, de-AT;q=0.9, fr;q=0, x;q=nonsense") == ["da", "de-AT", "en-GB"]
    assert choose_language(parse_accept_language("da, en;q=0.8, de-AT;q=0.9")) == "de"


async def test_a_closed_form_is_reported_in_the_browsers_language(api: AccountApi) -> None:
    response = await api.http.get(f"/fill/f{'0' * 43}", headers={"accept-language": "pl"})
    assert 'lang="pl"' in response.text
    assert "jest niedostępny" in response.text


async def test_the_script_of_a_closed_form_has_texts_in_english(api: AccountApi, phone: Phone) -> None:
    page = phone.context.pages[0]
    await page.goto(f"{api.server.base_url}/fill/f{'0' * 43}")
    await expect(page.locator("[data-word]")).to_have_text(sentences("en")["answersOnDevice"])
    await expect(page.locator("[data-word]")).to_have_attribute("lang", "en")


@pytest.mark.slow
async def test_no_text_is_in_another_language(api: AccountApi, phone: Phone) -> None:
    """One language is enough to find text that is not translated; the others are checked for the sentences shown."""
    tag = "de"
    own = sentences(tag)
    page = await phone.open((await create_form(api, tag)).url)
    ours = [re.compile(_pattern(one)) for one in own.values()]

    async def look() -> None:
        left = {_without_content(text) for text in await page.evaluate(ALL_TEXTS)}
        assert {text for text in left if re.search(r"[^\W\d_]", text) and not _matches(text, ours)} == set()

    await look()
    await page.locator("#send").click()
    await page.locator("#problems").wait_for()
    await look()
    await _visit_all_states(page, own, look)
    await phone.context.set_offline(True)
    await expect(page.locator("#state")).to_have_text(own["offline"])
    await page.locator("#send").click()
    await page.locator("#thanks").wait_for()
    await look()
    await phone.context.set_offline(False)
    phone.ignore_errors("422")


def test_buttons_have_texts_in_further_languages() -> None:
    basic, english = basic_texts(), sentences("en")
    assert len(basic) > 40
    assert basic.keys() & MESSAGES.keys() == set()
    for tag, texts in basic.items():
        assert texts.keys() == basic["ar"].keys() <= english.keys(), tag
        assert {name for name in texts if placeholders(texts[name]) != placeholders(english[name])} == set(), tag
        assert all(texts.values()), tag
        assert len({texts["yes"], texts["no"], texts["submit"], texts["clear"]}) == 4, tag
    assert {translation_module(tag) for tag in (*basic, "nb", "zh-Hant", "zh-CN", "pt-BR")}.isdisjoint({None})


async def test_a_form_brings_its_own_texts_of_buttons(api: AccountApi, phone: Phone) -> None:
    buttons = {"submit": {"ti": "ኣረክብ", "en": "Apply"}, "next": "ቀጽል"}
    fields = [{"name": name, "label": {"ti": "ኣበይ", "en": "Where"}, "type": "text"} for name in ("a", "b")]
    form = await api.create_form(*fields, language="ti", questionPerPage=True, buttons=buttons)
    page = await phone.open(f"{form.url}?lang=ti")
    following = page.get_by_role("button", name="ቀጽል")
    await expect(following).to_have_attribute("lang", "ti")
    await following.click()
    await expect(page.get_by_role("button", name="ኣረክብ")).to_be_visible()
    await expect(page.get_by_role("button", name="Back")).to_have_attribute("lang", "en")
    await page.get_by_label("Language").select_option("en")
    await expect(page.get_by_role("button", name="Apply")).to_be_visible()
    await page.get_by_role("button", name="Back").click()
    # A text without languages is in the language of the form.
    await expect(page.get_by_role("button", name="Next")).to_be_visible()


async def test_a_form_in_arabic_has_arabic_buttons(api: AccountApi, phone: Phone) -> None:
    texts = basic_texts()["ar"]
    fields: list[dict[str, Any]] = [
        {"name": "sure", "label": "موافق؟", "type": "boolean"},
        {"name": "town", "label": "المدينة", "type": "choice", "options": OPTIONS[:2]},
        {"name": "must", "label": "الاسم", "type": "text", "required": True},
        {"name": "many", "label": "قائمة", "type": "choices", "options": OPTIONS},
        {"name": "rows", "label": "العائلة", "type": "repeat", "fields": [{"name": "x", "label": "x", "type": "text"}]},
    ]
    form = await api.create_form(*fields, language="ar")
    await axe.bring(phone.context.pages[0])
    page = await phone.open(form.url)
    await expect(page.locator("html")).to_have_attribute("dir", "rtl")
    for name in ("yes", "no"):
        await expect(page.get_by_role("radio", name=texts[name], exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name=f"{texts['addEntry']}: العائلة")).to_be_visible()
    await page.get_by_text("§a", exact=True).first.click()
    await expect(page.get_by_role("button", name=f"{texts['clear']}: المدينة")).to_be_visible()
    await page.get_by_role("button", name=texts["submit"], exact=True).click()
    problems = page.locator("#problems")
    await expect(problems.get_by_role("link")).to_have_text(f"\u2068الاسم\u2069: \u2068{texts['required']}\u2069")
    # What is not translated is in English, and reads like English.
    await expect(problems.get_by_role("heading", name="1 answer needs attention")).to_have_css(
        "unicode-bidi", "plaintext"
    )
    assert await axe.faults(page) == []


async def create_form(api: AccountApi, tag: str) -> Form:
    rows = [{"number": "1", "name": "§row"}]
    kinds: list[dict[str, Any]] = [
        *({"type": kind} for kind in ("email", "url", "phone", "integer", "decimal", "date", "time", "datetime")),
        *({"type": kind} for kind in ("rating", "slider", "location", "barcode", "boolean", "photo", "signature")),
        {"type": "choice", "options": OPTIONS},
        {"type": "choices", "options": OPTIONS},
        {"type": "choice", "options": OPTIONS[:2]},
        {"type": "lookup", "datasourceId": await api.create_datasource(rows), "display": ["name"]},
        {"type": "file", "maxFiles": 2},
    ]
    fields = [{"name": f"f{index}", "label": f"§{index}", **one} for index, one in enumerate(kinds)]
    inner = {"name": "what", "label": "§what", "type": "text"}
    return await api.create_form(
        *fields,
        {"name": "rows", "label": "§rows", "type": "repeat", "fields": [inner]},
        {"name": "must", "label": "§must", "type": "text", "required": True, "minLength": 3},
        language=tag,
        thanks="§thanks",
    )


async def _visit_all_states(page: Page, words: dict[str, str], look: Any) -> None:
    """Add rows, open lists, choose accepted and rejected files, and cause every kind of error."""
    await page.locator(".sd-paneldynamic__add-btn").click()
    for which in (0, 2):
        await page.locator(".sd-dropdown, .sd-tagbox").nth(which).click()
        await page.wait_for_timeout(300)
        await look()
        await page.keyboard.press("Escape")
    search = page.locator(".sv-popup:visible .sv-list__input")
    await page.locator(".sd-dropdown").last.click()
    await search.fill("zzz")
    await page.get_by_role("status").get_by_text(words["noResults"]).wait_for()
    await look()
    # Do not press Escape: after a search without results it may move the focus out of the list.
    await page.locator(".sv-popup:visible .sv-popup__body-footer button").click()
    photo = page.locator('input[type="file"]').first
    other = page.locator('input[type="file"]:not([accept="image/*"])').first
    text = {"name": "§.txt", "mimeType": "text/plain"}
    # The server rejects a text that is no photo, and the page itself an empty file.
    await photo.set_input_files({**text, "buffer": b"no picture"})
    await page.locator(".file-state", has_text=words["fileType"]).wait_for()
    await look()
    await page.locator(".files button").click()
    await photo.set_input_files(PICTURE)
    await other.set_input_files({**text, "buffer": b""})
    await page.locator(".widget-status", has_text=words["fileEmpty"]).wait_for()
    await look()
    await page.locator(".files button").click()
    await expect(page.locator(".files button")).to_have_count(0)
    await page.locator("canvas").scroll_into_view_if_needed()
    await page.get_by_text(words["signHere"]).wait_for()
    for kind, text in {"email": "x", "tel": "x", "url": "x"}.items():
        await page.locator(f'input[type="{kind}"], input[autocomplete="{kind}"]').first.fill(text)
    await page.get_by_label("§must").fill("x")
    await page.locator("#send").click()
    # The page scrolls to the first error. Text typed before that might end up in its field.
    await expect(page.locator('[data-name="f0"] input')).to_be_focused()
    await look()
    for kind in ("email", "tel", "url"):
        await page.locator(f'input[type="{kind}"], input[autocomplete="{kind}"]').first.fill("")
    await page.get_by_label("§must").fill("§long")


def _pattern(sentence: str) -> str:
    """Return a pattern that matches the sentence with any values in its placeholders."""
    return r"\s*".join(".*".join(map(re.escape, re.split(r"\{\w+\}", line))) for line in sentence.split("\n"))


def _without_content(text: str) -> str:
    """Return the text without the form's own texts and the account's name."""
    return re.sub(r"§[\w.]*|^A form$|^<i>Owner</i>$|a\.png|https://$", " ", text.strip()).strip(" :*·,-\n")


def _matches(text: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    return any(one.fullmatch(text) for one in patterns)
