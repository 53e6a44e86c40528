"""The list as a file: CSV and Excel."""

import csv
import io
import json
from datetime import UTC, date, datetime
from typing import Any

import openpyxl
import pytest
from arro3.io import read_parquet
from factories.forms import form
from factories.requests import PREFIX, post
from factories.submissions import started, submission

from formwright.core.auth import actor as actors
from formwright.domain.submissions import service as submissions
from tests.web.submissions.conftest import Office

DANGEROUS = [
    *["=1+1", "+49 40 1", "-2", "@x", "\tx", "\rx", '=HYPERLINK("x")'],
    *[
        f"{before}=1+1"
        for before in ("  ", "\u00a0", "\ufeff", "\u200b", "\u2060", " \t", "\n", "\r\n", "\u3000", "\u202e")
    ],
    *["＝1+1", "＋1", "－1", " ＠x"],
]
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


async def _csv(office: Office, query: str) -> list[dict[str, str]]:
    answer = await office.http.get(f"/submissions/download.csv?{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf"), "Excel needs the mark"
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


async def _xlsx(office: Office, query: str) -> Any:
    answer = await office.http.get(f"/submissions/download.xlsx?{query}")
    assert answer.status_code == 200
    assert int(answer.headers["content-length"]) == len(answer.content)
    return openpyxl.load_workbook(io.BytesIO(answer.content))


async def test_a_csv_holds_what_the_list_shows(office: Office) -> None:
    made = await form(office.account, name='Crane "ü"', fields=FIELDS)
    one = await submission(
        office.account,
        made,
        data=WHOLE,
        externalId="e-1",
        location={"latitude": 1.5, "longitude": -2},
        userId=office.account.owner.id,
    )
    await submission(office.account, made, data={"site": "other", "people": 1})
    [row] = await _csv(office, f"form={made['id']}&answers.people[lt]=0")
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


async def test_what_was_only_begun_was_submitted_at_no_time(office: Office) -> None:
    made = await form(office.account, fields=FIELDS)
    await started(office.account, made, "c1", people=1)
    [row] = await _csv(office, f"form={made['id']}")
    assert (row["Status"], row["Submitted"]) == ("Started", "")
    told = (await _xlsx(office, f"form={made['id']}")).worksheets[0]
    assert (told["B2"].value, told["C1"].value, told["C2"].value) == ("Started", "Submitted", None)


async def test_an_excel_file_has_a_sheet_for_each_repeat(office: Office) -> None:
    made = await form(office.account, fields=FIELDS)
    one = await submission(office.account, made, data=WHOLE)
    book = await _xlsx(office, f"form={made['id']}")
    main, rows = book.worksheets
    assert (main.title, rows.title) == ("Submissions", "Defects   all  and more than th")
    told = dict(zip([cell.value for cell in main[1]], [cell.value for cell in main[2]], strict=True))
    assert (told["Submission"], told["People"]) == (one["id"], -3)
    assert (str(told["Day"]), str(told["At"])) == ("2026-03-29 00:00:00", "2026-03-29 12:30:00")
    assert [[cell.value for cell in row] for row in rows.iter_rows()] == [
        ["Submission", "Row", "What", "Cost"],
        [one["id"], 1, "=x", -1.5],
        [one["id"], 2, "Hook", None],
    ]
    assert rows["C2"].data_type == "s", "a text, and no formula"


async def test_in_excel_one_and_nothing_are_numbers_too(office: Office) -> None:
    fields = [{"type": kind, "name": kind, "label": kind} for kind in ("integer", "decimal")]
    made = await form(office.account, fields=fields)
    for number in (0, 1, 2):
        await submission(office.account, made, data={"integer": number, "decimal": float(number)})
    sheet = (await _xlsx(office, f"form={made['id']}&order=submitted")).worksheets[0]
    for column in (11, 12):
        cells = [row[column - 1] for row in sheet.iter_rows(min_row=2)]
        assert [(cell.value, cell.data_type) for cell in cells] == [(0, "n"), (1, "n"), (2, "n")]


async def test_excel_takes_any_label_as_the_name_of_a_sheet(office: Office) -> None:
    labels = ["Names and ages of all students' parents", "🎉" * 20, "🎉" * 30, "''", "x" * 29 + "''" + "y"]
    fields: list[dict[str, Any]] = [
        {"type": "repeat", "name": f"r{at}", "label": label, "fields": [FIELDS[0] | {"name": f"t{at}"}]}
        for at, label in enumerate(labels)
    ]
    made = await form(office.account, fields=fields)
    names = (await _xlsx(office, f"form={made['id']}")).sheetnames[1:]
    assert names == ["Names and ages of all students", "🎉" * 15, "🎉" * 14 + " 2", "Rows", "x" * 29]


async def test_lines_of_json_are_as_the_api_shows_them(office: Office) -> None:
    made = await form(office.account, fields=FIELDS)
    for data in (WHOLE, {"site": "=1+1"}):
        await submission(office.account, made, data=data, location={"latitude": 1.5, "longitude": -2})
    answer = await office.http.get(f"/submissions/download.ndjson?form={made['id']}&order=submitted")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    listed = await office.account.api.get(f"{PREFIX}/submissions?formId={made['id']}")
    assert [json.loads(line) for line in answer.text.splitlines()] == listed.json()["items"]


