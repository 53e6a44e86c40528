"""Forms and their versions."""

from typing import Any

import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get

EVERY_KIND: list[dict[str, Any]] = [
    {"type": "text", "name": "a", "label": "A", "minLength": 2, "maxLength": 9, "default": "abc"},
    {"type": "textarea", "name": "b", "label": {"en": "Why", "de": "Warum"}, "hint": "Say it", "maxLength": 500},
    {"type": "email", "name": "c", "label": "C", "required": True},
    {"type": "phone", "name": "d", "label": "D"},
    {"type": "url", "name": "e", "label": "E"},
    {"type": "integer", "name": "f", "label": "F", "min": -5, "max": 5, "default": 0},
    {"type": "decimal", "name": "g", "label": "G", "min": 0.5, "max": 1.5},
    {"type": "boolean", "name": "h", "label": "H", "default": True},
    {"type": "date", "name": "i", "label": "I", "readOnly": True},
    {"type": "time", "name": "j", "label": "J"},
    {"type": "datetime", "name": "k", "label": "K"},
    {"type": "choice", "name": "l", "label": "L", "options": [{"value": "x", "label": "X"}], "default": "x"},
    {"type": "choices", "name": "m", "label": "M", "options": [{"value": "x", "label": {"en": "X"}}]},
    {"type": "rating", "name": "n", "label": "N", "max": 3},
    {"type": "slider", "name": "o", "label": "O", "min": 10, "max": 20, "step": 2},
    {"type": "note", "name": "p", "label": "Read this"},
]


def text(**members: Any) -> dict[str, Any]:
    return {"type": "text", "name": "a", "label": "A"} | members


def choice(*values: str, **members: Any) -> dict[str, Any]:
    options = [{"value": value, "label": value or "-"} for value in values]
    return {"type": "choice", "name": "a", "label": "A", "options": options} | members


async def faults(account: Account, *fields: dict[str, Any], **members: Any) -> list[tuple[str, str]]:
    """Return the errors of a rejected form with these fields."""
    response = await account.api.post(f"{PREFIX}/forms", json={"name": "Visit", "fields": fields} | members)
    assert response.status_code == 422, response.text
    assert (await get(account, f"/forms/customer/{account.id}/forms"))["items"] == []
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def test_a_created_form_can_be_read(account: Account) -> None:
    new_form = await form(account, description="Each week", tags=["field", "weekly"])
    assert await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}") == new_form
    assert (new_form["name"], new_form["description"], new_form["tags"]) == ("Visit", "Each week", ["field", "weekly"])
    assert (new_form["status"], new_form["revision"], new_form["folderId"]) == ("ACTIVE", 1, None)


async def test_a_published_form_refers_to_its_final_version(account: Account) -> None:
    new_form = await form(account)
    address = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    version = await get(account, f"{address}/{new_form['publishedVersionId']}")
    assert (version["status"], version["number"], version["formId"]) == ("FINAL", 1, new_form["id"])
    assert (await get(account, address))["items"] == [version]


