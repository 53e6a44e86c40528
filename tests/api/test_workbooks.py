"""Old .xls workbooks, as saved by LibreOffice, imported as forms and data sources."""

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


@pytest.mark.slow
@pytest.mark.parametrize("kind", [XLS, XLSX])
async def test_an_xls_workbook_is_imported_as_a_form(account: Account, saved: dict[str, bytes], kind: str) -> None:
    """The content determines the format, because browsers and scripts use either media type."""
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    response = await account.api.post(url, content=saved["form"], headers={"content-type": kind})
    assert response.status_code == 201, response.text
    assert response.json()["name"] == "Order"


@pytest.mark.parametrize("kind", [XLS, XLSX])
async def test_an_xls_workbook_is_imported_as_a_data_source(
    account: Account, saved: dict[str, bytes], kind: str
) -> None:
    url, query = f"{PREFIX}/customers/{account.id}/datasources", {"name": "Stock", "keyColumn": "key", "sheet": "stock"}
    response = await account.api.post(url, content=saved["table"], params=query, headers={"content-type": kind})
    assert response.status_code == 201, response.text
    rows = (await get(account, f"/customers/{account.id}/datasources/{response.json()['id']}/rows"))["items"]
    assert [(row["key"], row["data"]["count"], row["data"]["sum"]) for row in rows] == [("007", 7, 14), ("008", 1.5, 3)]


async def test_reading_a_workbook_does_not_block_the_event_loop(account: Account) -> None:
    """Other requests are served while another process reads a million empty cells."""
    far = '<c r="A1"><v>1</v></c><c r="N100000"><v>1</v></c>'
    sheet = f"<worksheet><sheetData><row>{far}</row></sheetData></worksheet>"
    content = samples.with_parts(samples.table(), {samples.SHEET: sheet})
    url = f"{PREFIX}/forms/customer/{account.id}/forms/import"
    slow = asyncio.create_task(account.api.post(url, content=content, headers={"content-type": XLSX}))
    answered = 0
    while not slow.done():
        await get(account, f"/customers/{account.id}/datasources")
        answered += 1
        await asyncio.sleep(0)  # A read of SQLite may complete without waiting.
    assert (await slow).status_code == 422
    assert answered > 2


def test_a_pulled_xls_is_detected_by_its_content(saved: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "pulled"
    path.write_bytes(saved["table"])
    with path.open("rb") as file:
        assert open_row_source(file, "application/octet-stream")
