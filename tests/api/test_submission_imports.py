"""Importing submissions from CSV files and workbooks."""

import asyncio
from datetime import date, datetime
from typing import Any

import pytest
from actors import Account
from factories.forms import FIELDS, form
from factories.requests import get
from factories.submission_imports import XLSX, csv_file, imported, send, submissions_of, xlsx_file
from factories.submissions import submission
from factories.subscribers import subscriber

from formwright.core.db.interface import WriteTransaction
from formwright.domain.submissions.imports import runner, store
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import LEASE_MS, SubmissionsImport
from formwright.worker.submission_imports import ImportWorker

VISITS: list[dict[str, Any]] = [
    *FIELDS,
    {"type": "choices", "name": "tags", "label": "Tags", "options": [{"value": v, "label": v.title()} for v in "xyz"]},
    {"type": "decimal", "name": "depth", "label": {"en": "Depth", "de": "Tiefe"}},
    {"type": "boolean", "name": "open", "label": "Open?"},
    {"type": "datetime", "name": "seen", "label": "Seen"},
    {"type": "time", "name": "at", "label": "At"},
    {"type": "location", "name": "place", "label": "Place"},
    {
        "type": "repeat",
        "name": "defects",
        "label": "Defects",
        "fields": [
            {"type": "text", "name": "what", "label": "What"},
            {"type": "integer", "name": "grade", "label": "Grade", "max": 5},
        ],
    },
]


def rows(count: int, first: int = 1) -> list[list[Any]]:
    return [["site", "people", "externalId"], *([f"Quay {n}", n % 100, f"e-{n}"] for n in range(first, first + count))]


async def test_rows_become_submissions_with_their_time_user_and_external_id(account: Account) -> None:
    f = await form(account, fields=VISITS)
    header = ["Site", "Kind", "Day", "Tags", "Tiefe", "Open?", "Seen", "At", "Place", "Defects"]
    own = ["externalId", "submittedAt", "userId", "latitude", "longitude"]
    table = [
        [*header, *own],
        [
            *("Kai 🎉 ", "B", "29.03.2026", "x; Y", "1,234.5", "yes", "2026-03-29 14:30", "9:05", "52.5,13.4,4"),
            '[{"what": "Crack", "grade": 3}]',
            *("crm-1", "2026-03-29T14:30:00+02:00", account.owner.id, "53.5", "10"),
        ],
        ["Harbour", *[""] * 14],
        [""] * 15,
    ]
    found = await imported(account, f, csv_file(table), name="visits.csv")
    assert (found["status"], found["total"], found["imported"], found["rejected"]) == ("DONE", 2, 2, 0)
    assert found["columns"]["answers.depth"] == "Tiefe"
    first, second = sorted(await submissions_of(account, f), key=lambda one: len(one["data"]), reverse=True)
    assert first["data"] == {
        "site": "Kai 🎉 ",
        "kind": "b",
        "day": "2026-03-29",
        "tags": ["x", "y"],
        "depth": 1234.5,
        "open": True,
        "seen": "2026-03-29T14:30:00+00:00",
        "at": "09:05",
        "place": {"latitude": 52.5, "longitude": 13.4, "accuracy": 4},
        "defects": [{"what": "Crack", "grade": 3}],
    }
    assert (first["externalId"], first["submittedAt"], first["userId"]) == (
        "crm-1",
        "2026-03-29T12:30:00.000Z",
        account.owner.id,
    )
    assert first["location"] == {"latitude": 53.5, "longitude": 10, "accuracy": None}
    assert second["data"] == {"site": "Harbour"}


async def test_a_workbook_has_the_rows_of_a_repeat_in_a_second_sheet(account: Account) -> None:
    f = await form(account, fields=VISITS)
    sheets: dict[str, list[list[Any]]] = {
        "Visits": [
            ["id", "Site", "People", "Day", "Seen", "Depth"],
            ["v1", "Harbour", 3, date(2026, 3, 29), datetime(2026, 3, 29, 14, 30), 0.5],  # noqa: DTZ001 - workbooks know no zones
            ["v2", "Quay", None, None, None, None],
        ],
        "Defects": [["id", "What", "grade"], ["v2", "Crack", 2], ["v1", "Rust", 1], ["v1", None, 5]],
        "Notes": [["anything"], ["else"]],
    }
    content = xlsx_file(sheets)
    found = await imported(account, f, content, XLSX)
    assert (found["status"], found["imported"]) == ("DONE", 2), found
    by_site = {one["data"]["site"]: one["data"] for one in await submissions_of(account, f)}
    assert by_site["Quay"] == {"site": "Quay", "defects": [{"what": "Crack", "grade": 2}]}
    assert by_site["Harbour"] == {
        "site": "Harbour",
        "people": 3,
        "day": "2026-03-29",
        "seen": "2026-03-29T14:30:00+00:00",
        "depth": 0.5,
        "defects": [{"what": "Rust", "grade": 1}, {"grade": 5}],
    }

    sheets["Defects"].append(["v3", "Hole", 9])
    content = xlsx_file(sheets)
    found = await imported(account, f, content, XLSX)
    assert (found["status"], found["imported"]) == ("REJECTED", 0)
    assert [(e["line"], e["column"], e["code"]) for e in found["errors"]] == [(5, "Defects!id", "import.repeat.link")]


