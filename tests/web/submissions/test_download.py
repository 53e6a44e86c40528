"""Downloads of the list of submissions: CSV, Excel, JSON lines and Parquet."""

import csv
import io
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from arro3.io import read_parquet
from factories.datasources import datasource, rows
from factories.files import sent
from factories.forms import form
from factories.requests import PREFIX, post
from factories.submissions import started, submission
from fixtures import libreoffice
from web.submissions.conftest import SubmissionPages

from formwright.core.auth import actor as actors
from formwright.domain.submissions import respond

DANGEROUS = [
    *["=1+1", "+49 40 1", "-2", "@x", "\tx", "\rx", '=HYPERLINK("x")'],
    *[
        f"{before}=1+1"
        for before in ("  ", "\u00a0", "\ufeff", "\u200b", "\u2060", " \t", "\n", "\r\n", "\u3000", "\u202e")
    ],
    *["＝1+1", "＋1", "－1", " ＠x"],
]
PARTS = ("latitude", "longitude", "accuracy (m)")
HARMLESS = ["a=1", "1-2", "(-5)", "x@example.org", "–5", "'=1"]
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Größe"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "date", "name": "day", "label": "Day"},
    {"type": "datetime", "name": "at", "label": "At"},
    {"type": "boolean", "name": "safe", "label": "Same"},
    {"type": "choice", "name": "kind", "label": "Same", "options": [{"value": "a", "label": "Café"}]},
    {
        "type": "repeat",
        "name": "defects",
        "label": "Defects: [all]/and more than thirty-one letters",
        "fields": [
            {"type": "text", "name": "what", "label": "What"},
            {"type": "decimal", "name": "cost", "label": "Cost"},
        ],
    },
]
WHOLE = {
    "site": "Ä 🎉",
    "people": -3,
    "day": "2026-03-29",
    "at": "2026-03-29T14:30:00+02:00",
    "safe": True,
    "kind": "a",
    "defects": [{"what": "=x", "cost": -1.5}, {"what": "Hook"}],
}


async def _csv(pages: SubmissionPages, query: str) -> list[dict[str, str]]:
    response = await pages.http.get(f"/submissions/download.csv?{query}")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.content.startswith(b"\xef\xbb\xbf"), "Excel needs the mark"
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))


async def _xlsx(pages: SubmissionPages, query: str) -> Any:
    response = await pages.http.get(f"/submissions/download.xlsx?{query}")
    assert response.status_code == 200
    assert int(response.headers["content-length"]) == len(response.content)
    assert response.headers["content-disposition"].startswith("attachment")
    return openpyxl.load_workbook(io.BytesIO(response.content))


async def test_a_csv_file_contains_the_columns_of_the_list(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, name='Crane "ü"', fields=FIELDS)
    one = await submission(
        pages.account,
        new_form,
        data=WHOLE,
        externalId="e-1",
        location={"latitude": 1.5, "longitude": -2},
        userId=pages.account.owner.id,
    )
    await submission(pages.account, new_form, data={"site": "other", "people": 1})
    [row] = await _csv(pages, f"form={new_form['id']}&answers.people[lt]=0")
    assert row["Submission"] == one["id"]
    assert (row["Status"], row["Who"], row["External id"], row["Latitude"], row["Longitude"]) == (
        "Submitted",
        "Owner",
        "e-1",
        "1.5",
        "-2.0",
    )
    assert (row["Größe"], row["People"], row["Day"], row["At"]) == ("Ä 🎉", "-3", "2026-03-29", "2026-03-29 12:30:00")
    assert (row["Same (safe)"], row["Same (kind)"]) == ("Yes", "Café")
    assert row["Defects: [all]/and more than thirty-one letters"] == '[{"what":"=x","cost":-1.5},{"what":"Hook"}]'


OFFICE_FIELDS: list[dict[str, Any]] = [
    {"type": "location", "name": "spot", "label": "Place"},
    {"type": "photo", "name": "photos", "label": "Photos", "maxFiles": 2},
]


