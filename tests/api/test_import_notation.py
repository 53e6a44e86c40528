"""How files write numbers, dates, times, positions and letters, and what an import says about it."""

import io
from typing import Any

import openpyxl
import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submission_imports import CSV, XLSX, csv_file, imported, send, submissions_of, xlsx_file
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.core.tables.numbers import list_readings

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "decimal", "name": "price", "label": "Price"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "date", "name": "day", "label": "Day"},
    {"type": "datetime", "name": "seen", "label": "Seen"},
    {"type": "location", "name": "place", "label": "Place"},
    {
        "type": "repeat",
        "name": "parts",
        "label": "Parts",
        "fields": [{"type": "decimal", "name": "size", "label": "S"}],
    },
]


async def prices(account: Account, content: bytes, type_: str = CSV, **query: str) -> list[Any]:
    """Import a file and return the prices, in the order of the rows."""
    new_form = await form(account, fields=FIELDS)
    found = await imported(account, new_form, content, type_, **query)
    assert found["status"] == "DONE", found["errors"]
    return [one["data"].get("price") for one in reversed(await submissions_of(account, new_form))]


async def errors(account: Account, content: bytes, type_: str = CSV, **query: str) -> list[Any]:
    new_form = await form(account, fields=FIELDS)
    found = await imported(account, new_form, content, type_, **query)
    assert (found["status"], found["imported"]) == ("REJECTED", 0), found
    return [(one["line"], one["column"], one["code"]) for one in found["errors"]]


async def test_decimals_are_never_multiplied_by_a_thousand(account: Account) -> None:
    table = b"Site;Price\nA;0.125\nB;1.234\nC;1.5\n"
    assert sorted(await prices(account, table)) == [0.125, 1.234, 1.5]
    assert await prices(account, b'Site,Price\nA,"0,125"\n') == [0.125]
    assert await prices(account, b'Site,Price\nA,"-0,500"\n') == [-0.5]
    assert await errors(account, b'Site,Price\nA,"0,125"\n', decimalMark="point") == [
        (2, "Price", "import.cell.number")
    ]
    rejected = [(2, "Price", "import.cell.number")]
    texts = xlsx_file({"S": [["Site", "Price"], ["A", "0,125"]]})
    assert await prices(account, texts, XLSX) == [0.125]
    assert await errors(account, texts, XLSX, decimalMark="point") == rejected


async def test_a_number_with_two_readings_is_rejected_until_the_decimal_mark_is_set(account: Account) -> None:
    content = b"Site;Price\nA;1.234\nB;12\n"
    new_form = await form(account, fields=FIELDS)
    found = await imported(account, new_form, content)
    [error] = found["errors"]
    assert (error["line"], error["column"], error["code"]) == (2, "Price", "import.cell.number")
    assert "1.234 or 1234" in error["detail"]
    assert found["decimalMark"] is None
    assert sorted(await prices(account, content, decimalMark="comma")) == [12, 1234]
    assert sorted(await prices(account, content, decimalMark="point")) == [1.234, 12]


