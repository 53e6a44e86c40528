"""The settings of every field type: the designer changes what its class has, within the limits of the class."""

from typing import Any

import msgspec
from fixtures.browser import WatchedPage
from web.designer.pages import Designer

from formwright.domain.forms.fields import FIELD_CLASSES, Field
from formwright.web.views.designer.field_types import describe_field_types
from scripts.field_types import PROPERTIES

# Fields in a group are beside it in the list, and each setting of a lookup needs a data source.
_COMMON = {field.encode_name for field in msgspec.structs.fields(Field)} | {"fields"}
_OPENED = """() => {
    const panel = document.getElementById("panel");
    const found = {};
    for (const { id } of [...document.querySelectorAll("[role=treeitem]")].map((row) => row.dataset)) {
        document.querySelector(`[data-id="${id}"]`).click();
        const type = panel.querySelector('[data-member="type"] select').value;
        found[type] ??= {};
        for (const row of panel.querySelectorAll("[data-member]")) {
            const choices = [...row.querySelectorAll("select option")].map((option) => option.text);
            const input = row.querySelector("input, textarea");
            found[type][row.dataset.member] = { choices, most: input?.maxLength, placeholder: input?.placeholder };
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


async def test_each_setting_of_each_type_can_be_changed(desktop: WatchedPage, designer: Designer) -> None:
    table = {"name": "Towns", "keyColumn": "town", "columns": ["town"], "rows": [{"town": "Berlin"}]}
    source = designer.call_api("POST", f"/customers/{designer.customer_id}/datasources", table)
    form = designer.create_form(_fields(source["id"]), publish=False)
    await designer.open(desktop.page, form["id"])

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