async def _office_form(pages: SubmissionPages) -> dict[str, Any]:
    """Create a form with locations, lookups and photos, also in a repeat."""
    source = (await datasource(pages.account, rows=[{"number": "=1", "name": "=Ümit"}, *rows(2)]))["id"]
    lookup = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": source, "display": ["name"]}
    several = {**lookup, "type": "lookups", "name": "clients", "label": "Clients"}
    plain = {"type": "lookup", "name": "other", "label": "Other", "datasourceId": source}
    inner = [field | {"name": f"inner_{field['name']}"} for field in (*OFFICE_FIELDS, lookup)]
    visits = {"type": "repeat", "name": "visits", "label": "Visits", "fields": inner}
    return await form(pages.account, name="Office", fields=[*OFFICE_FIELDS, lookup, several, plain, visits])


async def test_an_excel_file_has_keys_numbers_and_links(pages: SubmissionPages, tmp_path: Path) -> None:
    new_form = await _office_form(pages)
    query = f"form={new_form['id']}"
    empty = (await _xlsx(pages, f"{query}&column=id&column=answers.spot")).worksheets[0]
    assert [cell.value for cell in empty[1]] == ["Submission", *(f"Place, {part}" for part in PARTS)]
    photos = [(await sent(pages.account, new_form, "photos"))["id"] for _ in range(2)]
    spot = {"latitude": 1.5, "longitude": -2, "accuracy": 7}
    row = {"inner_spot": {"latitude": 3, "longitude": 4}, "inner_client": "C-2"}
    data = {"spot": spot, "photos": photos, "client": "=1", "clients": ["C-1", "C-2"], "other": "C-1", "visits": [row]}
    one = await submission(pages.account, new_form, data=data)
    await started(pages.account, new_form, "c1", spot="here", client=5)
    book = await _xlsx(pages, f"{query}&order=submitted")
    link = f"https://forms.test/submissions/{one['id']}"
    main = dict(zip([cell.value for cell in book.worksheets[0][1]], book.worksheets[0][2], strict=True))
    assert {heading: cell.value for heading, cell in list(main.items())[10:]} == {
        **{f"Place, {part}": number for part, number in zip(PARTS, (1.5, -2, 7), strict=True)},
        "Photos": "2 files",
        "Client": "=Ümit",
        "Client, key": "=1",
        "Clients": "Customer 1, Customer 2",
        "Clients, key": "C-1, C-2",
        "Other": "C-1",
        "Other, key": "C-1",
        "Visits": main["Visits"].value,
    }
    assert (main["Client"].data_type, main["Client, key"].data_type) == ("s", "s"), "no formulas"
    links = [cell.hyperlink.target for sheet in book for line in sheet.rows for cell in line if cell.hyperlink]
    assert links == [main["Photos"].hyperlink.target] == [link]
    draft = dict(zip(main, [cell.value for cell in book.worksheets[0][3]], strict=True))
    assert (draft["Place, latitude"], draft["Place, longitude"], draft["Client, key"]) == ("here", None, "5")
    assert [cell.value for cell in book["Visits"][2]] == [one["id"], 1, 3, 4, None, None, "Customer 2", "C-2"]
    picked = (await _xlsx(pages, f"{query}&column=answers.client&column=id")).worksheets[0]
    assert [cell.value for cell in picked[1]] == ["Client", "Client, key", "Submission"]
    [*_, row_in_csv] = await _csv(pages, query)
    assert "Client, key" not in row_in_csv, "programs rely on the columns of CSV files"
    file = tmp_path / "office.xlsx"
    book.save(file)
    saved = libreoffice.convert([file], libreoffice.FORMATS[1], tmp_path / "saved")
    again = openpyxl.load_workbook(io.BytesIO(saved["office"])).worksheets[0]
    assert [[cell.value for cell in line] for line in again.rows] == [
        [cell.value for cell in line] for line in book.worksheets[0].rows
    ]


async def test_drafts_have_no_time_of_submission(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FIELDS)
    await started(pages.account, new_form, "c1", people=1)
    [row] = await _csv(pages, f"form={new_form['id']}")
    assert (row["Status"], row["Submitted"]) == ("Started", "")
    sheet = (await _xlsx(pages, f"form={new_form['id']}")).worksheets[0]
    assert (sheet["B2"].value, sheet["C1"].value, sheet["C2"].value) == ("Started", "Submitted", None)