@pytest.mark.parametrize("skip", [False, True])
async def test_invalid_rows_are_named_and_reject_the_import_unless_they_are_skipped(
    account: Account, skip: bool
) -> None:
    f = await form(account)
    await submission(account, f, externalId="taken")
    table = [
        ["site", "people", "day", "externalId", "userId"],
        ["Harbour", 3, "2026-03-29", "a", ""],
        ["", 3, "", "", ""],
        ["Quay", "many", "3/4/2026", "", ""],
        ["Quay", 501, "", "taken", ""],
        ["Quay", 1, "", "a", "usr_01m7z1fcaeezx9ew4g6yzwgd2d"],
        ["Pier", 2, "", "b", ""],
    ]
    found = await imported(account, f, csv_file(table), skipBadRows=str(skip).lower())
    taken = "submission.external_id_taken"
    assert [(e["line"], e["column"], e["code"]) for e in found["errors"]] == [
        (3, "site", "value.required"),
        (4, "people", "import.cell.number"),
        (4, "day", "import.cell.date"),
        # A row that is only skipped is judged by its first error, as when it is submitted.
        *([] if skip else [(5, "people", "value.too_great")]),
        (5, "externalId", taken),
        (6, "userId", "user.not_found"),
        *([] if skip else [(6, "externalId", taken)]),
    ]
    assert (found["status"], found["imported"], found["rejected"]) == (("DONE", 2, 4) if skip else ("REJECTED", 0, 4))
    sites = [one["data"]["site"] for one in await submissions_of(account, f) if one["externalId"] != "taken"]
    assert sorted(sites) == (["Harbour", "Pier"] if skip else [])


@pytest.mark.parametrize(
    ("content", "query", "code"),
    [
        (b"", {}, "table.empty"),
        (b"PK\x03\x04 nothing", {}, "table.kind"),
        (csv_file([[f"c{n}" for n in range(200)], ["x"] * 200]), {}, "import.columns.none"),
        (csv_file([["site", "colour"], ["a", "red"]]), {}, "import.columns.unmapped"),
        (csv_file([["site"], ["a"]]), {"columns.site": "Site"}, "import.columns.unknown"),
        (csv_file([["site"], ["a"]]), {"columns.colour": "site"}, "import.columns.target"),
        (csv_file([["site"], ["a"]]), {"columns.site": "site", "columns.kind": "site"}, "import.columns.repeated"),
        (csv_file([["site"], ["a"]]), {"timeZone": "Mars/Base"}, "query.value"),
        ("site;kind\n\xff".encode("latin-1") + b"\x81", {"encoding": "utf-8"}, "table.encoding"),
    ],
)
async def test_files_that_cannot_be_read_or_mapped_are_rejected_at_once(
    account: Account, content: bytes, query: dict[str, str], code: str
) -> None:
    f = await form(account)
    response = await send(account, f, content, **query)
    assert response.status_code in (400, 422), response.text
    assert [fault["code"] for fault in response.json()["errors"]] == [code]
    assert (await get(account, f"/customers/{account.id}/submission-imports"))["items"] == []


async def test_files_of_other_countries_are_read(account: Account) -> None:
    f = await form(account, fields=VISITS)
    content = csv_file([["Site", "Tiefe", "People"], ["Kai", "1.234,5", "1.234"]], ";", "utf-16")
    found = await imported(account, f, content, checkOnly="true")
    assert [(e["column"], e["code"]) for e in found["errors"]] == [("People", "value.too_great")]
    content = csv_file([["Site", "Tiefe", "When"], ["Kai", "0,5", "3/4/2026"]], ";", "cp1252")
    query = {"columns.site": "Site", "columns.depth": "Tiefe", "columns.day": "When", "firstInDates": "day"}
    assert (await imported(account, f, content, **query))["imported"] == 1
    (submission,) = await submissions_of(account, f)
    assert submission["data"] == {"site": "Kai", "depth": 0.5, "day": "2026-04-03"}


async def test_neither_a_check_nor_a_dry_run_imports_anything(account: Account) -> None:
    f = await form(account)
    response = await send(account, f, csv_file(rows(3)), dryRun="true")
    assert (response.status_code, response.json()["status"]) == (201, "QUEUED")
    found = await imported(account, f, csv_file(rows(3)), checkOnly="true")
    assert (found["status"], found["total"], found["imported"]) == ("DONE", 3, 0)
    assert await submissions_of(account, f) == []


async def test_a_silent_import_logs_its_events_but_sends_no_webhooks(account: Account) -> None:
    f = await form(account)
    hook = await subscriber(account)
    before = len(await _deliveries(account, hook))
    await imported(account, f, csv_file(rows(2)), silent="true")
    assert len(await _deliveries(account, hook)) == before
    await imported(account, f, csv_file(rows(2, first=3)))
    assert len(await _deliveries(account, hook)) == before + 2
    events = await get(account, f"/webhooks/customer/{account.id}/events", type="submission.submitted")
    assert len(events["items"]) == 4
    audited = await get(account, f"/customers/{account.id}/audit", action="import.created")
    assert [one["changed"] for one in audited["items"]].count(["silent"]) == 1