async def test_numbers_with_both_decimal_marks_are_rejected_at_once(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    response = await send(account, new_form, b"Site;Price;People\nA;1.5;1\nB;1,5;2\n", skipBadRows="true")
    [fault] = response.json()["errors"]
    assert (response.status_code, fault["code"]) == (422, "import.decimal_mark.mixed")
    assert all(text in fault["detail"] for text in ("'1.5' in line 2", "'1,5' in line 3", "'Price'"))
    found = await imported(account, new_form, b"Site;Price\nA;1.5\nB;1,5\n", skipBadRows="true", decimalMark="point")
    assert (found["imported"], found["rejected"]) == (1, 1)


async def test_numbers_in_sheets_of_repeats_decide_the_decimal_mark_too(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    sheets: dict[str, list[list[Any]]] = {
        "S": [["id", "Price"], ["1", "1.234"]],
        "parts": [["id", "size"], ["1", "0,5"], ["1", 1.234]],
    }
    found = await imported(account, new_form, xlsx_file(sheets), XLSX)
    assert found["decimalMark"] == "comma", found
    [one] = await submissions_of(account, new_form)
    assert one["data"] == {"price": 1234, "parts": [{"size": 0.5}, {"size": 1.234}]}


async def test_positions_have_either_decimal_mark(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    table = [
        ["site", "place", "latitude", "longitude", "accuracy"],
        ["A", "52,125; 0,125", "52,125", "0,125", "1,5"],
        ["B", "52.125,0.125,4", "52.125", "0.125", "2"],
    ]
    found = await imported(account, new_form, csv_file(table, ";"))
    assert found["status"] == "DONE", found["errors"]
    by_site = {one["data"]["site"]: one for one in await submissions_of(account, new_form)}
    assert by_site["A"]["location"] == {"latitude": 52.125, "longitude": 0.125, "accuracy": 1.5}
    assert by_site["B"]["location"] == {"latitude": 52.125, "longitude": 0.125, "accuracy": 2}
    assert by_site["A"]["data"]["place"] == {"latitude": 52.125, "longitude": 0.125}
    assert by_site["B"]["data"]["place"] == {"latitude": 52.125, "longitude": 0.125, "accuracy": 4}


async def test_the_order_of_dates_is_decided_from_all_cells(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    found = await imported(account, new_form, b"site,day\nA,3/4/2026\nB,31/12/2026\n")
    assert (found["status"], found["firstInDates"]) == ("DONE", "day"), found["errors"]
    assert {one["data"]["day"] for one in await submissions_of(account, new_form)} == {"2026-04-03", "2026-12-31"}
    assert await errors(account, b"site,day\nA,3/4/2026\n") == [(2, "day", "import.cell.date")]
    response = await send(account, new_form, b"site,day\nA,31/4/2026\nB,31/12/2026\nC,12/31/2026\n")
    assert [fault["code"] for fault in response.json()["errors"]] == ["import.date_order.mixed"]


async def test_the_dry_run_and_the_import_say_how_the_file_is_read(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    content = "Site;Price;Day\nKöln;1.234,5;13/2/2026\n".encode("cp1252")
    expected = {
        "encoding": "cp1252",
        "delimiter": ";",
        "sheet": None,
        "timeZone": "UTC",
        "decimalMark": "comma",
        "firstInDates": "day",
    }
    tried = (await send(account, new_form, content, dryRun="true")).json()
    assert {name: tried[name] for name in expected} == expected
    found = await imported(account, new_form, content)
    assert {name: found[name] for name in expected} == expected
    book = await imported(account, new_form, xlsx_file({"Visits": [["Site", "Price"], ["A", "0,5"]]}), XLSX)
    assert {name: book[name] for name in expected} == {
        **dict.fromkeys(expected),
        "sheet": "Visits",
        "timeZone": "UTC",
        "decimalMark": "comma",
    }


async def test_encodings_are_detected_requested_or_refused(account: Account) -> None:
    for text, encoding in [("Łódź\nKraków", "iso8859-2"), ("名前です\n東京のテスト", "shift_jis")]:
        new_form = await form(account, fields=FIELDS)
        found = await imported(account, new_form, f"site\n{text}\n".encode(encoding))
        assert found["status"] == "DONE", found["errors"]
        assert {one["data"]["site"] for one in await submissions_of(account, new_form)} == {*text.split("\n")}
    new_form = await form(account, fields=FIELDS)
    content = "site\ntrès\n".encode("cp1252")
    response = await send(account, new_form, content)
    [fault] = response.json()["errors"]
    assert (response.status_code, fault["code"]) == (422, "table.encoding")
    assert "très" in fault["detail"]
    found = await imported(account, new_form, content, encoding="windows-1252")
    assert found["encoding"] == "cp1252"
    assert [one["data"]["site"] for one in await submissions_of(account, new_form)] == ["très"]


@pytest.mark.parametrize("row", [["A", "=1+2"], [None, "=1+2"], ["A", "=1+2", "=3"]])
async def test_a_formula_without_a_stored_value_is_rejected(account: Account, row: list[Any]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for cells in (["Site", "Price", "People"], ["B", 1.5, 2], row):
        sheet.append(cells)
    whole = io.BytesIO()
    book.save(whole)
    assert await errors(account, whole.getvalue(), XLSX) == [(3, "Price", "cell.formula_without_value")]


async def test_times_that_clocks_skip_or_repeat_are_rejected(account: Account) -> None:
    table = [["site", "seen"], ["A", "2026-03-29 02:30"], ["B", "2026-10-25 02:30"], ["C", "2026-10-25T02:30:00+01:00"]]
    found = await errors(account, csv_file(table), timeZone="Europe/Berlin")
    assert found == [(2, "seen", "import.cell.datetime"), (3, "seen", "import.cell.datetime")]
    table = [["site", "submittedAt"], ["A", "25.10.2025 02:30"], ["B", "26.10.2025 02:30"]]
    found = await errors(account, csv_file(table), timeZone="Europe/Berlin")
    assert found == [(3, "submittedAt", "import.cell.datetime")]


async def test_two_columns_of_one_field_are_named(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    response = await send(account, new_form, b"site,Site,colour\nA,B,red\n")
    [fault] = response.json()["errors"]
    assert (response.status_code, fault["code"]) == (422, "import.columns.same_field")
    assert "'site' and 'Site'" in fault["detail"]
    assert (await send(account, new_form, b"site,Site\nA,B\n", dryRun="true", **{"columns.site": "Site"})).is_success


async def test_columns_of_our_exports_are_no_answers_of_fields_with_the_same_label(account: Account) -> None:
    fields = [
        {"type": "text", "name": "status", "label": "State of the site"},
        {"type": "text", "name": "remark", "label": "Note"},
        {"type": "text", "name": "who", "label": "Who"},
    ]
    new_form = await form(account, fields=fields)
    header = ["Submission", "Status", "Submitted", "Changed", "Who", "External id", "Note", "State of the site"]
    row = ["sub_1", "New", "2026-03-29 14:30", "2026-03-29 14:30", "Ada", "e-1", "internal", "dry"]
    content = csv_file([[*header, "Note (remark)", "Who (who)"], [*row, "mine", "me"]])
    found = await imported(account, new_form, content)
    assert found["status"] == "DONE", found["errors"]
    [one] = await submissions_of(account, new_form)
    assert one["data"] == {"status": "dry", "remark": "mine", "who": "me"}
    # In other files, these are ordinary columns.
    found = await imported(account, new_form, csv_file([["Status", "Note", "Who"], ["dry", "mine", "me"]]))
    assert found["columns"] == {"answers.status": "Status", "answers.remark": "Note", "answers.who": "Who"}


async def test_data_sources_read_the_same_numbers(account: Account) -> None:
    async def rows_of(content: bytes, type_: str = CSV, **query: str) -> tuple[Any, list[Any]]:
        new_datasource = await datasource(account, rows=[{"number": "1"}])
        url = f"{PREFIX}/customers/{account.id}/datasources/{new_datasource['id']}/rows"
        headers = {"content-type": type_}
        response = await account.api.put(url, content=content, headers=headers, params=query)
        if response.status_code != 200:
            return response.json()["errors"][0]["code"], []
        types = (await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}"))["types"]
        items = (await get(account, url.removeprefix(PREFIX)))["items"]
        return types["price"], [one["data"]["price"] for one in items]

    def table(*cells: Any) -> list[list[Any]]:
        return [["number", "price"], *[[str(number), cell] for number, cell in enumerate(cells)]]

    assert await rows_of(csv_file(table("0,125", "1.234", "0,500"), ";")) == ("decimal", [0.125, 1234, 0.5])
    assert await rows_of(csv_file(table("0.125", "1.234"), ";")) == ("decimal", [0.125, 1.234])
    assert await rows_of(csv_file(table("1.234", "12"), ",")) == ("decimal", [1.234, 12])
    # A column with two readings is text.
    assert await rows_of(csv_file(table("1.234", "12"), ";")) == ("text", ["1.234", "12"])
    assert await rows_of(csv_file(table("1.234", "12"), ";"), decimalMark="comma") == ("integer", [1234, 12])
    assert await rows_of(csv_file(table("1,5", "1.5"), ";")) == ("text", ["1,5", "1.5"])
    assert await rows_of(csv_file(table("007", "0,5"), ";")) == ("text", ["007", "0,5"])
    assert await rows_of(xlsx_file({"S": table("0,125", 1.234)}), XLSX) == ("decimal", [0.125, 1.234])
    assert await rows_of(b"number;price\n1;-0,500\n2;1\n") == ("decimal", [-0.5, 1])


async def test_keys_of_data_sources_remain_as_they_are(account: Account) -> None:
    new_datasource = await datasource(account, rows=[{"number": "1"}])
    url = f"/customers/{account.id}/datasources/{new_datasource['id']}/rows"
    content = csv_file([["number", "price"], ["1.234", "0,5"], ["2,5", "1"]], ";")
    response = await account.api.put(PREFIX + url, content=content, headers={"content-type": CSV})
    assert response.status_code == 200, response.text
    assert {one["key"] for one in (await get(account, url))["items"]} == {"1.234", "2,5"}


async def test_a_column_of_numbers_with_two_readings_needs_the_decimal_mark(account: Account) -> None:
    url = f"{PREFIX}/customers/{account.id}/datasources"
    body = {
        "name": "Prices",
        "keyColumn": "number",
        "types": {"price": "decimal"},
        "rows": [{"number": "1", "price": 2}],
    }
    created = (await account.api.post(url, json=body)).json()
    content, headers = csv_file([["number", "price"], ["1", "1.234"]], ";"), {"content-type": CSV}
    rows = f"{url}/{created['id']}/rows"
    response = await account.api.put(rows, content=content, headers=headers)
    [fault] = response.json()["errors"]
    assert (response.status_code, fault["code"]) == (422, "datasource.decimal_mark")
    assert "'1.234' in line 2, column 'price' has two readings: 1.234 or 1234" in fault["detail"]
    assert (await account.api.put(rows, content=content, headers=headers, params={"decimalMark": "point"})).is_success


NOTATIONS: dict[str, tuple[str, str]] = {
    "plain": (".", ""),
    "English": (".", ","),
    "German": (",", "."),
    "French": (",", "\u202f"),
    "Swiss": (".", "'"),
}
NUMBERS = st.decimals(-10_000_000, 10_000_000, places=3) | st.decimals(-2, 2, places=3) | st.integers(-(10**9), 10**9)


def write_number(value: Any, notation: str) -> str:
    """Return the number in a notation, with as many decimals as it has."""
    mark, group = NOTATIONS[notation]
    return f"{value:,}".translate(str.maketrans({",": group, ".": mark}))


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("kind", [";", "\t", ",", "xlsx"])
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(st.tuples(NUMBERS, st.dates(), st.times(), st.datetimes()), min_size=1, max_size=6))
async def test_what_people_write_in_five_notations_is_read_as_it_was_written(
    account: Account, notation: str, kind: str, values: list[Any]
) -> None:
    fields = [*FIELDS[:2], *FIELDS[3:5], {"type": "time", "name": "at", "label": "At"}]
    new_form = await form(account, fields=fields)
    header = ["externalId", "price", "day", "at", "seen"]
    table: list[list[Any]] = [header]
    expected: dict[str, dict[str, Any]] = {}
    for number, (value, day, at, moment) in enumerate(values):
        year = 1950 + moment.year % 100
        seen = moment.replace(year=year, day=min(moment.day, 28), microsecond=0)
        table.append(
            [
                f"e{number}",
                write_number(value, notation),
                day.strftime("%d.%m.%Y") if day.year > 999 else "",
                f"{at:%H:%M:%S}",
                seen.isoformat(" "),
            ]
        )
        data = {"price": float(value), "at": f"{at:%H:%M:%S}", "seen": f"{seen.isoformat()}+00:00"}
        expected[f"e{number}"] = data | ({"day": day.isoformat()} if day.year > 999 else {})
    content = xlsx_file({"S": table}) if kind == "xlsx" else csv_file(table, kind, "utf-8")
    type_ = XLSX if kind == "xlsx" else CSV

    found = await imported(account, new_form, content, type_, checkOnly="true")
    if found["status"] == "REJECTED":
        assert {(one["column"], one["code"]) for one in found["errors"]} == {("price", "import.cell.number")}
        assert found["decimalMark"] is None
    mark = "comma" if NOTATIONS[notation][0] == "," else "point"
    texts = [row[1] for row in table[1:]]
    if any(len(list_readings(text)) == 1 for text in texts):
        assert found["decimalMark"] == mark
    else:  # All numbers have two readings: the delimiter can confirm the simpler one.
        assert found["decimalMark"] in (None, {",": "point", ";": "comma"}.get(kind))
    found = await imported(account, new_form, content, type_, decimalMark=mark)
    assert found["status"] == "DONE", found["errors"]
    after = {one["externalId"]: one["data"] for one in await submissions_of(account, new_form)}
    assert after == expected