async def test_an_excel_file_has_a_sheet_for_each_repeat(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FIELDS)
    one = await submission(pages.account, new_form, data=WHOLE)
    book = await _xlsx(pages, f"form={new_form['id']}")
    main, rows = book.worksheets
    assert (main.title, rows.title) == ("Submissions", "Defects   all  and more than th")
    sheet = dict(zip([cell.value for cell in main[1]], [cell.value for cell in main[2]], strict=True))
    assert (sheet["Submission"], sheet["People"]) == (one["id"], -3)
    assert (str(sheet["Day"]), str(sheet["At"])) == ("2026-03-29 00:00:00", "2026-03-29 12:30:00")
    assert [[cell.value for cell in row] for row in rows.iter_rows()] == [
        ["Submission", "Row", "What", "Cost"],
        [one["id"], 1, "=x", -1.5],
        [one["id"], 2, "Hook", None],
    ]
    assert rows["C2"].data_type == "s", "a text, and no formula"
    assert [(sheet.auto_filter.ref, sheet.freeze_panes) for sheet in book] == [("A1:Q2", "A2"), ("A1:D3", "A2")]


async def test_one_and_zero_are_numbers_in_excel(pages: SubmissionPages) -> None:
    fields = [{"type": kind, "name": kind, "label": kind} for kind in ("integer", "decimal")]
    new_form = await form(pages.account, fields=fields)
    for number in (0, 1, 2):
        await submission(pages.account, new_form, data={"integer": number, "decimal": float(number)})
    sheet = (await _xlsx(pages, f"form={new_form['id']}&order=submitted")).worksheets[0]
    for column in (11, 12):
        cells = [row[column - 1] for row in sheet.iter_rows(min_row=2)]
        assert [(cell.value, cell.data_type) for cell in cells] == [(0, "n"), (1, "n"), (2, "n")]


async def test_any_label_becomes_a_valid_sheet_name(pages: SubmissionPages) -> None:
    labels = ["Names and ages of all students' parents", "🎉" * 20, "🎉" * 30, "''", "x" * 29 + "''" + "y"]
    fields: list[dict[str, Any]] = [
        {"type": "repeat", "name": f"r{at}", "label": label, "fields": [FIELDS[0] | {"name": f"t{at}"}]}
        for at, label in enumerate(labels)
    ]
    new_form = await form(pages.account, fields=fields)
    names = (await _xlsx(pages, f"form={new_form['id']}")).sheetnames[1:]
    assert names == ["Names and ages of all students", "🎉" * 15, "🎉" * 14 + " 2", "Rows", "x" * 29]


async def test_json_lines_are_objects_of_the_api(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FIELDS)
    for data in (WHOLE, {"site": "=1+1"}):
        await submission(pages.account, new_form, data=data, location={"latitude": 1.5, "longitude": -2})
    response = await pages.http.get(f"/submissions/download.ndjson?form={new_form['id']}&order=submitted")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    listed = await pages.account.api.get(f"{PREFIX}/submissions?formId={new_form['id']}")
    assert [json.loads(line) for line in response.text.splitlines()] == listed.json()["items"]


