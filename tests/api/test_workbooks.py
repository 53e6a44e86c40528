"""Old .xls workbooks, as LibreOffice saves them, become forms and datasources over the API."""

import asyncio
from pathlib import Path

import pytest
from actors import Account
from factories.requests import PREFIX, get
from factories.row_files import XLSX
from fixtures import libreoffice
from unit.workbooks import samples

from formwright.domain.datasources.imports.row_sources import open_row_source

XLS = "application/vnd.ms-excel"
OPEN = ("form", "table")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder: Path = tmp_path_factory.mktemp("xls")
    for name, content in zip(OPEN, (samples.form(), samples.table()), strict=True):
        (folder / f"{name}.xlsx").write_bytes(content)
    return libreoffice.convert([folder / f"{name}.xlsx" for name in OPEN], libreoffice.FORMATS[0], folder)


@pytest.mark.parametrize("kind", [XLS, XLSX])
async def test_an_xls_becomes_a_form(account: Account, saved: dict[str, bytes], kind: str) -> None:
    """Its content counts: a browser or a script may name it either way."""
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    made = await account.api.post(url, content=saved["form"], headers={"content-type": kind})
    assert made.status_code == 201, made.text
    assert made.json()["name"] == "Order"


@pytest.mark.parametrize("kind", [XLS, XLSX])
async def test_an_xls_becomes_a_datasource(account: Account, saved: dict[str, bytes], kind: str) -> None:
    url, query = f"{PREFIX}/customers/{account.id}/datasources", {"name": "Stock", "keyColumn": "key", "sheet": "stock"}
    made = await account.api.post(url, content=saved["table"], params=query, headers={"content-type": kind})
    assert made.status_code == 201, made.text
    rows = (await get(account, f"/customers/{account.id}/datasources/{made.json()['id']}/rows"))["items"]
    assert [(row["key"], row["data"]["count"], row["data"]["sum"]) for row in rows] == [("007", 7, 14), ("008", 1.5, 3)]


async def test_the_event_loop_runs_while_a_workbook_is_read(account: Account) -> None:
    """Other requests are answered while a process lays out a million empty cells."""
    far = '<c r="A1"><v>1</v></c><c r="N100000"><v>1</v></c>'
    sheet = f"<worksheet><sheetData><row>{far}</row></sheetData></worksheet>"
    content = samples.with_parts(samples.table(), {samples.SHEET: sheet})
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    slow = asyncio.create_task(account.api.post(url, content=content, headers={"content-type": XLSX}))
    answered = 0
    while not slow.done():
        await get(account, f"/customers/{account.id}/datasources")
        answered += 1
        await asyncio.sleep(0)  # A read on SQLite may be answered without a wait.
    assert (await slow).status_code == 422
    assert answered > 2


def test_a_pulled_xls_is_known_by_its_content(saved: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "pulled"
    path.write_bytes(saved["table"])
    with path.open("rb") as file:
        assert open_row_source(file, "application/octet-stream")