async def test_a_draft_cannot_be_filled_in(account: Account) -> None:
    new_form = await form(account, publish=False)
    assert new_form["publishedVersionId"] is None
    [version] = (await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"))["items"]
    assert version["status"] == "DRAFT"
    response = await account.api.post(
        f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions", json={"data": {"site": "x"}}
    )
    assert (response.status_code, response.json()["code"]) == (409, "form.not_published")
    assert (await get(account, "/submissions"))["items"] == []


async def test_a_form_is_a_draft_unless_published(account: Account) -> None:
    response = await account.api.post(f"{PREFIX}/forms", json={"name": "Visit", "fields": FIELDS})
    assert response.json()["publishedVersionId"] is None


async def test_fields_of_every_type_are_returned_unchanged(account: Account) -> None:
    new_form = await form(account, fields=EVERY_KIND, settings={"language": "de-AT", "thanks": {"de": "Danke"}})
    [version] = (await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"))["items"]
    assert version["fields"] == EVERY_KIND
    assert version["settings"] == {"language": "de-AT", "thanks": {"de": "Danke"}}


async def test_the_fill_path_of_a_published_form_works(account: Account) -> None:
    new_form = await form(account)
    async with account.stage.client() as anybody:
        assert (await anybody.get(new_form["fillPath"])).status_code == 200
        assert (await anybody.get(new_form["fillPath"][:-1] + "_")).status_code == 404


async def test_a_version_only_exists_in_its_form(account: Account) -> None:
    one, two = await form(account), await form(account)
    address = f"{PREFIX}/forms/customer/{account.id}/forms/{one['id']}/versions/{two['publishedVersionId']}"
    response = await account.api.get(address)
    assert (response.status_code, response.json()["code"]) == (404, "form.version.not_found")


async def test_1500_fields_are_accepted_and_1501_rejected(account: Account) -> None:
    many = [text(name=f"f{n}") for n in range(1501)]
    assert await faults(account, *many) == [("/fields", "form.fields.too_many")]
    await form(account, fields=many[:1500])


@pytest.mark.parametrize("many", [1001, 10_000])
async def test_more_than_1000_options_are_rejected(account: Account, many: int) -> None:
    long = choice(*(f"v{n}" for n in range(many)), name="b")
    assert await faults(account, text(), long) == [("/fields/1/options", "value.too_many")]


async def test_a_rejected_change_to_10000_options_leaves_the_form_unchanged(account: Account) -> None:
    new_form = await form(account)
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    body = {"name": "Other", "fields": [choice(*(f"v{n}" for n in range(10_000)))]}
    response = await account.api.put(f"{PREFIX}{path}", json=body)
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (422, "/fields/0/options")
    assert await get(account, path) == new_form
    assert len((await get(account, f"{path}/versions"))["items"]) == 1


async def test_a_form_without_fields_is_rejected(account: Account) -> None:
    assert await faults(account) == [("/fields", "form.fields.none")]


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        (text(minLength=5, maxLength=4), ("/fields/1/minLength", "field.range")),
        ({"type": "integer", "name": "a", "label": "A", "min": 2, "max": 1}, ("/fields/1/min", "field.range")),
        ({"type": "decimal", "name": "a", "label": "A", "min": 0.2, "max": 0.1}, ("/fields/1/min", "field.range")),
        ({"type": "slider", "name": "a", "label": "A", "min": 101}, ("/fields/1/min", "field.range")),
        (
            {"type": "integer", "name": "a", "label": "A", "max": 5, "default": 6},
            ("/fields/1/default", "field.default"),
        ),
        (
            {"type": "decimal", "name": "a", "label": "A", "min": 5, "default": 4.9},
            ("/fields/1/default", "field.default"),
        ),
        (text(maxLength=2, default="abc"), ("/fields/1/default", "field.default")),
        (choice("x", "y", default="z"), ("/fields/1/default", "field.default")),
        (choice("x", "y", "x"), ("/fields/1/options/2/value", "field.option.taken")),
        (choice("x", "x") | {"type": "choices"}, ("/fields/1/options/1/value", "field.option.taken")),
        (choice(), ("/fields/1/options", "value.too_few")),
        (choice(""), ("/fields/1/options/0/value", "value.too_short")),
        (text(name="site"), ("/fields/1/name", "field.name.taken")),
        (text(name="1a"), ("/fields/1/name", "value.pattern")),
        (text(name="a b"), ("/fields/1/name", "value.pattern")),
        (text(name="a\n"), ("/fields/1/name", "value.pattern")),
        (text(name="ä"), ("/fields/1/name", "value.pattern")),
        (text(name="a" * 65), ("/fields/1/name", "value.pattern")),
        (text(name=""), ("/fields/1/name", "value.pattern")),
        (text(label=""), ("/fields/1/label", "value.too_short")),
        (text(label=5), ("/fields/1/label", "value.type")),
        (text(label={}), ("/fields/1/label", "value.too_few")),
        (text(label={"en": ""}), ("/fields/1/label/en", "value.too_short")),
        (text(options=[]), ("/fields/1/options", "value.unknown")),
        (text(type="photograph"), ("/fields/1/type", "value.choice")),
        (text(type=5), ("/fields/1/type", "value.choice")),
        ({"name": "a", "label": "A"}, ("/fields/1/type", "value.required")),
        ({"type": "text", "label": "A"}, ("/fields/1/name", "value.required")),
        ({"type": "rating", "name": "a", "label": "A", "max": 11}, ("/fields/1/max", "value.too_great")),
        ({"type": "slider", "name": "a", "label": "A", "step": 0}, ("/fields/1/step", "value.too_small")),
        ({"type": "integer", "name": "a", "label": "A", "max": 2**53 + 1}, ("/fields/1/max", "value.too_great")),
    ],
)
async def test_an_invalid_definition_is_rejected_with_a_pointer(
    account: Account, field: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert await faults(account, text(name="site"), field) == [fault]


async def test_a_field_that_is_not_an_object_is_reported_once(account: Account) -> None:
    assert await faults(account, text(), 4) == [("/fields/1", "value.type")]


async def test_all_errors_of_a_definition_are_reported_at_once(account: Account) -> None:
    found = await faults(account, text(minLength=5, maxLength=4), text(), choice("x", "x", default="z", name="c"))
    assert set(found) == {
        ("/fields/0/minLength", "field.range"),
        ("/fields/1/name", "field.name.taken"),
        ("/fields/2/options/1/value", "field.option.taken"),
        ("/fields/2/default", "field.default"),
    }


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"name": "x" * 201}, "/name"),
        ({"description": "x" * 2001}, "/description"),
        ({"tags": [""]}, "/tags/0"),
        ({"tags": ["x"] * 51}, "/tags"),
        ({"publish": "yes"}, "/publish"),
        ({"settings": {"language": "english"}}, "/settings/language"),
        ({"settings": {"language": "en\n"}}, "/settings/language"),
        ({"settings": {"colour": "red"}}, "/settings/colour"),
    ],
)
async def test_the_length_of_form_names_is_limited(account: Account, members: dict[str, Any], pointer: str) -> None:
    assert [where for where, _ in await faults(account, text(), **members)] == [pointer]