async def _parquet(pages: SubmissionPages, query: str) -> list[dict[str, Any]]:
    response = await pages.http.get(f"/submissions/download.parquet?{query}")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/vnd.apache.parquet")
    table: Any = read_parquet(io.BytesIO(response.content)).read_all()
    columns: dict[str, list[Any]] = {name: [value.as_py() for value in table[name]] for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


async def test_a_parquet_file_has_a_typed_column_for_each_field(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FIELDS)
    where = {"latitude": 1.5, "longitude": -2}
    one = await submission(pages.account, new_form, data=WHOLE, location=where, userId=pages.account.owner.id)
    await submission(pages.account, new_form, data={"site": "=1"})
    first, second = await _parquet(pages, f"form={new_form['id']}&order=submitted")
    assert (first["_id"], first["_status"], first["_who"], first["_revision"]) == (one["id"], "SUBMITTED", "Owner", 1)
    assert first["_submitted"].isoformat(timespec="milliseconds") == one["submittedAt"].replace("Z", "+00:00")
    assert first["_location"] == {"latitude": 1.5, "longitude": -2.0, "accuracy": None}
    assert {name: first[name] for name in WHOLE} == {
        "site": "Ä 🎉",
        "people": -3,
        "day": date(2026, 3, 29),
        "at": datetime(2026, 3, 29, 12, 30, tzinfo=UTC),
        "safe": True,
        "kind": "a",
        "defects": [{"what": "=x", "cost": -1.5}, {"what": "Hook", "cost": None}],
    }
    assert (second["site"], second["_who"], second["_location"]) == ("=1", None, None)
    assert {second[name] for name in ("people", "day", "at", "safe", "kind", "defects")} == {None}


ODD: list[dict[str, Any]] = [
    {"people": "three", "day": "soon", "at": "2026-03-29", "safe": "yes", "defects": [1, {"what": ["a"]}], "site": 7},
    {"people": 10**30, "day": 20260329, "at": 1, "safe": 1, "defects": {}, "kind": {"a": "b"}, "site": [1, "x"]},
    {"people": 3.5, "day": "99999-01-01", "at": "9999-12-31T23:59:59-12:00", "site": True},
]


async def test_a_parquet_file_contains_drafts(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FIELDS)
    async with pages.account.ctx.db.writing() as tx:
        for number, data in enumerate(ODD):
            actor = actors.system(pages.account.id)
            about = {
                "form_id": new_form["id"],
                "version_id": new_form["publishedVersionId"],
                "client_id": f"c{number}" * 8,
            }
            await respond.save_draft(tx, actor, data=data, **about)
    rows = await _parquet(pages, f"form={new_form['id']}&order=submitted")
    assert [row["site"] for row in rows] == ["7", '[1,"x"]', "true"]
    typed = [row[name] for row in rows for name in ("people", "day", "safe")]
    assert set(typed) == {None}, "what does not fit its column is no value of it"
    assert rows[0]["defects"] == [{"what": None, "cost": None}, {"what": '["a"]', "cost": None}]
    assert [row["At"] for row in await _csv(pages, f"form={new_form['id']}&order=submitted")][2] == ODD[2]["at"]
    assert (rows[1]["kind"], rows[1]["defects"]) == ('{"a":"b"}', None)


async def test_no_text_becomes_a_formula(pages: SubmissionPages) -> None:
    number = {"type": "integer", "name": "people", "label": "People"}
    new_form = await form(pages.account, fields=[{"type": "text", "name": "site", "label": "=Site"}, number])
    for text in DANGEROUS + HARMLESS:
        await submission(pages.account, new_form, data={"site": text, "people": -5})
    rows = await _csv(pages, f"form={new_form['id']}&order=submitted")
    assert [row["'=Site"] for row in rows] == [f"'{text}" for text in DANGEROUS] + HARMLESS
    assert {row["People"] for row in rows} == {"-5"}, "a number stays a number"
    sheet = (await _xlsx(pages, f"form={new_form['id']}&order=submitted")).worksheets[0]
    column = [cell.value for cell in sheet[1]].index("=Site")
    found = [row[column] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in found} == {"s"}
    assert [cell.value for cell in found][:3] == DANGEROUS[:3]
    assert [bool(cell.quotePrefix) for cell in found] == [True] * len(DANGEROUS) + [False] * len(HARMLESS)


async def test_fields_of_earlier_versions_are_included(pages: SubmissionPages) -> None:
    account = pages.account
    text = {"type": "text", "name": "site", "label": "Site"}
    new_form = await form(account, fields=[text, {"type": "text", "name": "gone", "label": "Gone"}])
    await submission(account, new_form, data={"site": "A", "gone": "B"})
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    version = await post(account, versions, {"fields": [text]})
    assert (await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")).status_code == 200
    [row] = await _csv(pages, f"form={new_form['id']}")
    assert (row["Site"], row["Gone"]) == ("A", "B")


async def test_fields_of_repeats_in_earlier_versions_are_included(pages: SubmissionPages) -> None:
    account, rows = pages.account, FIELDS[-1]
    new_form = await form(account, fields=[rows])
    await submission(account, new_form, data={"defects": WHOLE["defects"]})
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    version = await post(account, versions, {"fields": [rows | {"label": "Defects", "fields": rows["fields"][:1]}]})
    assert (await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")).status_code == 200
    [row] = await _csv(pages, f"form={new_form['id']}")
    assert row["Defects"] == '[{"what":"=x","cost":-1.5},{"what":"Hook"}]'
    sheet = (await _xlsx(pages, f"form={new_form['id']}"))["Defects"]
    assert [[cell.value for cell in row[2:]] for row in sheet] == [["What", "Cost"], ["=x", -1.5], ["Hook", None]]
    [record] = await _parquet(pages, f"form={new_form['id']}")
    assert record["defects"] == [{"what": "=x", "cost": -1.5}, {"what": "Hook", "cost": None}]


async def test_a_long_list_is_read_in_batches_and_completely(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.domain.exports.reading._MAX_ROWS", 2)
    new_form = await form(pages.account)
    ids = [(await submission(pages.account, new_form))["id"] for _ in range(5)]
    assert [row["Submission"] for row in await _csv(pages, f"form={new_form['id']}")] == ids[::-1]
    sheet = (await _xlsx(pages, f"form={new_form['id']}&order=submitted")).worksheets[0]
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ids


async def test_a_download_that_takes_too_long_is_aborted(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.domain.exports.reading.DOWNLOAD_TIMEOUT_S", -1)
    new_form = await form(pages.account)
    await submission(pages.account, new_form)
    response = await pages.http.get(f"/submissions/download.xlsx?form={new_form['id']}")
    assert response.status_code == 503
    assert "The export takes too long" in response.text


async def test_a_download_needs_a_form(pages: SubmissionPages) -> None:
    response = await pages.http.get("/submissions/download.csv?status=SUBMITTED")
    assert (response.status_code, response.headers["location"]) == (303, "/submissions?status=SUBMITTED")


async def test_a_saved_view_selects_rows_columns_and_their_order(pages: SubmissionPages) -> None:
    account = pages.account
    new_form = await form(account, name="Crane", fields=FIELDS)
    ids = [(await submission(account, new_form, data=WHOLE | {"people": number}))["id"] for number in range(4)]
    saved = {
        "name": "Busy",
        "formId": new_form["id"],
        "filter": {"answers": {"people[gte]": "2"}},
        "order": "submitted",
        "columns": ["answers.people", "formId", "answers.defects", "status", "userId", "id"],
    }
    view = (await post(account, f"/customers/{account.id}/views", saved))["id"]
    rows = await _csv(pages, f"view={view}")
    assert [list(row.values())[:2] for row in rows] == [["2", "Crane"], ["3", "Crane"]]
    repeat = FIELDS[-1]["label"]
    assert list(rows[0]) == ["People", "Form", repeat, "Status", "Who", "Submission"]
    assert [row["Submission"] for row in await _csv(pages, f"view={view}&answers.people[gte]=1")] == ids[1:]
    assert [row["Submission"] for row in await _csv(pages, f"view={view}&order=-submitted")] == ids[:1:-1]
    assert len(await _csv(pages, f"form={new_form['id']}&view={view}&exact=1")) == 4, "the query is the whole filter"
    assert list((await _csv(pages, f"form={new_form['id']}&column=id&column=answers.site"))[0]) == [
        "Submission",
        "Größe",
    ]

    main, defects = (await _xlsx(pages, f"view={view}")).worksheets
    assert [cell.value for cell in main[1]] == list(rows[0])
    assert [defects["A2"].value, defects["C2"].value] == [ids[2], "=x"]
    lines = (await pages.http.get(f"/submissions/download.ndjson?view={view}")).text.splitlines()
    listed = await account.api.get(f"{PREFIX}/submissions?view={view}")
    assert [json.loads(line) for line in lines] == listed.json()["items"]
    typed = await _parquet(pages, f"view={view}")
    assert [list(row) for row in typed] == [["_id", "people", "defects", "_status", "_user_id", "_who"]] * 2
    assert [row["people"] for row in typed] == [2, 3]

    fields = [field for field in FIELDS if field["name"] not in ("people", "defects")]
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    assert (await account.api.put(path, json={"fields": fields, "publish": True})).status_code == 200
    assert await _csv(pages, f"view={view}") == rows, "older answers still match and are exported"
    await account.api.delete(f"{PREFIX}/customers/{account.id}/views/{view}")
    gone = await pages.http.get(f"/submissions/download.csv?form={new_form['id']}&view={view}")
    assert gone.status_code == 303, "not everything, and no failure"
    assert "was deleted, or it is not shared" in await pages.page(gone.headers["location"], 400)
