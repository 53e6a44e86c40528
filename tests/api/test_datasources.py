"""Data sources and their rows."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import body, datasource, rows
from factories.requests import PREFIX, get


async def faults(account: Account, **members: Any) -> list[tuple[str, str]]:
    """Return the errors of a rejected data source."""
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/datasources", json=body(**members))
    assert response.status_code == 422, response.text
    assert (await get(account, "/datasources"))["items"] == []
    return [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]


async def data(account: Account, datasource: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a data source without their times."""
    listed = await get(account, f"/customers/{account.id}/datasources/{datasource['id']}/rows", limit=1000)
    return [{"key": row["key"], "data": row["data"]} for row in listed["items"]]


async def test_a_data_source_is_returned_with_its_rows(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(3))
    assert await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}") == new_datasource
    assert (new_datasource["rowCount"], new_datasource["columns"], new_datasource["keyColumn"]) == (
        3,
        ["number", "name"],
        "number",
    )
    assert await data(account, new_datasource) == [{"key": row["number"], "data": row} for row in rows(3)]


async def test_both_lists_contain_it(account: Account) -> None:
    new_datasource = await datasource(account)
    assert (await get(account, "/datasources"))["items"] == [new_datasource]
    assert (await get(account, f"/customers/{account.id}/datasources"))["items"] == [new_datasource]


async def test_cells_of_every_type_are_returned_unchanged(account: Account) -> None:
    row = {"number": 7, "text": "Ää 🎉 \\u0000 '\"", "half": 0.5, "yes": True, "none": None, "big": 2**53, "less": -1}
    new_datasource = await datasource(account, rows=[row])
    assert await data(account, new_datasource) == [{"key": "7", "data": row}]


async def test_columns_can_be_listed_and_rows_may_omit_some(account: Account) -> None:
    new_datasource = await datasource(account, columns=["name", "number", "town"], rows=rows(1))
    assert new_datasource["columns"] == ["name", "number", "town"]


async def test_columns_default_to_those_of_all_rows(account: Account) -> None:
    new_datasource = await datasource(
        account, rows=[{"number": 1}, {"number": 2, "town": "Kiel"}, {"name": "x", "number": 3}]
    )
    assert new_datasource["columns"] == ["number", "town", "name"]


async def test_a_data_source_can_start_without_rows(account: Account) -> None:
    new_datasource = await datasource(account, columns=["number"], rows=[])
    assert (new_datasource["rowCount"], await data(account, new_datasource)) == (0, [])


async def test_10000_rows_are_imported_in_one_request(account: Account) -> None:
    assert (await datasource(account, rows=rows(10_000)))["rowCount"] == 10_000


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"rows": [{"number": "1"}, {"number": "1"}]}, ("/rows/1/number", "datasource.key.taken")),
        ({"rows": [{"number": 7}, {"number": " 7 "}]}, ("/rows/1/number", "datasource.key.taken")),
        ({"rows": [{"number": "1"}, {"name": "x"}]}, ("/rows/1/number", "datasource.key.missing")),
        ({"rows": [{"number": None}]}, ("/rows/0/number", "datasource.key.missing")),
        ({"rows": [{"number": "  "}]}, ("/rows/0/number", "datasource.key.missing")),
        ({"rows": [{"number": "x" * 501}]}, ("/rows/0/number", "datasource.key.too_long")),
        ({"rows": [{"number": [1]}]}, ("/rows/0/number", "value.type")),
        ({"rows": [{"": 1, "number": 1}]}, ("/rows/0", "value.name")),
        ({"columns": ["number"], "rows": rows(1)}, ("/rows/0/name", "datasource.column.unknown")),
        ({"columns": ["number", "a/b", "a/b"], "rows": []}, ("/columns", "datasource.column.taken")),
        ({"columns": ["name"], "rows": []}, ("/keyColumn", "datasource.key_column")),
        ({"columns": ["number", *map(str, range(200))], "rows": []}, ("/columns", "datasource.columns.too_many")),
        ({"name": ""}, ("/name", "value.too_short")),
        ({"keyColumn": ""}, ("/keyColumn", "value.too_short")),
    ],
)
async def test_invalid_imports_are_reported_and_nothing_is_stored(
    account: Account, members: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert await faults(account, **members) == [fault]


async def test_the_longest_key_is_stored(account: Account) -> None:
    key = "🎉" * 500
    new_datasource = await datasource(account, rows=[{"number": key}])
    assert [row["key"] for row in await data(account, new_datasource)] == [key]


async def test_every_invalid_row_is_reported(account: Account) -> None:
    bad = [{"number": "1"}, {"number": ""}, {"number": "1"}, {"number": "2"}, {"name": "x"}]
    found = await faults(account, columns=["number", "name"], rows=bad)
    assert [where for where, _ in found] == ["/rows/1/number", "/rows/2/number", "/rows/4/number"]


async def test_only_the_first_of_many_invalid_rows_are_reported(account: Account) -> None:
    assert len(await faults(account, columns=["number", "name"], rows=[{"name": "x"}] * 3000)) == 1000


async def test_names_of_data_sources_are_unique(account: Account, stranger: Account) -> None:
    await datasource(account, name="Customers")
    await datasource(stranger, name="Customers")
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/datasources", json=body(name="Customers"))
    assert (response.status_code, response.json()["code"]) == (409, "datasource.name_taken")
    assert len((await get(account, "/datasources"))["items"]) == 1
