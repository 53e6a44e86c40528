"""The rows that the page stores for offline use."""

from typing import Any

from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX
from httpx import Response

from formwright.web.fill import offline_rows

ROWS = [
    {"number": f"C-{n}", "name": f"Name {n}", "city": "Kiel", "street": f"Quay {n}", "staff": n, "secret": "hidden"}
    for n in range(5)
]


async def create_form(
    account: Account, rows: list[dict[str, Any]], **more: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    table = await datasource(account, rows=rows)
    lookup = {
        "type": "lookup",
        "name": "client",
        "label": "Client",
        "datasourceId": table["id"],
        "display": ["name"],
        "mapping": {"staff": "people"},
        "filter": {"city": "town"},
    } | more
    others = [{"type": kind, "name": name, "label": name} for name, kind in [("people", "integer"), ("town", "text")]]
    return table, await form(account, fields=[lookup, *others])


async def fetch_rows(account: Account, form: dict[str, Any], known: str = "", **query: Any) -> Response:
    headers = {"if-none-match": known} if known else None
    async with account.stage.client() as page:
        return await page.get(f"{form['fillPath']}/lookup/client/rows", params=query, headers=headers)


async def test_a_page_gets_only_the_columns_it_needs(account: Account) -> None:
    _, visit = await create_form(account, ROWS)
    response = await fetch_rows(account, visit)
    assert response.status_code == 200, response.text
    assert response.headers["content-encoding"] == "gzip"
    page = response.json()
    assert page["columns"] == [
        {"name": "name", "type": "text"},
        {"name": "staff", "type": "integer"},
        {"name": "city", "type": "text"},
    ]
    assert page["rows"] == [[f"C-{n}", f"Name {n}", str(n), "Kiel"] for n in range(5)]
    assert (page["version"], page["count"], page["fits"], page["next"]) == (1, 5, True, None)
    assert (page["display"], page["mapping"]) == (["name"], ["staff"])
    assert "hidden" not in response.text
    assert "Quay" not in response.text


async def test_cached_rows_are_not_sent_again_until_they_change(account: Account) -> None:
    table, visit = await create_form(account, ROWS)
    etag = (await fetch_rows(account, visit)).headers["etag"]
    again = await fetch_rows(account, visit, etag)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    path = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    response = await account.api.post(path, json={"rows": [{"number": "C-0", "name": "New"}]})
    assert response.is_success
    changed = await fetch_rows(account, visit, etag)
    assert changed.status_code == 200
    assert [row[:2] for row in changed.json()["rows"]][-1] == ["C-0", "New"]
    assert changed.headers["etag"] != etag
    assert changed.json()["version"] == 2


async def test_other_columns_have_another_etag(account: Account) -> None:
    table, visit = await create_form(account, ROWS)
    _, other = await create_form(account, ROWS, datasourceId=table["id"], display=["name", "street"])
    assert (await fetch_rows(account, visit)).headers["etag"] != (await fetch_rows(account, other)).headers["etag"]


async def test_many_rows_are_sent_in_parts_without_gaps(account: Account) -> None:
    _, visit = await create_form(
        account, [{"number": n, "name": "x" * (n % 90), "staff": 1, "city": ""} for n in range(4321)]
    )
    keys: list[str] = []
    after: int | str = ""
    parts = 0
    while after is not None:
        page = (await fetch_rows(account, visit, after=after)).json()
        keys += [row[0] for row in page["rows"]]
        after, parts = page["next"], parts + 1
    assert keys == [str(n) for n in range(4321)]
    assert parts == 3


async def test_a_part_with_large_cells_has_few_rows(account: Account) -> None:
    _, visit = await create_form(
        account, [{"number": n, "name": "x" * 9000, "staff": 1, "city": ""} for n in range(500)]
    )
    page = (await fetch_rows(account, visit)).json()
    assert len(page["rows"]) == 200
    assert page["next"]


async def test_a_large_data_source_is_not_sent(account: Account, monkeypatch: Any) -> None:
    _, visit = await create_form(account, ROWS)
    monkeypatch.setattr(offline_rows, "MAX_ROWS", 4)
    page = (await fetch_rows(account, visit)).json()
    assert (page["fits"], page["rows"], page["count"], page["next"]) == (False, [], 5, None)


async def test_rows_require_the_link_and_a_lookup_field(account: Account) -> None:
    _, visit = await create_form(account, ROWS)
    async with account.stage.client() as page:
        for path in ("/fill/nobody/lookup/client/rows", f"{visit['fillPath']}/lookup/town/rows"):
            assert (await page.get(path)).status_code == 404
    await account.api.put(f"{PREFIX}/forms/customer/{account.id}/forms/{visit['id']}", json={"status": "ARCHIVED"})
    assert (await fetch_rows(account, visit)).is_client_error


async def test_an_invalid_position_is_the_start(account: Account) -> None:
    _, visit = await create_form(account, ROWS)
    for after in ("-1", "x", "9" * 40, "²"):
        assert len((await fetch_rows(account, visit, after=after)).json()["rows"]) == 5
