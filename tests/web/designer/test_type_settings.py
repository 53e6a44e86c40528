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


async def _open_form_of_all_types(page: Page, designer: Designer, name: str) -> list[dict[str, Any]]:
    table = {"name": name, "keyColumn": "town", "columns": ["town"], "rows": [{"town": "Berlin"}]}
    source = designer.call_api("POST", f"/customers/{designer.customer_id}/datasources", table)
    fields = _fields(source["id"])
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
    const area = document.querySelector('[data-property="validIf"] textarea');
    const builder = area.closest(".field").querySelector(".builder");
    for (let outer = builder; outer; outer = outer.parentElement.closest("details")) outer.open = true;
    const list = (label) => builder.querySelector(`select[aria-label=${label}]`);
    const choose = (label, value) => {
        list(label).value = value;
        list(label).dispatchEvent(new Event("change"));
    };
    const values = (label) => [...list(label).options].map(({ value }) => value);
    while (!list("Field")) await new Promise(requestAnimationFrame);
    const rules = {};
    for (const name of values("Field")) {
        choose("Field", name);
        rules[name] = values("Comparison").map((comparison) => {
            choose("Comparison", comparison);
            const value = builder.querySelector("[aria-label=Value]");
            if (value) value.value = answers[name];
            area.value = "";
            builder.querySelector("button").click();
            return area.value;
        });
    }
    return rules;
}"""


def _typed(answer: Any) -> str:
    return str(answer[0] if isinstance(answer, list) else answer)


async def test_the_conditions_that_the_designer_composes_are_valid(desktop: WatchedPage, designer: Designer) -> None:
    """A condition for each comparison that the menus offer, with fields of all types that have answers."""
    fields = await _open_form_of_all_types(desktop.page, designer, "Towns of conditions")
    answers = {f"a_{kind}": _typed(answer) for kind, answer in (ANSWERS | {"duration": _TYPED["duration"]}).items()}

    rules: dict[str, list[str]] = await desktop.page.evaluate(_COMPOSED, answers)

    del rules["in_a_section"]
    assert set(rules) == set(answers)
    assert {name: found for name, found in rules.items() if not all(found) or len(found) < 2} == {}
    conditions = [rule for found in rules.values() for rule in found]
    notes = [
        {"type": "note", "name": f"note_{number}", "label": "Shown", "visibleIf": rule}
        for number, rule in enumerate(conditions)
    ]
    designer.create_form([*fields, *notes])
    assert {name: found[:-2] for name, found in rules.items() if name in ("a_decimal", "a_choices", "a_photo")} == {
        "a_decimal": ["a_decimal == 7.5", "a_decimal != 7.5", "a_decimal > 7.5", "a_decimal < 7.5"],
        "a_choices": ['"a" in a_choices'],
        "a_photo": [],
    }
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
