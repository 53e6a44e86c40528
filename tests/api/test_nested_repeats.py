"""Repeats in repeats, through every interface that reads or writes their rows."""

import io
from pathlib import Path
from typing import Any

import pytest
from actors import Account
from api.test_import_round_trip import comparable, download
from factories.exports import load_file
from factories.forms import form
from factories.random_answers import load_export
from factories.requests import PREFIX, get
from factories.submission_imports import CSV, XLSX, imported, submissions_of, xlsx_file
from factories.submissions import submission
from factories.web_client import visit
from fixtures.feed import FeedClient
from openpyxl import load_workbook

ITEMS: dict[str, Any] = {
    "type": "repeat",
    "name": "items",
    "label": "Items",
    "rowLabel": "{{shop}}: {{item}}",
    "fields": [
        {"type": "text", "name": "item", "label": "Item"},
        {"type": "integer", "name": "price", "label": "Price", "validIf": "price <= most", "indexed": True},
        {"type": "location", "name": "seen", "label": "Seen"},
    ],
}
ORDERS: dict[str, Any] = {
    "type": "repeat",
    "name": "orders",
    "label": "Orders",
    "fields": [
        {"type": "text", "name": "shop", "label": "Shop"},
        {"type": "section", "name": "part", "label": "Part", "fields": [ITEMS]},
        {"type": "decimal", "name": "total", "label": "Total", "calculate": "sum(items.map(i, i.price))"},
    ],
}
FIELDS = [{"type": "integer", "name": "most", "label": "Most"}, ORDERS]
ANSWERS: dict[str, Any] = {
    "most": 9,
    "orders": [
        {"shop": "A", "items": [{"item": "nut", "price": 2}, {"item": "nail", "price": 3, "seen": None}]},
        {},
        {"shop": "B", "items": [{"item": "nut", "price": 4}]},
    ],
}
ANSWERS["orders"][0]["items"][1]["seen"] = {"latitude": 1.5, "longitude": 2.5}
SETTLED = ANSWERS | {"orders": [ANSWERS["orders"][0] | {"total": 5}, {}, ANSWERS["orders"][2] | {"total": 4}]}


async def test_rows_in_rows_are_validated_read_and_exported(feed: FeedClient, tmp_path: Path) -> None:
    account = feed.account
    new_form = await form(account, name="Shop", fields=FIELDS)
    one = await submission(account, new_form, data=ANSWERS)
    assert one["data"] == SETTLED
    wrong = {"most": 3, "orders": [{"items": [{"price": 2}, {"price": 4}, {"prize": 1}]}]}
    path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"
    refused = (await account.api.post(path, json={"data": wrong})).json()
    assert [(each["pointer"], each["code"]) for each in refused["errors"]] == [
        ("/data/orders/0/items/2/prize", "value.unknown"),
        ("/data/orders/0/items/1/price", "value.rule"),
    ]

    submissions = f"/customers/{account.id}/submissions"
    for query, count in {"answers.price=3": 1, "answers.price=5": 0, "answers.item[contains]=nai": 1}.items():
        found = await get(account, f"{submissions}?formId={new_form['id']}&{query}")
        assert len(found["items"]) == count, query
    features = (await get(account, f"{submissions}.geojson?formId={new_form['id']}&field=seen"))["features"]
    assert [(each["id"], each["properties"]["_row"], each["properties"]["item"]) for each in features] == [
        (f"{one['id']}/1/1", 1, "nut"),
        (f"{one['id']}/1/2", 2, "nail"),
        (f"{one['id']}/3/1", 1, "nut"),
    ]
    summary = await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary")
    counts = {each["name"]: (each["repeat"], each["answered"]) for each in summary["fields"]}
    assert counts == {
        "most": (None, 1),
        "orders": (None, 1),
        "shop": ("orders", 2),
        "items": ("orders", 2),
        "item": ("items", 3),
        "price": ("items", 3),
        "seen": ("items", 1),
        "total": ("orders", 2),
    }

    versions = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    newer = (await account.api.post(versions, json={"fields": FIELDS[:1]})).json()
    changes = (await account.api.get(f"{versions}/{newer['id']}/changes")).json()["changes"]
    assert {
        each["before"]: each["submissions"] for each in changes if each["before"] in ("price", "seen", "items")
    } == {
        "items": 1,
        "price": 1,
        "seen": 1,
    }

    rows = await feed.rows("Submissions_Shop__items")
    assert [[row[name] for name in ("_row_orders", "_row", "item", "price")] for row in rows] == [
        [1, 1, "nut", 2],
        [1, 2, "nail", 3],
        [3, 1, "nut", 4],
    ]
    assert [row["total"] for row in await feed.rows("Submissions_Shop__orders")] == [5, None, 4]
    expanded = await feed.rows("Submissions_Shop", expand="orders,items")
    assert [(row["_row_orders"], row["item"]) for row in expanded[0]["items"]] == [(1, "nut"), (1, "nail"), (3, "nut")]

    workbook = load_workbook(io.BytesIO(await load_file(account, f"/submissions/download.xlsx?form={new_form['id']}")))
    async with visit(account) as site:
        cells = [[cell.value for cell in row] for row in workbook["Items"].rows]
        assert cells[0] == [
            *("Submission", "Row (orders)", "Row", "Item", "Price"),
            *("Seen, latitude", "Seen, longitude", "Seen, accuracy (m)"),
        ]
        assert [row[:4] for row in cells[1:]] == [
            [one["id"], *numbers] for numbers in ((1, 1, "nut"), (1, 2, "nail"), (3, 1, "nut"))
        ]
        page = (await site.http.get(f"/submissions/{one['id']}")).text
        assert "A: nail" in page
    parquet = await load_export(account, new_form["id"], tmp_path)
    assert parquet.sql("SELECT orders[1].items[2].seen.latitude, len(orders[3].items) FROM export").fetchall() == [
        (1.5, 1)
    ]
    report = await account.api.get(f"{PREFIX}/customers/{account.id}/submissions/{one['id']}/report.pdf")
    assert report.status_code == 200, report.text


@pytest.mark.parametrize(("kind", "type_"), [("csv", CSV), ("xlsx", XLSX)])
async def test_an_import_of_an_export_keeps_rows_in_rows(account: Account, kind: str, type_: str) -> None:
    first, second = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    await submission(account, first, data=ANSWERS, externalId="a")
    await submission(account, first, data={"most": 9, "orders": [{"items": [{"price": 1}]}]}, externalId="b")
    found = await imported(account, second, await download(account, first, kind), type_)
    assert (found["status"], found["imported"]) == ("DONE", 2), found["errors"]
    assert comparable(await submissions_of(account, second)) == comparable(await submissions_of(account, first))


async def test_rows_of_rows_that_do_not_exist_are_reported(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    sheets = {
        "Submissions": [["id", "Most"], ["x", 9], ["y", 9]],
        "Orders": [["id", "Shop"], ["x", "A"], ["y", "B"]],
        "Items": [["id", "Row (orders)", "Item"], ["x", 1, "nut"], ["y", 2, "nail"], ["y", "one", "nail"]],
    }
    found = await imported(account, new_form, xlsx_file(sheets), XLSX, skipBadRows="true")
    assert (found["imported"], found["rejected"]) == (1, 1)
    assert {each["code"] for each in found["errors"]} == {"import.repeat.link"}
    [kept] = await submissions_of(account, new_form)
    assert kept["data"]["orders"] == [{"shop": "A", "items": [{"item": "nut"}]}]
