"""Times of the rows of data sources: an import changes those of the rows that it changes, and a period finds them."""

from typing import Any

from actors import Account
from factories.datasources import datasource, rows
from factories.pagination import pages
from factories.requests import PREFIX, get

Times = dict[str, tuple[str, str]]


async def replace(account: Account, base: str, body: list[dict[str, Any]], method: str = "PUT") -> str:
    """Import rows and return when the data source was updated."""
    response = await account.api.request(method, f"{PREFIX}{base}/rows", json={"rows": body})
    assert response.status_code == 200, response.text
    updated: str = (await get(account, base))["updated"]
    return updated


async def times(account: Account, base: str, query: str = "") -> Times:
    """Return when each row was created and updated, in the order of the list."""
    found = await pages(account, f"{base}/rows?order=updated&limit=2{query}")
    return {row["key"]: (row["created"], row["updated"]) for page in found for row in page}


async def test_only_changed_rows_get_a_new_time(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(5))
    base = f"/customers/{account.id}/datasources/{new_datasource['id']}"
    first = new_datasource["updated"]
    assert await times(account, base) == {f"C-{n}": (first, first) for n in range(1, 6)}
    body = rows(5)
    assert await replace(account, base, body) == first

    body[1]["name"] = "Changed"
    del body[3]
    second = await replace(account, base, [*body, {"number": "C-6", "name": "New"}])
    after = {f"C-{n}": (first, first) for n in (1, 3, 5)} | {"C-2": (first, second), "C-6": (second, second)}
    assert list((await times(account, base)).items()) == list(after.items())

    third = await replace(account, base, [{"number": "C-2", "name": "Again"}, {"number": "C-1"}], "POST")
    after["C-2"] = (first, third)
    assert first < second < third
    assert await times(account, base) == after

    for query, expected in (
        (f"&updatedFrom={third}", {"C-2"}),
        (f"&updatedFrom={second}", {"C-2", "C-6"}),
        (f"&updatedFrom={first}&updatedTo={second}", {"C-1", "C-3", "C-5"}),
        (f"&updatedFrom={second}&updatedTo={third}", {"C-6"}),
        (f"&updatedTo={first}", set()),
        ("&updatedFrom=2999-01-01T00:00:00Z", set()),
        (f"&updatedFrom={third}&q=again", {"C-2"}),
        (f"&updatedTo={third}&q=again", set()),
        (f"&updatedTo={third}&q=customer", {"C-1", "C-3", "C-5"}),
        (f"&updatedFrom={second}&key=C-2", {"C-2"}),
        (f"&updatedFrom={second}&key=C-1", set()),
    ):
        assert set(await times(account, base, query)) == expected, query


async def test_a_restored_row_keeps_the_time_of_its_creation(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(2))
    base = f"/customers/{account.id}/datasources/{new_datasource['id']}"
    deleted = await account.api.delete(f"{PREFIX}{base}/rows", params={"key": "C-1"})
    assert deleted.status_code == 200, deleted.text
    back = await account.api.post(f"{PREFIX}{base}/rows/restore", json={"key": "C-1"})
    assert back.status_code == 200, back.text
    updated = back.json()["updated"]
    assert await times(account, base, f"&updatedFrom={updated}") == {"C-1": (new_datasource["created"], updated)}


async def test_other_orders_and_invalid_times_are_rejected(account: Account) -> None:
    new_datasource = await datasource(account)
    path = f"{PREFIX}/customers/{account.id}/datasources/{new_datasource['id']}/rows"
    for query, pointer in (({"order": "created"}, "?order"), ({"updatedFrom": "yesterday"}, "?updatedFrom")):
        response = await account.api.get(path, params=query)
        assert (response.status_code, [fault["pointer"] for fault in response.json()["errors"]]) == (400, [pointer])
