"""The settings of every field type: the designer changes what its class has, within the limits of the class."""

from typing import Any

import msgspec
from fixtures.browser import WatchedPage
from playwright.async_api import Page
from web.designer.pages import Designer, row, wait_until_saved

from formwright.domain.forms.fields import FIELD_CLASSES, Field
from formwright.web.views.designer.field_types import describe_field_types
from scripts.field_types import ANSWERS, PROPERTIES

# Fields in a group are beside it in the list, and each setting of a lookup needs a data source.
_COMMON = {field.encode_name for field in msgspec.structs.fields(Field)} | {"fields"}
_OPENED = """() => {
    const panel = document.getElementById("panel");
    const found = {};
    for (const { id } of [...document.querySelectorAll("[role=treeitem]")].map((row) => row.dataset)) {
        document.querySelector(`[data-id="${id}"]`).click();
        for (let add; (add = panel.querySelector(".add-rule button")); ) add.click();
        const type = panel.querySelector('[data-property="type"] select').value;
        found[type] ??= {};
        for (const row of panel.querySelectorAll("[data-property]")) {
            const choices = [...row.querySelectorAll("select option")].map((option) => option.text);
            const input = row.querySelector("input, textarea");
            found[type][row.dataset.property] = { choices, most: input?.maxLength, placeholder: input?.placeholder };
        }
    }
    return found;
}"""


def _fields(datasource_id: str) -> list[dict[str, Any]]:
    """Return a field of each type. The entries of the repeat can begin with rows of a lookup."""
    lookup = {"type": "lookup", "name": "town", "label": "Town", "datasourceId": datasource_id}
    fields = [
        {"type": kind, "name": f"a_{kind}", "label": kind} | dict(PROPERTIES.get(kind, {})) for kind in FIELD_CLASSES
    ]
    for field in fields:
        if "datasourceId" in field:
            field["datasourceId"] = datasource_id
        if "fields" in field:
            field["fields"] = [{"type": "text", "name": f"in_{field['name']}", "label": "In"}]
        if field["type"] == "repeat":
            field["fields"] = [lookup]
    return fields


async def _open_form_of_all_types(page: Page, designer: Designer, name: str, **more: str) -> list[dict[str, Any]]:
    table = {"name": name, "keyColumn": "town", "columns": ["town"], "rows": [{"town": "Berlin"}]}
    source = designer.call_api("POST", f"/customers/{designer.customer_id}/datasources", table)
    fields = [field | more for field in _fields(source["id"])]
    await designer.open(page, designer.create_form(fields, publish=False)["id"])
    return fields


async def test_each_setting_of_each_type_can_be_changed(desktop: WatchedPage, designer: Designer) -> None:
    await _open_form_of_all_types(desktop.page, designer, "Towns of settings")

    shown = await desktop.page.evaluate(_OPENED)

    own = {
        kind: {field.encode_name for field in msgspec.structs.fields(one)} - _COMMON
        for kind, one in FIELD_CLASSES.items()
    }
    assert {kind: sorted(own[kind] - set(shown[kind])) for kind in own if own[kind] - set(shown[kind])} == {}
    unnamed = [
        (kind, name) for kind, rows in shown.items() for name, row in rows.items() if "undefined" in row["choices"]
    ]
    assert unnamed == []
    assert desktop.errors == []

    described = describe_field_types()
    assert (shown["text"]["pattern"]["most"], described["text"]["settings"]["pattern"]["maxLength"]) == (500, 500)
    assert shown["rating"]["max"]["placeholder"] == "5"
    assert shown["lookups"]["maxChoices"]["placeholder"] == "100"


def test_the_options_of_a_setting_and_its_limits_come_from_the_class() -> None:
    described = describe_field_types()
    assert described["photo"]["settings"]["drawing"] == {"kind": "enum", "values": ["photo", "sheet"]}
    assert described["slider"]["settings"]["max"] == {"kind": "integer", "default": 100}
    assert described["decimal"]["settings"]["max"] == {"kind": "number"}
    assert described["nps"]["settings"]["lowLabel"] == {"kind": "label", "maxLength": 2000}
    assert described["ranking"]["settings"]["options"] == {"kind": "list", "maxItems": 1000}


