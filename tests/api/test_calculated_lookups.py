"""Lookups whose key a rule computes: the server copies the columns of their rows into hidden fields."""

from typing import Any
from uuid import uuid4

from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import submission

PEOPLE = [
    {"number": "7", "name": "Ana", "boss": "8", "age": 40},
    {"number": "8", "name": "Bo", "boss": "9", "age": 50},
    {"number": "9", "name": "Cy", "age": 60},
]


def hidden(name: str, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "label": name, "hidden": True, **more}


def fields(of: str) -> list[dict[str, Any]]:
    row = {"datasourceId": of}
    return [
        {"type": "integer", "name": "id", "label": "Id"},
        # In any order: the second one depends on a column of the first.
        hidden("chief", "lookup", **row, calculate="boss", mapping={"name": "chief_name"}),
        hidden("person", "lookup", **row, calculate="string(id)", mapping={"boss": "boss", "age": "age"}),
        *(hidden(name) for name in ("chief_name", "boss")),
        hidden("age", "integer"),
        {"type": "text", "name": "why", "label": "Why?", "visibleIf": "age > 45", "required": True},
        {
            "type": "repeat",
            "name": "team",
            "label": "Team",
            "fields": [
                {"type": "text", "name": "member", "label": "Member"},
                hidden("found", "lookup", **row, calculate="member + string(id)", mapping={"name": "called"}),
                hidden("called"),
            ],
        },
    ]


async def test_rows_of_computed_keys_fill_hidden_fields(account: Account) -> None:
    table = await datasource(account, rows=PEOPLE)
    new_form = await form(account, fields=fields(table["id"]))
    forged = {"person": "9", "boss": "9", "age": 1, "chief_name": "Forged"}
    came = await submission(
        account, new_form, data={"id": 7, "team": [{"called": "Forged"}, {"member": "x"}], **forged}
    )
    assert came["data"] == {
        "id": 7, "person": "7", "boss": "8", "age": 40, "chief": "8", "chief_name": "Bo",
        "team": [{}, {"member": "x", "found": "x7"}],
    }  # fmt: skip
    rows = {one["pointer"]: (one["key"], one["data"]) for one in came["lookups"]}
    assert rows == {
        "/data/chief": ("8", {"name": "Bo"}),
        "/data/person": ("7", {"boss": "8", "age": 40}),
        "/data/team/1/found": ("x7", None),
    }
    # Rules see the columns; a row that does not exist is no error.
    path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"
    refused = await account.api.post(path, json={"data": {"id": 8}})
    assert [(one["pointer"], one["code"]) for one in refused.json()["errors"]] == [("/data/why", "value.required")]
    nobody = await submission(account, new_form, data={"id": 1, "age": 99})
    assert nobody["data"] == {"id": 1, "person": "1"}
    edited = await account.api.put(
        f"{PREFIX}/customers/{account.id}/submissions/{came['id']}", json={"data": {"id": 9, "why": "y"}}
    )
    assert edited.json()["data"] == {"id": 9, "why": "y", "person": "9", "age": 60}
    body = {"versionId": new_form["publishedVersionId"], "data": {"id": 7}}
    async with account.stage.client() as page:
        sent = await page.post(f"{new_form['fillPath']}/submissions/{uuid4()}", json=body)
    assert sent.status_code == 201, sent.text


async def test_lookups_may_not_depend_on_each_other_in_a_cycle_or_too_deeply(account: Account) -> None:
    of = (await datasource(account, rows=PEOPLE))["id"]

    async def errors(*fields: dict[str, Any]) -> list[str]:
        named = [{"type": "text", "name": "start", "label": "Start"}, *fields]
        response = await account.api.post(f"{PREFIX}/forms", json={"name": "x", "fields": named})
        return [one["code"] for one in response.json().get("errors", ())]

    def chain(length: int) -> list[dict[str, Any]]:
        names = ["start", *(f"t{n}" for n in range(length))]
        return [
            one
            for n in range(length)
            for one in (
                hidden(f"row{n}", "lookup", datasourceId=of, calculate=names[n], mapping={"boss": names[n + 1]}),
                hidden(names[n + 1]),
            )
        ]

    assert await errors(*chain(5)) == []
    assert await errors(*chain(6)) == ["form.lookups"]
    loop = hidden("row", "lookup", datasourceId=of, calculate="boss", mapping={"boss": "boss"})
    assert await errors(loop, hidden("boss")) == ["field.rule.circle"]
