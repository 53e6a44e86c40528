"""Imports of rows into a data source, and their reports."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource, rows
from factories.requests import PREFIX, get
from factories.row_files import CSV, XLSX, csv_file, xlsx_file
from httpx import Response

HEAD = ("number", "name", "town")


def address(account: Account, datasource: dict[str, Any], tail: str = "") -> str:
    return f"{PREFIX}/customers/{account.id}/datasources/{datasource['id']}{tail}"


async def send(account: Account, method: str, url: str, content: bytes, kind: str = CSV, **query: Any) -> Response:
    return await account.api.request(method, url, content=content, headers={"content-type": kind}, params=query)


async def all_rows(account: Account, datasource: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
    listed = await get(account, f"/customers/{account.id}/datasources/{datasource['id']}/rows", limit=1000, **query)
    found: list[dict[str, Any]] = listed["items"]
    return found


def counts(report: dict[str, Any]) -> tuple[int, int, int, int, int]:
    return tuple(report[name] for name in ("inserted", "updated", "unchanged", "deleted", "skipped"))


async def upsert(account: Account, datasource: dict[str, Any], *given: dict[str, Any], **query: Any) -> dict[str, Any]:
    response = await account.api.post(address(account, datasource, "/rows"), json={"rows": given}, params=query)
    assert response.status_code == 200, response.text
    report: dict[str, Any] = response.json()
    return report


async def test_an_upsert_reports_its_result(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(3))
    report = await upsert(
        account, new_datasource, {"number": "C-2", "name": "New"}, rows(3)[2], {"number": "C-9", "name": "x"}
    )
    assert (counts(report), report["version"], report["badRows"]) == ((1, 1, 1, 0, 0), 2, [])
    assert [row["key"] for row in await all_rows(account, new_datasource)] == ["C-1", "C-3", "C-2", "C-9"]
    assert (await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}"))["rowCount"] == 4


async def test_an_upsert_keeps_columns_that_a_row_omits(account: Account) -> None:
    new_datasource = await datasource(account, rows=[{"number": 1, "name": "a", "town": "Kiel"}])
    await upsert(account, new_datasource, {"number": 1, "town": "Bonn"}, {"number": 2, "phone": "+49 1"})
    await upsert(account, new_datasource, {"number": 1, "name": None})
    empty = {"name": None, "town": None, "phone": None}
    assert [row["data"] for row in await all_rows(account, new_datasource)] == [
        {"number": 2} | empty | {"phone": "+49 1"},
        {"number": 1} | empty | {"town": "Bonn"},
    ]


async def test_an_upsert_without_changes_creates_no_version_and_no_event(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(3))
    assert counts(await upsert(account, new_datasource, *rows(3))) == (0, 0, 3, 0, 0)
    assert await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}") == new_datasource
    events = await get(account, f"/webhooks/customer/{account.id}/events", type="datasource.imported")
    assert len(events["items"]) == 1


async def test_replacing_deletes_missing_rows(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(4))
    given = [{"number": "C-4", "name": "Customer 4"}, {"number": "C-1", "name": "Other"}]
    response = await account.api.put(address(account, new_datasource, "/rows"), json={"rows": given})
    assert counts(response.json()) == (0, 1, 1, 2, 0)
    assert [row["key"] for row in await all_rows(account, new_datasource)] == ["C-4", "C-1"]


async def test_all_rows_can_be_deleted(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(4))
    response = await account.api.put(address(account, new_datasource, "/rows"), json={"rows": []})
    assert counts(response.json()) == (0, 0, 0, 4, 0)
    assert await all_rows(account, new_datasource) == []


async def test_a_dry_run_returns_the_same_and_changes_nothing(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(4))
    given = [*rows(2), {"number": "C-3", "name": "Other"}, {"number": "C-7", "name": "x"}]
    tried = await account.api.put(
        address(account, new_datasource, "/rows"), json={"rows": given}, params={"dryRun": "true"}
    )
    assert (counts(tried.json()), tried.json()["dryRun"]) == ((1, 1, 2, 1, 0), True)
    assert await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}") == new_datasource
    assert (
        len((await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}/imports"))["items"]) == 1
    )
    done = await account.api.put(address(account, new_datasource, "/rows"), json={"rows": given})
    assert counts(done.json()) == counts(tried.json())


async def test_a_dry_run_creates_no_data_source(account: Account) -> None:
    url = f"{PREFIX}/customers/{account.id}/datasources"
    response = await account.api.post(
        url, json={"name": "x", "keyColumn": "a", "rows": [{"a": 1}]}, params={"dryRun": "true"}
    )
    assert response.json()["import"]["inserted"] == 1
    assert (await get(account, "/datasources"))["items"] == []


async def test_the_charset_of_the_content_type_is_used(account: Account) -> None:
    new_datasource, text = await datasource(account), "number,name\n1,Łódź\n"
    for encoding, kind, query in (
        ("cp1250", "text/csv; charset=windows-1250", {}),
        ("shift_jis", 'text/csv; header=present; charset="Shift_JIS"', {}),
        ("utf-8", "text/csv; charset=utf-8", {}),
        ("utf-8", "text/csv; charset=nobody-knows", {}),
        ("utf-16", "text/csv; charset=us-ascii", {}),
        ("cp1250", "text/csv; charset=utf-16", {"encoding": "cp1250"}),
    ):
        there = text if encoding != "shift_jis" else "number,name\n1,港\n"
        url = address(account, new_datasource, "/rows")
        response = await send(account, "PUT", url, there.encode(encoding), kind, **query)
        assert response.status_code == 200, response.text
        assert [row["data"]["name"] for row in await all_rows(account, new_datasource)] == [
            there.split(",")[-1].strip()
        ], kind


@pytest.mark.parametrize(("kind", "make"), [(CSV, csv_file), (XLSX, xlsx_file)])
async def test_a_file_creates_a_data_source_with_inferred_types(account: Account, kind: str, make: Any) -> None:
    table = [("sku", "name", "price", "stock", "since"), ("007", "Ärmel", 1.5, 3, "2024-02-29"), ("x", "ß", 2, "", "")]
    url = f"{PREFIX}/customers/{account.id}/datasources"
    response = await send(account, "POST", url, make(table), kind, name="Products")
    assert response.status_code == 201, response.text
    created = response.json()
    assert (created["name"], created["keyColumn"], counts(created["import"])) == ("Products", "sku", (2, 0, 0, 0, 0))
    assert created["types"] == {"sku": "text", "name": "text", "price": "decimal", "stock": "integer", "since": "date"}
    assert [row["data"] for row in await all_rows(account, created)] == [
        {"sku": "007", "name": "Ärmel", "price": 1.5, "stock": 3, "since": "2024-02-29"},
        {"sku": "x", "name": "ß", "price": 2.0, "stock": None, "since": None},
    ]


async def test_a_file_requires_a_name(account: Account) -> None:
    url = f"{PREFIX}/customers/{account.id}/datasources"
    response = await send(account, "POST", url, csv_file([("a",), (1,)]))
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [
        ("?name", "datasource.name.missing")
    ]


async def test_file_options_are_rejected_with_json(account: Account) -> None:
    new_datasource = await datasource(account)
    response = await account.api.post(
        address(account, new_datasource, "/rows"), json={"rows": []}, params={"delimiter": ";"}
    )
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "?delimiter")


async def test_a_file_replaces_or_upserts_rows(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(2))
    table = [("number", "name"), ("C-2", "Customer 2"), ("C-3", "Neu")]
    added = await send(account, "POST", address(account, new_datasource, "/rows"), csv_file(table, ";"))
    assert counts(added.json()) == (1, 0, 1, 0, 0)
    replaced = await send(account, "PUT", address(account, new_datasource, "/rows"), xlsx_file(table), XLSX)
    assert counts(replaced.json()) == (0, 0, 2, 1, 0)
    changed = await send(
        account, "PUT", address(account, new_datasource), csv_file([("id", "name"), ("1", "x")]), keyColumn="id"
    )
    assert (changed.json()["keyColumn"], changed.json()["columns"]) == ("id", ["id", "name"])


async def test_every_invalid_line_is_reported_and_nothing_is_changed(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(2))
    table = [("number", "name"), ("C-1", "a"), ("", "b"), ("C-1", "c"), ("C-5", "d", "ragged")]
    response = await send(account, "PUT", address(account, new_datasource, "/rows"), csv_file(table))
    assert response.status_code == 422
    found = [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]]
    assert found == [
        ("#row=3", "datasource.key.missing"),
        ("#row=4", "datasource.key.taken"),
        ("#row=5", "row.ragged"),
    ]
    kept = [(row["key"], row["data"]) for row in await all_rows(account, new_datasource)]
    assert kept == [(row["number"], row) for row in rows(2)]
    past = (await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}/imports"))["items"]
    assert [(one["status"], one["source"], len(one["badRows"])) for one in past] == [
        ("FAILED", "CSV", 3),
        ("DONE", "JSON", 0),
    ]


async def test_invalid_rows_can_be_skipped(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(2))
    table = [("number", "name"), ("C-1", "a"), ("", "b"), ("C-1", "c"), ("C-5", "d", "ragged")]
    response = await send(
        account, "PUT", address(account, new_datasource, "/rows"), csv_file(table), skipBadRows="true"
    )
    assert counts(response.json()) == (0, 1, 0, 1, 3)
    assert [row["line"] for row in response.json()["badRows"]] == [3, 4, 5]
    assert [row["data"]["name"] for row in await all_rows(account, new_datasource)] == ["a"]


@pytest.mark.parametrize(
    ("content", "kind", "code"),
    [
        (b"", CSV, "table.empty"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", CSV, "table.html"),
        (b"a,b\n1,2\n", XLSX, "table.kind"),
        (b"a,,c\n1,2,3\n", CSV, "table.header.blank"),
        (b"a,b,a\n1,2,3\n", CSV, "table.header.taken"),
        ((",".join(f"c{n}" for n in range(2000)) + "\n").encode(), CSV, "table.columns.too_many"),
    ],
)
async def test_a_file_that_is_not_a_table_is_rejected(account: Account, content: bytes, kind: str, code: str) -> None:
    url = f"{PREFIX}/customers/{account.id}/datasources"
    response = await send(account, "POST", url, content, kind, name="x")
    assert (response.status_code, [fault["code"] for fault in response.json()["errors"]]) == (422, [code])
    assert (await get(account, "/datasources"))["items"] == []


async def test_cells_must_match_fixed_types(account: Account) -> None:
    new_datasource = await datasource(account, rows=[{"number": 1, "zip": "01067"}], types={"zip": "text"})
    fixed = await account.api.put(
        address(account, new_datasource), json={"types": {"number": "integer", "zip": "text"}}
    )
    assert fixed.json()["types"] == {"number": "integer", "zip": "text"}
    response = await account.api.post(
        address(account, new_datasource, "/rows"), json={"rows": [{"number": "A"}, {"number": 2}]}
    )
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [
        ("/rows/0/number", "datasource.cell.type")
    ]


async def test_a_dry_run_of_an_update_changes_nothing(account: Account) -> None:
    new_datasource = await datasource(account)
    tried = await account.api.put(address(account, new_datasource), json={"name": "Other"}, params={"dryRun": "true"})
    assert (tried.status_code, tried.json()["name"]) == (200, "Other")
    assert await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}") == new_datasource


async def test_types_that_do_not_match_existing_rows_are_rejected(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(1))
    response = await account.api.put(address(account, new_datasource), json={"types": {"name": "integer"}})
    assert (response.status_code, response.json()["errors"][0]["code"]) == (422, "datasource.cell.type")


async def test_an_inferred_type_changes_with_the_cells(account: Account) -> None:
    new_datasource = await datasource(account, rows=[{"number": 1}])
    await upsert(account, new_datasource, {"number": "A1"})
    assert [row["data"] for row in await all_rows(account, new_datasource)] == [{"number": "1"}, {"number": "A1"}]


async def test_an_inferred_type_stays_without_cells(account: Account) -> None:
    new_datasource = await datasource(account, rows=[{"number": 1, "size": 2}])
    assert (await upsert(account, new_datasource))["version"] == 1
    assert (await upsert(account, new_datasource, {"number": 1, "size": 2}, {"number": 2, "size": None}))[
        "version"
    ] == 2
    file = {"content": "number,size\n3,\n", "headers": {"Content-Type": "text/csv"}}
    assert (await account.api.post(address(account, new_datasource, "/rows"), **file)).status_code == 200
    sizes = [(row["data"]["number"], row["data"]["size"]) for row in await all_rows(account, new_datasource)]
    assert sizes == [(1, 2), (2, None), (3, None)]


async def test_long_integers_stay_exact_in_a_decimal_column(account: Account) -> None:
    sizes = [2**53 + 1, -(10**17) - 1, 10**309, 7, 0.5]
    new_datasource = await datasource(account, rows=[{"number": n, "size": size} for n, size in enumerate(sizes[:-1])])
    await upsert(account, new_datasource, {"number": 4, "size": sizes[-1]})
    assert [row["data"]["size"] for row in await all_rows(account, new_datasource)] == sizes


async def test_a_data_source_can_be_renamed_to_an_unused_name(account: Account) -> None:
    new_datasource, other = await datasource(account), await datasource(account)
    changed = await account.api.put(address(account, new_datasource), json={"name": "Clients"})
    assert (changed.json()["name"], changed.json()["import"], changed.json()["revision"]) == ("Clients", None, 2)
    taken = await account.api.put(address(account, other), json={"name": "Clients"})
    assert (taken.status_code, taken.json()["code"]) == (409, "datasource.name_taken")


async def test_concurrent_imports_are_serialised_or_rejected_as_busy(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(1))
    answers = await asyncio.gather(
        *(
            account.api.post(
                address(account, new_datasource, "/rows"), json={"rows": [{"number": f"N-{n}", "name": "x"}]}
            )
            for n in range(8)
        )
    )
    done = [response for response in answers if response.status_code == 200]
    assert {response.json()["code"] for response in answers if response not in done} <= {"datasource.busy"}
    assert len(await all_rows(account, new_datasource)) == 1 + len(done) >= 2


async def test_many_rows_are_imported_in_steps_and_become_visible_at_once(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(10))
    table = [("number", "name"), *((f"C-{n}", f"Customer {n}") for n in range(5, 9005))]
    response = await send(account, "PUT", address(account, new_datasource, "/rows"), csv_file(table))
    assert counts(response.json()) == (8994, 0, 6, 4, 0)
    assert (await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}"))["rowCount"] == 9000
    assert [row["key"] for row in await all_rows(account, new_datasource, q="omer 9004")] == ["C-9004"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("müll", ["1"]),
        ("MULL", ["1"]),
        ("ller", ["1", "3"]),
        ("mü", ["1"]),
        ("er", ["2"]),
        ("ler an", ["1"]),
        ("strasse", ["2"]),
        ("京都", ["4"]),
        ("京", ["4"]),
        ("都", ["4"]),
        ("東京都", ["4"]),
        ("東都", []),
        ("50%", ["5"]),
        ("a_b", ["5"]),
        ('"', ["5"]),
        ('say "hi', ["5"]),
        ("🎉", ["5"]),
        ("nothing here", []),
        ("oster", ["2"]),
    ],
)
async def test_search_matches_inside_words_and_ignores_accents(account: Account, text: str, keys: list[str]) -> None:
    new_datasource = await datasource(
        account,
        rows=[
            {"number": 1, "name": "Anna Müller"},
            {"number": 2, "name": "Ersatz Øster, Hauptstraße"},
            {"number": 3, "name": "Keller"},
            {"number": 4, "name": "東京都"},
            {"number": 5, "name": '50% a_b say "hi" 🎉'},
        ],
    )
    assert [row["key"] for row in await all_rows(account, new_datasource, q=text)] == keys


async def test_search_results_are_paged(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(300))
    found, page = (
        [],
        await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}/rows", q="Customer", limit=70),
    )
    while True:
        found += [row["key"] for row in page["items"]]
        if page["next"] is None:
            break
        page = (await account.api.get(page["next"])).json()
    assert found == [row["number"] for row in rows(300)]


async def test_rows_are_paged_with_any_keys(account: Account) -> None:
    keys = ["🎉" * 499 + str(n) for n in range(3)] + [f"two\nlines {n}" for n in range(3)]
    new_datasource = await datasource(account, rows=[{"number": key} for key in keys])
    found, following = [], f"{account.api.base_url}{address(account, new_datasource, '/rows')}?limit=1"
    while following:
        page = (await account.api.get(following)).json()
        found += [row["key"] for row in page["items"]]
        following = page["next"]
    assert found == keys


async def test_a_row_is_found_by_its_key(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(30))
    assert [row["key"] for row in await all_rows(account, new_datasource, key="C-17")] == ["C-17"]
    assert await all_rows(account, new_datasource, key="C-1777") == []