async def _parquet(office: Office, query: str) -> list[dict[str, Any]]:
    answer = await office.http.get(f"/submissions/download.parquet?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/vnd.apache.parquet")
    table = read_parquet(io.BytesIO(answer.content)).read_all()
    columns = {name: [value.as_py() for value in table[name]] for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


async def test_a_parquet_file_has_a_typed_column_for_each_field(office: Office) -> None:
    made = await form(office.account, fields=FIELDS)
    where = {"latitude": 1.5, "longitude": -2}
    one = await submission(office.account, made, data=WHOLE, location=where, userId=office.account.owner.id)
    await submission(office.account, made, data={"site": "=1"})
    first, second = await _parquet(office, f"form={made['id']}&order=submitted")
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


async def test_a_parquet_file_takes_what_was_only_begun(office: Office) -> None:
    made = await form(office.account, fields=FIELDS)
    async with office.account.ctx.db.writing() as tx:
        for number, data in enumerate(ODD):
            actor = actors.system(office.account.id)
            about = {"form_id": made["id"], "version_id": made["publishedVersionId"], "client_id": f"c{number}" * 8}
            await submissions.save_draft(tx, actor, data=data, **about)
    rows = await _parquet(office, f"form={made['id']}&order=submitted")
    assert [row["site"] for row in rows] == ["7", '[1,"x"]', "true"]
    typed = [row[name] for row in rows for name in ("people", "day", "safe")]
    assert set(typed) == {None}, "what does not fit its column is no value of it"
    assert rows[0]["defects"] == [{"what": None, "cost": None}, {"what": '["a"]', "cost": None}]
    assert [row["At"] for row in await _csv(office, f"form={made['id']}&order=submitted")][2] == ODD[2]["at"]
    assert (rows[1]["kind"], rows[1]["defects"]) == ('{"a":"b"}', None)


async def test_no_text_is_a_formula(office: Office) -> None:
    number = {"type": "integer", "name": "people", "label": "People"}
    made = await form(office.account, fields=[{"type": "text", "name": "site", "label": "=Site"}, number])
    for text in DANGEROUS + HARMLESS:
        await submission(office.account, made, data={"site": text, "people": -5})
    rows = await _csv(office, f"form={made['id']}&order=submitted")
    assert [row["'=Site"] for row in rows] == [f"'{text}" for text in DANGEROUS] + HARMLESS
    assert {row["People"] for row in rows} == {"-5"}, "a number stays a number"
    sheet = (await _xlsx(office, f"form={made['id']}&order=submitted")).worksheets[0]
    column = [cell.value for cell in sheet[1]].index("=Site")
    found = [row[column] for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for cell in found} == {"s"}
    assert [cell.value for cell in found][:3] == DANGEROUS[:3]
    assert [bool(cell.quotePrefix) for cell in found] == [True] * len(DANGEROUS) + [False] * len(HARMLESS)


async def test_fields_of_earlier_versions_are_taken_along(office: Office) -> None:
    account = office.account
    text = {"type": "text", "name": "site", "label": "Site"}
    made = await form(account, fields=[text, {"type": "text", "name": "gone", "label": "Gone"}])
    await submission(account, made, data={"site": "A", "gone": "B"})
    versions = f"/forms/customer/{account.id}/forms/{made['id']}/versions"
    version = await post(account, versions, {"fields": [text]})
    assert (await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")).status_code == 200
    [row] = await _csv(office, f"form={made['id']}")
    assert (row["Site"], row["Gone"]) == ("A", "B")


async def test_fields_that_rows_had_in_earlier_versions_are_taken_along(office: Office) -> None:
    account, rows = office.account, FIELDS[-1]
    made = await form(account, fields=[rows])
    await submission(account, made, data={"defects": WHOLE["defects"]})
    versions = f"/forms/customer/{account.id}/forms/{made['id']}/versions"
    version = await post(account, versions, {"fields": [rows | {"label": "Defects", "fields": rows["fields"][:1]}]})
    assert (await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")).status_code == 200
    [row] = await _csv(office, f"form={made['id']}")
    assert row["Defects"] == '[{"what":"=x","cost":-1.5},{"what":"Hook"}]'
    sheet = (await _xlsx(office, f"form={made['id']}"))["Defects"]
    assert [[cell.value for cell in row[2:]] for row in sheet] == [["What", "Cost"], ["=x", -1.5], ["Hook", None]]
    [told] = await _parquet(office, f"form={made['id']}")
    assert told["defects"] == [{"what": "=x", "cost": -1.5}, {"what": "Hook", "cost": None}]


async def test_a_long_list_is_read_piece_by_piece_and_whole(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formwright.web.views.submissions.export.streaming_download.MAX_LIMIT", 2)
    made = await form(office.account)
    ids = [(await submission(office.account, made))["id"] for _ in range(5)]
    assert [row["Submission"] for row in await _csv(office, f"form={made['id']}")] == ids[::-1]
    sheet = (await _xlsx(office, f"form={made['id']}&order=submitted")).worksheets[0]
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == ids


async def test_what_takes_too_long_is_no_whole_file(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formwright.web.views.submissions.export.streaming_download.TIMEOUT_S", -1)
    made = await form(office.account)
    await submission(office.account, made)
    answer = await office.http.get(f"/submissions/download.xlsx?form={made['id']}")
    assert answer.status_code == 503
    assert "The export takes too long" in answer.text


async def test_without_a_form_there_is_nothing_to_download(office: Office) -> None:
    answer = await office.http.get("/submissions/download.csv?status=SUBMITTED")
    assert (answer.status_code, answer.headers["location"]) == (303, "/submissions?status=SUBMITTED")