async def _deliveries(account: Account, hook: dict[str, Any]) -> list[Any]:
    path = f"/webhooks/customer/{account.id}/subscribers/{hook['id']}/invocations"
    return list((await get(account, path, limit=1000))["items"])


async def test_a_worker_that_is_stopped_at_any_batch_leaves_no_row_twice(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_BATCH", 7)
    f = await form(account)
    table = rows(30)
    del table[12][0:1]  # A row without its first cell is invalid.
    response = await send(account, f, csv_file(table), skipBadRows="true")
    path = f"/customers/{account.id}/submission-imports/{response.json()['id']}"
    stops, real = 0, store.save

    async def save_then_stop(tx: WriteTransaction, record: SubmissionsImport) -> bool:
        saved = await real(tx, record)
        if record.imported and stops < 3:
            raise asyncio.CancelledError
        return saved

    async def save_and_stop_later(tx: WriteTransaction, record: SubmissionsImport) -> bool:
        if record.next_line > 9 * (stops + 1):
            raise asyncio.CancelledError
        return await real(tx, record)

    now = account.ctx.clock.now()
    for save in (save_then_stop, save_and_stop_later, save_and_stop_later):
        monkeypatch.setattr(store, "save", save)
        now += LEASE_MS
        async with account.ctx.db.writing() as tx:
            claimed = await imports.claim(tx, account.id, now + LEASE_MS)
        assert claimed
        with pytest.raises(asyncio.CancelledError):
            await runner.run(account.ctx.db, account.ctx.files, claimed)
        stops += 1
        now += LEASE_MS
    monkeypatch.setattr(store, "save", real)
    async with account.ctx.db.writing() as tx:
        claimed = await imports.claim(tx, account.id, now + 10 * LEASE_MS)
    assert claimed
    await runner.run(account.ctx.db, account.ctx.files, claimed)
    found = await get(account, path)
    assert (found["status"], found["imported"], found["rejected"], len(found["errors"])) == ("DONE", 29, 1, 1)
    ids = [one["externalId"] for one in await submissions_of(account, f)]
    assert sorted(ids) == sorted(f"e-{n}" for n in range(1, 31) if n != 12)


async def test_rows_are_not_repeated_after_a_stop_behind_rows_of_another_sheet(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a repeat that no submission has are read last, and have lower line numbers."""
    f = await form(account, fields=VISITS)
    sheets = {
        "Visits": [["id", "Site"], *([f"v{n}", f"Quay {n}"] for n in range(1, 9))],
        "Defects": [["id", "What"], ["v9", "Hole"], ["v10", "Crack"], ["v1", "Rust"]],
    }
    response = await send(account, f, xlsx_file(sheets), XLSX, skipBadRows="true")

    async def stop(*_: object) -> None:
        raise asyncio.CancelledError

    async with account.ctx.db.writing() as tx:
        first = await imports.claim(tx, account.id, account.ctx.clock.now())
    assert first
    with monkeypatch.context() as patch:
        patch.setattr(runner._Job, "end", stop)
        with pytest.raises(asyncio.CancelledError):
            await runner.run(account.ctx.db, account.ctx.files, first)
    async with account.ctx.db.writing() as tx:
        again = await imports.claim(tx, account.id, account.ctx.clock.now() + 30 * LEASE_MS)
    assert again
    await runner.run(account.ctx.db, account.ctx.files, again)
    found = await get(account, f"/customers/{account.id}/submission-imports/{response.json()['id']}")
    assert (found["status"], found["imported"], found["rejected"]) == ("DONE", 8, 2)
    assert [(error["line"], error["code"]) for error in found["errors"]] == [(n, "import.repeat.link") for n in (2, 3)]
    assert len(await submissions_of(account, f)) == 8


async def test_a_worker_whose_lease_has_ended_writes_nothing(account: Account) -> None:
    f = await form(account)
    await send(account, f, csv_file(rows(3)))
    async with account.ctx.db.writing() as tx:
        slow = await imports.claim(tx, account.id, account.ctx.clock.now())
        fast = await imports.claim(tx, account.id, account.ctx.clock.now() + 2 * LEASE_MS)
    assert slow
    assert fast
    with pytest.raises(runner.LeaseLost):
        await runner.run(account.ctx.db, account.ctx.files, slow)
    assert await submissions_of(account, f) == []
    await runner.run(account.ctx.db, account.ctx.files, fast)
    assert len(await submissions_of(account, f)) == 3


async def test_the_file_is_deleted_when_the_import_has_ended(account: Account) -> None:
    f = await form(account)
    await imported(account, f, csv_file(rows(1)))
    folder = account.ctx.settings.files_folder / "imports" / account.id
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert await ImportWorker(account.ctx).run_batch() == 0