_COMPOSED = """async (answers) => {
    document.querySelector("[role=treeitem]").click();
    const rule = () => document.querySelector('[data-rule="validIf"]');
    [...document.querySelectorAll(".add-rule button")].find((one) => one.textContent.startsWith("Valid if")).click();
    const find = (label) => rule().querySelector(`[aria-label="${label}"]`);
    const set = (control, value, event) => {
        control.value = value;
        control.dispatchEvent(new Event(event));
    };
    const wait = () => new Promise((done) => setTimeout(done, 5));
    const choose = async (name) => {
        find("Answer to").focus();
        set(find("Answer to"), name, "input");
        while (!rule().querySelector("[role=option]")) await wait();
        [...rule().querySelectorAll("[role=option]")].find((one) => one.textContent.includes(`(${name})`)).click();
    };
    const enter = (answer) => {
        const value = find("Value") ?? find("Add a value") ?? rule().querySelector("[aria-label^='Value (']");
        const typed = value?.matches(".count") ? "2" : answer;
        if (value) set(value, typed, value.localName === "select" ? "change" : "input");
        if (find("Add a value")) find("Add a value").dispatchEvent(new Event("change"));
        for (const box of rule().querySelectorAll(".choices input")) box.click();
    };
    const read = async () => {
        [...rule().querySelectorAll("button")].find((one) => one.textContent === "Edit as code").click();
        const code = rule().querySelector("textarea.code").value;
        [...rule().querySelectorAll("button")].find((one) => one.textContent === "Edit as conditions").click();
        return code;
    };
    const rules = {};
    for (const name of Object.keys(answers)) {
        await choose(name);
        rules[name] = [];
        for (const { value, text } of [...find("Comparison").options].map(({ value, text }) => ({ value, text }))) {
            set(find("Comparison"), value, "change");
            if (!["answered", "unanswered"].includes(value)) enter(answers[name]);
            rules[name].push([value, await read(), rule().querySelector(".condition .field-error").textContent]);
        }
    }
    return rules;
}"""


def _typed(answer: Any) -> str:
    return str(answer[0] if isinstance(answer, list) else answer)


async def test_the_conditions_that_the_designer_composes_are_valid(desktop: WatchedPage, designer: Designer) -> None:
    """A condition for each comparison that the menus offer, with fields of all types that have answers."""
    fields = await _open_form_of_all_types(desktop.page, designer, "Towns of conditions", label="Field")
    typed = ANSWERS | {"duration": "1:30", "datetime": "2026-03-29", "boolean": "true"}
    answers = {f"a_{kind}": _typed(answer) for kind, answer in typed.items()}

    found: dict[str, list[list[str]]] = await desktop.page.evaluate(_COMPOSED, answers)

    assert {name: rows for name, rows in found.items() if any(fault or not rule for _, rule, fault in rows)} == {}
    notes = [
        {"type": "note", "name": f"note_{number}", "label": "Shown", "visibleIf": rule}
        for number, rule in enumerate(sorted({rule for rows in found.values() for _, rule, _ in rows}))
    ]
    designer.create_form([*fields, *notes])
    designer.create_form([{"type": "repeat", "name": "rows", "label": "Rows", "fields": [*fields, *notes]}])
    rules = {name: [rule for _, rule, _ in rows] for name, rows in found.items()}
    assert rules["a_boolean"] == [
        *("a_boolean", "!(answered.a_boolean && a_boolean)", "answered.a_boolean", "!answered.a_boolean"),
    ]
    assert rules["a_decimal"][2:5] == ["a_decimal >= 7.5", "a_decimal <= 7.5", "a_decimal > 7.5"]
    assert rules["a_choices"][:2] == ['"a" in a_choices', '!(answered.a_choices && "a" in a_choices)']
    assert rules["a_duration"][2] == "a_duration >= 5400"
    assert desktop.errors == []


_TYPED = {
    "boolean": "true",
    "duration": "1:30",
    "location": "52.5, 13.4",
    "line": "52.5, 13.4\n52.6, 13.4\n52.6 13.5",
    "area": "52.5, 13.4\n52.6, 13.4\n52.6; 13.5",
}
"""What people type for answers of types whose answer is not the text."""


async def test_the_default_of_each_type_is_stored_as_it_is_typed(desktop: WatchedPage, designer: Designer) -> None:
    page = desktop.page
    fields = await _open_form_of_all_types(page, designer, "Towns of defaults")
    form_id = page.url.split("/")[4]
    expected = {
        f"a_{kind}": ANSWERS[kind] for kind, one in describe_field_types().items() if "default" in one["settings"]
    }
    control = page.locator('[data-property="default"] :is(input, select, textarea)')

    for field in fields:
        if field["name"] in expected:
            await row(page, field["label"]).click()
            answer = expected[field["name"]]
            if await control.evaluate("control => control.matches('select')"):
                await control.select_option(_TYPED.get(field["type"], answer))
            else:
                await control.fill(_TYPED.get(field["type"], str(answer)))
    await wait_until_saved(page)

    stored = {one["name"]: one.get("default") for one in designer.newest_version(form_id)["fields"]}
    assert {name: stored[name] for name in expected} == expected
    assert desktop.errors == []
